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
}
