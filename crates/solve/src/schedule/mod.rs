//! The order in which slabs are solved, and the slabs that may be dropped meanwhile.

pub mod pieces;
pub mod queue;
pub mod reads;
pub(crate) mod reference_counts;
pub(crate) mod shared_run;
pub mod sweep;
