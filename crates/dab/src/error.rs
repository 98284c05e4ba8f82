//! The errors of this crate.

use std::path::PathBuf;

/// An error of opening, asking or solving.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A run or book could not be read or written.
    #[error("{}", path.display())]
    At {
        /// The file or directory.
        path: PathBuf,
        /// Its error.
        source: Box<Error>,
    },
    /// A run directory or book file is damaged or of another kind, or its device failed.
    #[error(transparent)]
    Store(#[from] dab_store::StoreError),
    /// The scores could not answer.
    #[error(transparent)]
    Book(#[from] dab_book::BookError),
    /// A solve failed or was cancelled.
    #[error(transparent)]
    Solve(#[from] dab_solve::SolveError),
    /// The start or the space is too large or of a kind that cannot be indexed.
    #[error(transparent)]
    Space(#[from] dab_space::SpaceError),
    /// A text is in no notation, or breaks its rules.
    #[error(transparent)]
    Notation(#[from] dab_board::notation::NotationError),
    /// A board or a position on it cannot be.
    #[error(transparent)]
    Board(#[from] dab_board::BoardError),
    /// A text charges another last-move penalty than was asked for.
    #[error(transparent)]
    Penalty(#[from] crate::text::PenaltyTold),
    /// A file with a graph cannot be read.
    #[error("cannot read the graph file {file}: {source}")]
    GraphFile {
        /// The file.
        file: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file that should describe a graph is not text.
    #[error("{file} is no graph file: it is not text")]
    NotText {
        /// The file.
        file: String,
    },
    /// A file that should describe a graph describes none.
    #[error("{file}: {source}")]
    Graph {
        /// The file.
        file: String,
        /// The error in it.
        source: dab_board::BoardError,
    },
    /// A run or a book that should be of a graph is of another board.
    #[error("{file} holds {start}, which is no graph")]
    NotAGraph {
        /// The run or book.
        file: String,
        /// Its start.
        start: String,
    },
}
