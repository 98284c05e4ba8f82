//! Why a book has no answer.

use dab_store::StoreError;
use thiserror::Error;

/// Errors of questions to a book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The position does not arise from the start of the book.
    #[error("position {position} does not arise from {start}: ask a run of its own board and start")]
    NotHeld {
        /// The position.
        position: String,
        /// The start of the book.
        start: String,
    },
    /// A file is missing or damaged.
    #[error("{0}")]
    Store(#[from] StoreError),
}
