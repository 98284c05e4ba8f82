//! Why a solve ends early.

use dab_space::Layer;
use dab_store::StoreError;
use thiserror::Error;

/// Errors of a solve.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The caller asked to stop.
    #[error("stopped at layer {layer}")]
    Stopped {
        /// The layer that was being solved.
        layer: Layer,
    },
    /// A stored score contradicts the rules.
    #[error(
        "layer {layer}, slab {slab}, row {row}, column {col} ({position}): stored score {stored}, derived {derived}"
    )]
    Wrong {
        /// Layer of the position.
        layer: Layer,
        /// Slab within the layer.
        slab: usize,
        /// Row within the slab.
        row: usize,
        /// Column within the slab.
        col: usize,
        /// The position.
        position: String,
        /// The score in the file.
        stored: i8,
        /// The score that follows from those above it.
        derived: i8,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    Store(#[from] StoreError),
}
