//! Why a table has no answer.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use dab_board::{BoardError, LineIdx};
use dab_space::{SpaceError, Spent};
use dab_store::StoreError;

use crate::figures::{Bytes, Time};

/// Errors of opening and asking tables.
#[derive(Debug)]
#[allow(missing_docs, reason = "the text of an error says what its fields are")]
pub enum TableError {
    /// A file is missing, damaged or of another kind, or its device failed.
    Store(StoreError),
    /// The position does not arise from the start of the table.
    NotHeld { position: String, start: String },
    /// A board that is too large or of a kind that cannot be indexed.
    Space(SpaceError),
    /// A plan or an index that cannot do with the memory that it may use.
    TooLargeIndex {
        position: String,
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A plan or an index that takes too long.
    TooLongPlan { position: String, allowed: Duration },
    /// An index that nobody wants any more.
    Stopped,
    /// A position that cannot be.
    Board(BoardError),
    /// A run or a book of a game, or of an order of positions, that this version does not know; the text names it.
    Foreign(String),
    /// A run some of whose layers are not solved yet.
    Unfinished { name: String, solved: usize, n_layers: usize },
    /// A run that kept some of its layers only.
    Discarded { name: String, kept: usize, n_layers: usize },
    /// A book, where all layers are needed.
    PartOnly { name: String, held: usize, n_layers: usize },
    /// A line that is drawn already, or not of the board.
    NoSuchMove { position: String, line: LineIdx, n_lines: usize },
    /// A layer that the table does not have, in words.
    NoSuchLayer(String),
    /// A last-move penalty other than that of the scores.
    OtherPenalty { name: String, penalty: i32, asked: i32 },
    /// A directory that cannot be read.
    Read { path: PathBuf, source: io::Error },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::NotHeld { position, start } => {
                write!(f, "position {position} does not arise from {start}: ask a run of its own board and start")
            }
            Self::Space(error) => error.fmt(f),
            Self::TooLargeIndex { position, needed, allowed } => write!(
                f,
                "{position}: its index alone needs at least {} of memory, but {} are allowed",
                Bytes((*needed).into()),
                Bytes((*allowed).into())
            ),
            Self::TooLongPlan { position, allowed } => {
                write!(f, "{position}: planning it takes longer than {}", Time(*allowed))
            }
            Self::Stopped => f.write_str("stopped"),
            Self::Board(error) => error.fmt(f),
            Self::Foreign(text) => f.write_str(text),
            Self::Unfinished { name, solved, n_layers } => {
                write!(f, "{name}: only {solved} of {n_layers} layers are solved")
            }
            Self::Discarded { name, kept, n_layers } => write!(f, "{name} kept only {kept} of {n_layers} layers"),
            Self::PartOnly { name, held, n_layers } => {
                write!(f, "{name} holds only {held} of {n_layers} layers; use the run it was made from")
            }
            Self::NoSuchMove { line, n_lines, .. } if line >= n_lines => {
                write!(f, "there is no line {line}: the last one is {}", n_lines - 1)
            }
            Self::NoSuchMove { position, line, .. } => write!(f, "line {line} is drawn already in {position}"),
            Self::NoSuchLayer(text) => f.write_str(text),
            Self::OtherPenalty { name, penalty, asked } => {
                write!(f, "{name} was solved with last-move penalty {penalty}, not {asked}")
            }
            Self::Read { path, .. } => write!(f, "cannot read {}", path.display()),
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            Self::Read { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<StoreError> for TableError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<BoardError> for TableError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

impl From<SpaceError> for TableError {
    fn from(error: SpaceError) -> Self {
        match error {
            SpaceError::Spent { position, spent } => match spent {
                Spent::Bytes { needed, allowed } => Self::TooLargeIndex { position, needed, allowed },
                Spent::Time(allowed) => Self::TooLongPlan { position, allowed },
                Spent::Cancelled => Self::Stopped,
            },
            error => Self::Space(error),
        }
    }
}

/// Whether a score is in a layer that a book leaves out, or that a run did not keep.
pub fn is_beyond(error: &StoreError) -> bool {
    use StoreError::{BeyondBook, Discarded, Released};
    matches!(error, BeyondBook { .. } | Discarded { .. } | Released { .. })
}

impl TableError {
    /// Whether an answer needs layers that a book leaves out, or that a run did not keep.
    pub fn is_beyond(&self) -> bool {
        matches!(self, Self::Store(error) if is_beyond(error))
    }

    /// Whether the position does not arise from the start of the scores.
    pub fn is_not_held(&self) -> bool {
        matches!(self, Self::NotHeld { .. })
    }
}
