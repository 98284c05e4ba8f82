//! A run or a book of a library.
//!
//! Its head says which positions it may hold. Its index takes longer, so it is made for the first question; from then on
//! the table stays open as long as the library lasts.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dab_board::Position;
use dab_store::{BookFile, StoreError};

use crate::tablebase::start_of;
use crate::{Files, IndexLimits, Source, Summary, TableError, Tablebase};

/// The place of a run or a book.
pub(crate) enum At {
    Path(PathBuf),
    /// A book in memory, and its name.
    Memory(Arc<[u8]>, PathBuf),
}

impl At {
    fn open(&self) -> Result<Files, StoreError> {
        match self {
            Self::Path(path) => Files::open(path),
            Self::Memory(bytes, name) => Ok(Files::Book(BookFile::in_memory(bytes.clone(), name)?.into())),
        }
    }
}

/// A run or a book that a library asks.
pub struct LibraryTable {
    at: At,
    summary: Summary,
    start: Position,
    table: OnceLock<Arc<Tablebase>>,
    source: OnceLock<Arc<Source>>,
    /// Held by the thread that opens it.
    opening: Mutex<()>,
}

impl LibraryTable {
    /// Reads the head of a run or a book.
    ///
    /// # Errors
    /// If there is no such thing, if its head is damaged, or if its game is unknown.
    pub(crate) fn new(at: At) -> Result<Self, TableError> {
        let files = at.open()?;
        let (summary, start) = (files.summary(), start_of(&files)?);
        Ok(Self { at, summary, start, table: OnceLock::new(), source: OnceLock::new(), opening: Mutex::new(()) })
    }

    /// A table that is open already.
    pub(crate) fn from_source(source: Arc<Source>) -> Self {
        let files = source.table().files();
        Self {
            at: At::Path(files.name().into()),
            summary: files.summary(),
            start: source.table().start().clone(),
            table: OnceLock::new(),
            source: source.into(),
            opening: Mutex::new(()),
        }
    }

    /// It in numbers.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The position from which all others arise.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Whether a position arises from its start and has the penalty of its scores; `None` is any penalty.
    pub(crate) fn may_hold(&self, position: &Position, penalty: Option<i32>) -> bool {
        penalty.is_none_or(|penalty| penalty == i32::from(self.summary.penalty))
            && self.start.board() == position.board()
            && self.start.drawn().is_subset(position.drawn())
    }

    /// Opens it.
    ///
    /// # Errors
    /// As [`Tablebase::open_within`], or if a run is not finished.
    pub(crate) fn open(&self, limits: IndexLimits) -> Result<&Arc<Tablebase>, TableError> {
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = Tablebase::from_files(self.at.open()?, limits)?;
        table.require_finished()?;
        Ok(self.table.get_or_init(|| Arc::new(table)))
    }

    /// The table as it is read, through a slab cache of `bytes` bytes; the first call opens it.
    ///
    /// # Errors
    /// As [`LibraryTable::open`].
    pub(crate) fn source(&self, bytes: u64, limits: IndexLimits) -> Result<&Arc<Source>, TableError> {
        if let Some(source) = self.source.get() {
            return Ok(source);
        }
        let table = self.open(limits)?;
        Ok(self.source.get_or_init(|| Arc::new(Source::decoded_aside(Arc::clone(table), bytes))))
    }
}
