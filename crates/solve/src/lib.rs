//! Backward induction: the score of every position of a space.
//!
//! ```text
//!    layer L (nothing left to draw) ─► layer L-1 ─► … ─► layer 0 (the start)
//!       slabs of a layer in parallel, each from slabs of the layers above it
//! ```
//! [`schedule`] goes through the layers, [`cache`] hands it the slabs it reads, [`kernel`] computes one slab.
//! [`cost`] forecasts memory, time and disk. [`verify`] re-derives stored scores, [`naive`] is the
//! oracle for small boards.
#![deny(unsafe_code)]

pub mod cache;
pub mod cost;
pub mod kernel;
pub mod naive;
pub mod schedule;
pub mod verify;

mod error;

pub use cache::shares::Shares;
pub use cache::slab_keeper::SlabKeeper;
pub use cost::peak_disk::PeakDisk;
pub use cost::peak_memory::PeakMemory;
pub use error::SolveError;
pub use kernel::source::SlabSource;
pub use schedule::discard_schedule::DiscardSchedule;
pub use schedule::observer::Observer;
pub use schedule::reference_counts::ReferenceCounts;
pub use schedule::sweep::{solve, solve_layer, solve_with};
