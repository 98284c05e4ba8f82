//! Several tables to ask at once: opened runs and books, and positions that were solved on demand.
//!
//! Opened tables stay open as long as the program runs and share the bytes for decoded slabs. Tables solved on demand have
//! a room of their own; the one that was not asked for longest is dropped first.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dab_board::notation::{Notation, Transcript};
use dab_board::{Board, LineSet, Position};
use dab_solve::SlabCache;

use crate::text::{self, Input};
use crate::{Error, Limits, Source, Tablebase};

/// Everything that is solved.
pub struct Library {
    opened: Vec<Opened>,
    solved: Arc<SolvedTables>,
}

struct Opened {
    table: &'static Tablebase,
    cache: &'static SlabCache<'static>,
}

/// Tables solved on demand.
#[derive(Default)]
pub struct SolvedTables {
    /// The table asked last comes last.
    kept: Mutex<Vec<Kept>>,
    /// Bytes that all of them may take.
    room: u64,
}

#[derive(Clone)]
struct Kept {
    table: Arc<Tablebase>,
    bytes: u64,
}

impl Library {
    /// Opens runs and books within limits, whose memory is for the decoded slabs of all of them. As many bytes more are for tables
    /// solved on demand.
    ///
    /// # Errors
    /// As [`Tablebase::open_within`], or if a run is not finished.
    pub fn open<P: AsRef<Path>>(paths: &[P], limits: Limits) -> Result<Self, Error> {
        let bytes = limits.memory;
        let mut opened = Vec::with_capacity(paths.len());
        for path in paths {
            let table: &'static Tablebase = Box::leak(Box::new(Tablebase::open_within(path, limits)?));
            table.require_finished()?;
            let cache: &'static SlabCache<'static> = Box::leak(Box::new(table.cache(bytes / paths.len() as u64)));
            cache.decode_aside();
            opened.push(Opened { table, cache });
        }
        Ok(Self { opened, solved: Arc::new(SolvedTables { kept: Mutex::default(), room: bytes }) })
    }

    /// The opened runs and books.
    pub fn opened(&self) -> impl Iterator<Item = &Tablebase> {
        self.opened.iter().map(|opened| opened.table)
    }

    /// The tables solved on demand, to which a solve may add later.
    pub fn solved(&self) -> &Arc<SolvedTables> {
        &self.solved
    }

    /// The graph of an opened run or book, by the name of its board.
    pub fn graph(&self, name: &str) -> Option<&Arc<Board>> {
        self.opened().map(Tablebase::board).find(|board| board.name() == name)
    }

    /// The board of a name; graphs are those of opened runs and books. No file is read.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn board(&self, name: &str) -> Result<Arc<Board>, Error> {
        text::board(name, |file| self.graph_of(file))
    }

    /// Reads a position or a game in any notation; `board` names the board of texts that do not tell it.
    ///
    /// # Errors
    /// If the text is in no notation, breaks its rules, or names no board.
    pub fn read(&self, text: &str, board: Option<&str>) -> Result<Input, Error> {
        let text = text.trim();
        if let Some(board) = self.graph(text) {
            let empty = Position::new(Arc::clone(board), LineSet::EMPTY)?;
            return Ok(Input { record: Transcript::new(empty), notation: Notation::Compact });
        }
        let board = board.map(|name| self.board(name)).transpose()?;
        text::read(text, None, board.as_ref().into(), |file| self.graph_of(file))
    }

    fn graph_of(&self, file: &str) -> Result<Arc<Board>, Error> {
        let name = format!("graph:{file}");
        self.graph(&name).cloned().ok_or_else(|| {
            Error::Graph(format!("{name} is not served: graphs are those of the runs and books that are"))
        })
    }

    /// Asks every table that may hold a position, one after the other; `None` if none does. `is_absent` tells the errors
    /// of a table that does not hold it.
    ///
    /// # Errors
    /// Other errors of `ask`.
    pub fn ask<T, E>(
        &self,
        position: &Position,
        penalty: Option<i32>,
        ask: impl Fn(&Source<'_>) -> Result<T, E>,
        is_absent: impl Fn(&E) -> bool,
    ) -> Result<Option<T>, E> {
        let if_held = |answer: Result<T, E>| match answer {
            Err(error) if is_absent(&error) => Ok(None),
            answer => answer.map(Some),
        };
        let is_wanted = |table: &Tablebase| penalty.is_none_or(|penalty| penalty == i32::from(table.penalty()));
        for Opened { table, cache } in self.opened.iter().filter(|opened| is_wanted(opened.table)) {
            if let Some(answer) = if_held(ask(&Source::new(table, table.book_through(*cache))))? {
                return Ok(Some(answer));
            }
        }
        for kept in self.solved.that_may_hold(position) {
            if is_wanted(&kept.table)
                && let Some(answer) = if_held(ask(&Source::new(&kept.table, kept.table.book())))?
            {
                self.solved.touch(&kept);
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }
}

impl SolvedTables {
    /// Keeps a table of so many bytes, and drops those that have no room beside it.
    pub fn keep(&self, table: Tablebase, bytes: u64) {
        let mut kept = self.kept();
        kept.push(Kept { table: Arc::new(table), bytes });
        while kept.len() > 1 && kept.iter().map(|table| table.bytes).sum::<u64>() > self.room {
            kept.remove(0);
        }
    }

    /// The tables that may hold a position, the latest first.
    fn that_may_hold(&self, position: &Position) -> Vec<Kept> {
        let is_candidate = |kept: &&Kept| {
            let start = kept.table.start();
            start.board() == position.board() && start.drawn().is_subset(position.drawn())
        };
        self.kept().iter().rev().filter(is_candidate).cloned().collect()
    }

    fn touch(&self, asked: &Kept) {
        let mut kept = self.kept();
        if let Some(at) = kept.iter().position(|other| Arc::ptr_eq(&other.table, &asked.table)) {
            kept[at..].rotate_left(1);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
