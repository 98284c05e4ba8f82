//! Why a table has no answer.

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use dab_board::{BoardError, IllegalMove, errors};
use dab_space::{SpaceError, Spent};
use dab_store::StoreError;

use crate::figures::{Bytes, Time};

errors! {
    /// Errors of opening and asking tables.
    #[derive(Debug)]
    pub enum TableError {
        /// A file is missing, damaged or of another kind, or its device failed.
        Store(error: StoreError) => "{error}";
        /// The position does not arise from the start of the table.
        NotHeld { position: String, start: String } =>
            "position {position} does not arise from {start}: ask a run of its own board and start";
        /// A board that is too large or of a kind that cannot be indexed.
        Space(error: SpaceError) => "{error}";
        /// A plan or an index that cannot do with the bytes of memory that it may use.
        TooLargeIndex { position: String, needed: u64, allowed: u64 } =>
            "{position}: its index alone needs at least {} of memory, but {} are allowed",
            Bytes((*needed).into()), Bytes((*allowed).into());
        /// A plan or an index that takes too long.
        TooLongPlan { position: String, allowed: Duration } =>
            "{position}: planning it takes longer than {}", Time(*allowed);
        /// An index that nobody wants any more.
        Stopped => "stopped";
        /// A position that cannot be.
        Board(error: BoardError) => "{error}";
        /// A run or a book of a game, or of an order of positions, that this version does not know; the text names it.
        Foreign(text: String) => "{text}";
        /// A run some of whose layers are not solved yet.
        Unfinished { name: String, solved: usize, n_layers: usize } =>
            "{name}: only {solved} of {n_layers} layers are solved";
        /// A run that kept some of its layers only.
        Discarded { name: String, kept: usize, n_layers: usize } => "{name} kept only {kept} of {n_layers} layers";
        /// A book, where all layers are needed.
        PartOnly { name: String, held: usize, n_layers: usize } =>
            "{name} holds only {held} of {n_layers} layers; use the run it was made from";
        /// A line that is drawn already, or not of the board.
        NoSuchMove { position: String, error: IllegalMove } => "{error}{}", place_of(*error, position);
        /// A layer that the table does not have, in words.
        NoSuchLayer(text: String) => "{text}";
        /// A last-move penalty other than that of the scores.
        OtherPenalty { name: String, penalty: i32, asked: i32 } =>
            "{name} was solved with last-move penalty {penalty}, not {asked}";
        /// A directory that cannot be read.
        Read { path: PathBuf, source: io::Error } => "cannot read {}", path.display();
    }
}

/// The position of an illegal move, where its text says nothing of the board.
fn place_of(error: IllegalMove, position: &str) -> String {
    if matches!(error, IllegalMove::Drawn { .. }) { format!(" in {position}") } else { String::new() }
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
