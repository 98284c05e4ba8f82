//! What can be answered from: runs and books that were opened, and positions that were solved on demand.
//!
//! A quarter of the memory is for decoded slabs of the runs, a quarter for what was solved; those that were not asked
//! for longest are dropped. The rest is for solves while they run.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dab_board::{Board, Position};
use dab_book::{Book, BookError};
use dab_serve::Limits;

use crate::cache::Cache;
use crate::cmd::query::answer::Source;
use crate::cmd::query::solved::{Solved, is_beyond};
use crate::options::Setting;
use crate::run::{Files, Run};

/// Everything that is solved.
pub(crate) struct Library {
    shelves: Vec<Shelf>,
    pub(super) tables: Arc<Tables>,
    pub(super) limits: Limits,
    /// What one solve may take.
    pub(super) setting: Setting,
}

/// A run or a book.
pub(super) struct Shelf {
    pub(super) run: &'static Run,
    cache: &'static Cache<'static>,
}

/// What was solved on demand.
pub(super) struct Tables {
    /// The last one was asked last.
    kept: Mutex<Vec<Table>>,
    /// Bytes that all of them may take.
    room: u64,
}

#[derive(Clone)]
struct Table {
    solved: Arc<Solved>,
    bytes: u64,
}

impl Library {
    /// Opens runs and books.
    pub(super) fn open(paths: &[PathBuf], setting: &Setting, limits: Limits) -> anyhow::Result<Self> {
        let mut runs: Vec<&'static Run> = Vec::with_capacity(paths.len());
        for path in paths {
            // They stay open as long as the program runs.
            let run: &'static Run = Box::leak(Box::new(Run::open(path)?));
            if let Files::Run(_) = run.files {
                run.require_finished()?;
            }
            runs.push(run);
        }
        let quarter = setting.memory / 4;
        let budget = quarter / runs.len().max(1) as u64;
        let shelf = |run: &'static Run| {
            let cache: &'static Cache<'static> = Box::leak(Box::new(Cache::new(&run.space, &run.files, budget)));
            cache.decode_aside();
            Shelf { run, cache }
        };
        let mut setting = *setting;
        setting.memory = quarter;
        Ok(Self {
            shelves: runs.into_iter().map(shelf).collect(),
            tables: Arc::new(Tables { kept: Mutex::default(), room: quarter }),
            limits,
            setting,
        })
    }

    pub(super) fn shelves(&self) -> &[Shelf] {
        &self.shelves
    }

    /// The graph that a run or a book is about, by the name of the board.
    pub(super) fn graph(&self, name: &str) -> Option<&Arc<Board>> {
        self.shelves.iter().map(|shelf| shelf.run.space.layout().units().start().board()).find(|b| b.name() == name)
    }

    /// Asks everything that may hold a position, one after the other; `None` if nothing does.
    pub(super) fn ask<T>(
        &self,
        position: &Position,
        penalty: Option<i32>,
        ask: impl Fn(&Source<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<T>> {
        let is_wanted = |known: i8| penalty.is_none_or(|penalty| penalty == i32::from(known));
        let setting = &self.setting;
        for Shelf { run, cache } in self.shelves.iter().filter(|shelf| is_wanted(shelf.run.rules.penalty)) {
            let book = Book::new(&run.space, *cache);
            let penalty = run.rules.penalty;
            let source = Source { book, name: run.files.kind(), penalty, marks: false, setting };
            if let Some(answer) = if_held(ask(&source))? {
                return Ok(Some(answer));
            }
        }
        for table in self.tables.that_may_hold(position) {
            let source = table.source(setting);
            if is_wanted(source.penalty)
                && let Some(answer) = if_held(ask(&source))?
            {
                self.tables.touch(&table);
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }
}

impl Tables {
    /// Keeps what was solved with so many bytes, and drops what has no room beside it.
    pub(super) fn keep(&self, solved: Solved, bytes: u64) {
        let mut kept = self.kept();
        kept.push(Table { solved: Arc::new(solved), bytes });
        while kept.len() > 1 && kept.iter().map(|table| table.bytes).sum::<u64>() > self.room {
            kept.remove(0);
        }
    }

    /// The tables that may hold a position, the latest first.
    fn that_may_hold(&self, position: &Position) -> Vec<Table> {
        let is_candidate = |table: &&Table| {
            let start = table.solved.start();
            start.board() == position.board() && start.drawn().is_subset(position.drawn())
        };
        self.kept().iter().rev().filter(is_candidate).cloned().collect()
    }

    fn touch(&self, asked: &Table) {
        let mut kept = self.kept();
        if let Some(at) = kept.iter().position(|table| Arc::ptr_eq(&table.solved, &asked.solved)) {
            kept[at..].rotate_left(1);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Table>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn source<'a>(&'a self, setting: &'a Setting) -> Source<'a> {
        Source { book: self.solved.book(), name: "solved", penalty: self.solved.penalty(), marks: false, setting }
    }
}

/// Nothing if the position is not held.
fn if_held<T>(answer: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
    match answer {
        Err(error) => match error.downcast_ref::<BookError>() {
            Some(why) if is_beyond(why) || matches!(why, BookError::NotHeld { .. }) => Ok(None),
            _ => Err(error),
        },
        Ok(answer) => Ok(Some(answer)),
    }
}
