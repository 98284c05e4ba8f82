//! A run or a book of a library.
//!
//! Its head says which positions it may hold. Its index takes longer, so it is made for the first question; from then on
//! the table stays open as long as the library lasts.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dab_board::Position;
use dab_store::{BookFile, StoreError};

use crate::tablebase::start_of;
use crate::{Error, Files, Limits, Source, Summary, Tablebase};

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
    /// Bytes for decoded slabs.
    bytes: u64,
    /// Limits of its index.
    limits: Limits,
    opened: OnceLock<Arc<Source>>,
    /// Held by the thread that opens it.
    opening: Mutex<()>,
}

impl LibraryTable {
    /// Reads the head of a run or a book.
    ///
    /// # Errors
    /// If there is no such thing, if its head is damaged, or if its game is unknown.
    pub(crate) fn new(at: At, bytes: u64, limits: Limits) -> Result<Self, Error> {
        let files = at.open()?;
        Ok(Self {
            summary: files.summary(),
            start: start_of(&files)?,
            at,
            bytes,
            limits,
            opened: OnceLock::new(),
            opening: Mutex::new(()),
        })
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
    pub fn may_hold(&self, position: &Position, penalty: Option<i32>) -> bool {
        penalty.is_none_or(|penalty| penalty == i32::from(self.summary.penalty))
            && self.start.board() == position.board()
            && self.start.drawn().is_subset(position.drawn())
    }

    /// The table as it is read; the first call makes its index.
    ///
    /// # Errors
    /// As [`Tablebase::open_within`], or if a run is not finished.
    pub fn source(&self) -> Result<&Arc<Source>, Error> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let table = Tablebase::of(self.at.open()?, self.limits)?;
        table.require_finished()?;
        let source = Source::decoded_aside(table, self.bytes);
        Ok(self.opened.get_or_init(|| Arc::new(source)))
    }
}
