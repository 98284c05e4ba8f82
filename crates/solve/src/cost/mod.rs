//! Memory, time and disk of a solve, foretold.

pub mod cluster;
mod density;
pub mod memory;
pub(crate) mod peak_memory;
pub mod plan;
