//! Several tables to ask at once: runs and books, named or shipped, and positions that were solved on demand.
//!
//! Runs and books share the bytes for decoded slabs. Tables solved on demand have a room of their own; the one that was not
//! asked for longest is dropped first.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dab_board::notation::{Notation, Transcript};
use dab_board::{Board, LineSet, Position};

use crate::library_table::At;
use crate::shipped::shipped_books;
use crate::text::{self, Input};
use crate::{Error, Lacking, LibraryTable, Limits, OnDemandSolve, Source, Tablebase};

/// Everything that is solved.
pub struct Library {
    tables: Vec<LibraryTable>,
    solved: Arc<SolvedTables>,
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
    source: Arc<Source>,
    bytes: u64,
}

impl Library {
    /// Opens runs and books. They are asked before the shipped books `shipped`, whose indexes are made when a question needs
    /// them. The memory of the limits is for the decoded slabs of all of them; as many bytes more are for tables solved on demand.
    ///
    /// # Errors
    /// As [`Tablebase::open_within`], or if a run is not finished.
    pub fn open<P: AsRef<Path>>(paths: &[P], shipped: &[PathBuf], limits: Limits) -> Result<Self, Error> {
        let share = limits.memory / (paths.len() + shipped.len()).max(1) as u64;
        let mut tables = Vec::with_capacity(paths.len() + shipped.len());
        for path in paths {
            let table = LibraryTable::new(At::Path(path.as_ref().into()), share, limits)?;
            table.source()?;
            tables.push(table);
        }
        for book in shipped {
            tables.push(LibraryTable::new(At::Path(book.clone()), share, limits)?);
        }
        Ok(Self { tables, solved: Arc::new(SolvedTables { kept: Mutex::default(), room: limits.memory }) })
    }

    /// The library of books in memory, each with its name; `limits` as in [`Library::open`].
    ///
    /// # Errors
    /// If a book is not complete, or its head is damaged.
    pub fn of_books(books: Vec<(String, Arc<[u8]>)>, limits: Limits) -> Result<Self, Error> {
        let share = limits.memory / books.len().max(1) as u64;
        let open = |(name, bytes): (String, _)| LibraryTable::new(At::Memory(bytes, name.into()), share, limits);
        let tables = books.into_iter().map(open).collect::<Result<_, Error>>()?;
        Ok(Self { tables, solved: Arc::new(SolvedTables { kept: Mutex::default(), room: limits.memory }) })
    }

    /// The library of the shipped books; `limits` as in [`Library::open`].
    ///
    /// # Errors
    /// If a directory of books cannot be listed, or the head of a book is damaged.
    pub fn of_shipped_books(limits: Limits) -> Result<Self, Error> {
        Self::open::<&Path>(&[], &shipped_books()?, limits)
    }

    /// The runs and books, in the order in which they are asked.
    pub fn tables(&self) -> &[LibraryTable] {
        &self.tables
    }

    /// The first run or book that may hold a position, if there is one.
    ///
    /// # Errors
    /// As [`LibraryTable::source`].
    pub fn table_for(&self, position: &Position, penalty: Option<i32>) -> Result<Option<&Arc<Source>>, Error> {
        self.tables.iter().find(|table| table.may_hold(position, penalty)).map(LibraryTable::source).transpose()
    }

    /// The tables solved on demand, to which a solve may add later.
    pub fn solved(&self) -> &Arc<SolvedTables> {
        &self.solved
    }

    /// The board of a run or book, by its name.
    pub fn graph(&self, name: &str) -> Option<&Arc<Board>> {
        self.tables.iter().map(|table| table.start().board()).find(|board| board.name() == name)
    }

    /// The board of a name; graphs are those of runs and books. No file is read.
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

    /// The solves that complete the answer of the first run or book that may hold the position of `whole`, if they take less
    /// time than it. Once they are done [`Library::ask`] answers.
    ///
    /// # Errors
    /// As [`LibraryTable::source`].
    pub fn lacking(&self, whole: &OnDemandSolve) -> Result<Option<Lacking>, Error> {
        let source = self.table_for(whole.position(), Some(whole.penalty()))?;
        Ok(source.map(|source| Lacking::of(source, whole)).transpose()?.flatten())
    }

    /// Asks every table that may hold a position, one after the other; `None` if none does. `is_absent` tells the errors
    /// of a table that does not hold it.
    ///
    /// # Errors
    /// Those of [`LibraryTable::source`], and other errors of `ask`.
    pub fn ask<T, E: From<Error>>(
        &self,
        position: &Position,
        penalty: Option<i32>,
        ask: impl Fn(&Source) -> Result<T, E>,
        is_absent: impl Fn(&E) -> bool,
    ) -> Result<Option<T>, E> {
        let if_held = |answer: Result<T, E>| match answer {
            Err(error) if is_absent(&error) => Ok(None),
            answer => answer.map(Some),
        };
        for table in self.tables.iter().filter(|table| table.may_hold(position, penalty)) {
            if let Some(answer) = if_held(ask(table.source()?))? {
                return Ok(Some(answer));
            }
        }
        for kept in self.solved.that_may_hold(position) {
            if penalty.is_none_or(|penalty| penalty == i32::from(kept.source.table().penalty()))
                && let Some(answer) = if_held(ask(&kept.source))?
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
        kept.push(Kept { source: Arc::new(Source::new(table)), bytes });
        while kept.len() > 1 && kept.iter().map(|table| table.bytes).sum::<u64>() > self.room {
            kept.remove(0);
        }
    }

    /// The tables that may hold a position, the latest first.
    fn that_may_hold(&self, position: &Position) -> Vec<Kept> {
        let is_candidate = |kept: &&Kept| {
            let start = kept.source.table().start();
            start.board() == position.board() && start.drawn().is_subset(position.drawn())
        };
        self.kept().iter().rev().filter(is_candidate).cloned().collect()
    }

    fn touch(&self, asked: &Kept) {
        let mut kept = self.kept();
        if let Some(at) = kept.iter().position(|other| Arc::ptr_eq(&other.source, &asked.source)) {
            kept[at..].rotate_left(1);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
