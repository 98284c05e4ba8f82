//! Why a table has no answer.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use dab_board::BoardError;
use dab_space::{SpaceError, Spent};
use dab_store::StoreError;
use thiserror::Error;

use crate::figures::{Bytes, Time};

/// Errors of opening and asking tables.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the text of an error says what its fields are")]
pub enum TableError {
    /// A file is missing, damaged or of another kind, or its device failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The position does not arise from the start of the table.
    #[error("position {position} does not arise from {start}: ask a run of its own board and start")]
    NotHeld { position: String, start: String },
    /// A board that is too large or of a kind that cannot be indexed.
    #[error(transparent)]
    Space(SpaceError),
    /// A plan or an index that cannot do with the memory that it may use.
    #[error(
        "{position}: its index alone needs at least {} of memory, but {} are allowed",
        Bytes((*needed).into()), Bytes((*allowed).into())
    )]
    TooLargeIndex {
        position: String,
        /// Bytes needed at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A plan or an index that takes too long.
    #[error("{position}: planning it takes longer than {}", Time(*allowed))]
    TooLongPlan { position: String, allowed: Duration },
    /// An index that nobody wants any more.
    #[error("stopped")]
    Stopped,
    /// A position that cannot be.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A run or a book of a game, or of an order of positions, that this version does not know; the text names it.
    #[error("{0}")]
    Foreign(String),
    /// A run some of whose layers are not solved yet.
    #[error("{name}: only {solved} of {n_layers} layers are solved")]
    Unfinished { name: String, solved: usize, n_layers: usize },
    /// A run that kept some of its layers only.
    #[error("{name} kept only {kept} of {n_layers} layers")]
    Discarded { name: String, kept: usize, n_layers: usize },
    /// A book, where all layers are needed.
    #[error("{name} holds only {held} of {n_layers} layers; use the run it was made from")]
    PartOnly { name: String, held: usize, n_layers: usize },
    /// A layer that the table does not have, in words.
    #[error("{0}")]
    NoSuchLayer(String),
    /// A last-move penalty other than that of the scores.
    #[error("{name} was solved with last-move penalty {penalty}, not {asked}")]
    OtherPenalty { name: String, penalty: i32, asked: i32 },
    /// A directory that cannot be read.
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
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
