//! Why a solve ends early.

use dab_space::{Layer, Space, caught};
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
    /// The program contradicts itself.
    #[error("{start}: a defect of dab ({what}): please report it with this start; all that is finished stays")]
    Defect {
        /// The start of the space.
        start: String,
        /// The text of the panic.
        what: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SolveError {
    /// The result of `work` on a space; a panic in it, on any thread, is an error that names the start.
    pub(crate) fn or_defect<T>(space: &Space, work: impl FnOnce() -> Result<T, Self>) -> Result<T, Self> {
        let start = || space.layout().units().start().to_string();
        caught(work).unwrap_or_else(|what| Err(Self::Defect { start: start(), what }))
    }
}
