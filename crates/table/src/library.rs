//! Several tables to ask at once: runs and books, named or shipped, and the results of solves.
//!
//! Runs and books share the bytes for decoded slabs. Results of solves have a room of their own; the one that was not asked
//! for longest is dropped first.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dab_board::Position;

use crate::library_table::At;
use crate::{Answer, IndexLimits, LibraryTable, Source, TableError, shipped_books};

/// Tables that are asked one after the other.
pub struct Library {
    tables: Vec<LibraryTable>,
    /// Results of solves with the bytes that each takes; the one asked last comes last.
    solved: Mutex<Vec<(Arc<Source>, u64)>>,
    limits: IndexLimits,
}

/// A question to tables.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The position.
    pub position: &'a Position,
    /// The last-move penalty, in boxes; `None` is any.
    pub penalty: Option<i32>,
    /// Whether the marks of the position and its moves are wanted, too.
    pub marks: bool,
}

impl<'a> From<&'a Position> for Question<'a> {
    /// The scores of a position in the ordinary game.
    fn from(position: &'a Position) -> Self {
        Self { position, penalty: Some(0), marks: false }
    }
}

impl Library {
    /// A library of no table. The memory of the limits is for the decoded slabs of all tables together, for the index of each, and
    /// once more for results of solves.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// let library = Library::new(IndexLimits::default());
    /// assert!(library.tables().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(limits: impl Into<IndexLimits>) -> Self {
        Self { tables: Vec::new(), solved: Mutex::default(), limits: limits.into() }
    }

    /// The library of the shipped books; `limits` as in [`Library::new`].
    ///
    /// # Errors
    /// As [`Library::add_shipped_books`].
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// let library = Library::shipped_books(IndexLimits::default())?;
    /// library.tables().iter().for_each(|table| println!("{}", table.summary().path));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shipped_books(limits: impl Into<IndexLimits>) -> Result<Self, TableError> {
        let mut library = Self::new(limits);
        library.add_shipped_books()?;
        Ok(library)
    }

    /// Adds a run or a book, which is opened at once.
    ///
    /// # Errors
    /// As [`Tablebase::open_within`](crate::Tablebase::open_within), or if a run is not finished.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// # let mut library = Library::new(IndexLimits::default());
    /// library.open("../../data/books/4x4.book")?;
    /// let position: dab_board::Position = "4x4:f".parse()?;
    /// assert!(library.may_hold((&position).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&mut self, path: impl Into<PathBuf>) -> Result<(), TableError> {
        let table = LibraryTable::new(At::Path(path.into()))?;
        table.open(self.limits)?;
        self.tables.push(table);
        Ok(())
    }

    /// Adds the shipped books. Their heads are read now; a book is opened for the first question that it may answer.
    ///
    /// # Errors
    /// If a directory of books cannot be listed, or the head of a book is damaged.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// # let mut library = Library::new(IndexLimits::default());
    /// library.add_shipped_books()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_shipped_books(&mut self) -> Result<(), TableError> {
        let books = shipped_books()?.into_iter().map(|book| LibraryTable::new(At::Path(book)));
        self.tables.extend(books.collect::<Result<Vec<_>, _>>()?);
        Ok(())
    }

    /// Adds a book in memory by its name, which is opened as a shipped book is.
    ///
    /// # Errors
    /// If the book is not complete, or its head is damaged.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// let book = std::fs::read("../../data/books/4x4.book")?;
    /// # let mut library = Library::new(IndexLimits::default());
    /// library.add_in_memory("4x4.book", book.into())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_in_memory(&mut self, name: impl AsRef<Path>, bytes: Arc<[u8]>) -> Result<(), TableError> {
        self.tables.push(LibraryTable::new(At::Memory(bytes, name.as_ref().into()))?);
        Ok(())
    }

    /// Adds a table that is open already, to be read as it is.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// # use dab_table::Source;
    /// let table = Tablebase::open("../../data/books/4x4.book")?;
    /// # let mut library = Library::new(IndexLimits::default());
    /// library.add(Source::cached(table, 16 << 20).into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&mut self, source: Arc<Source>) {
        self.tables.push(LibraryTable::from_source(source));
    }

    /// The runs and books, in the order in which they are asked.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// # let mut library = Library::new(IndexLimits::default());
    /// library.open("../../data/books/4x4.book")?;
    /// assert_eq!(library.tables()[0].summary().board, "4x4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tables(&self) -> &[LibraryTable] {
        &self.tables
    }

    /// Whether a run or a book may hold the position.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// # let mut library = Library::new(IndexLimits::default());
    /// library.open("../../data/books/4x4.book")?;
    /// let position: dab_board::Position = "3x3:f".parse()?;
    /// assert!(!library.may_hold((&position).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn may_hold(&self, question: Question<'_>) -> bool {
        self.tables.iter().any(|table| table.may_hold(question.position, question.penalty))
    }

    /// The first run or book that may hold the position, if there is one.
    ///
    /// # Errors
    /// As [`Library::open`].
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// # let mut library = Library::new(IndexLimits::default());
    /// library.open("../../data/books/4x4.book")?;
    /// let position: dab_board::Position = "4x4:f".parse()?;
    /// let source = library.source_for((&position).into())?;
    /// assert!(source.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn source_for(&self, question: Question<'_>) -> Result<Option<&Arc<Source>>, TableError> {
        let table = self.tables.iter().find(|table| table.may_hold(question.position, question.penalty));
        table.map(|table| self.source(table)).transpose()
    }

    /// Asks every table that may hold the position, one after the other; `None` if none has its answer. `read` makes of an answer
    /// what is wanted, or passes on to the next table.
    ///
    /// # Errors
    /// If a table cannot be opened or is damaged, and those of `read`.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// # use dab_table::TableError;
    /// # let mut library = Library::new(IndexLimits::default());
    /// library.open("../../data/books/4x4.book")?;
    /// let position: dab_board::Position = "4x4:f".parse()?;
    /// let score = library.ask((&position).into(), |_, answer| Ok::<_, TableError>(Some(answer.score)))?;
    /// assert_eq!(score.map(i8::from), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask<T, E: From<TableError>>(
        &self,
        question: Question<'_>,
        read: impl Fn(&Source, Answer) -> Result<Option<T>, E>,
    ) -> Result<Option<T>, E> {
        let Question { position, penalty, marks } = question;
        let ask = |source: &Source| match source.answer(position, marks) {
            Err(error) if error.is_beyond() || error.is_not_held() => Ok(None),
            answer => read(source, answer?),
        };
        for table in self.tables.iter().filter(|table| table.may_hold(position, penalty)) {
            if let Some(answer) = ask(self.source(table)?)? {
                return Ok(Some(answer));
            }
        }
        for source in self.solved_for(question) {
            if let Some(answer) = ask(&source)? {
                self.touch(&source);
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Keeps the result of a solve, which takes `bytes`, and drops those for which too little memory is left.
    ///
    /// ```
    /// # use dab_table::{IndexLimits, Library, Tablebase};
    /// # use dab_table::Source;
    /// # let library = Library::new(IndexLimits::default());
    /// let solved = Tablebase::open("../../data/books/4x4.book")?; // or the result of a solve
    /// library.keep(Source::new(solved).into(), 1 << 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep(&self, source: Arc<Source>, bytes: u64) {
        let mut solved = self.solved();
        solved.push((source, bytes));
        while solved.len() > 1 && solved.iter().map(|(_, bytes)| bytes).sum::<u64>() > self.limits.memory {
            solved.remove(0);
        }
    }

    fn source<'a>(&self, table: &'a LibraryTable) -> Result<&'a Arc<Source>, TableError> {
        table.source(self.limits.memory / self.tables.len() as u64, self.limits)
    }

    /// The results of solves that may hold the position, the latest first.
    fn solved_for(&self, Question { position, penalty, .. }: Question<'_>) -> Vec<Arc<Source>> {
        let may_hold = |source: &&Arc<Source>| {
            let (start, held) = (source.table().start(), i32::from(source.table().penalty()));
            penalty.is_none_or(|penalty| penalty == held)
                && start.board() == position.board()
                && start.drawn().is_subset(position.drawn())
        };
        self.solved().iter().rev().map(|(source, _)| source).filter(may_hold).cloned().collect()
    }

    fn touch(&self, asked: &Arc<Source>) {
        let mut solved = self.solved();
        if let Some(at) = solved.iter().position(|(source, _)| Arc::ptr_eq(source, asked)) {
            solved[at..].rotate_left(1);
        }
    }

    fn solved(&self) -> MutexGuard<'_, Vec<(Arc<Source>, u64)>> {
        self.solved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
