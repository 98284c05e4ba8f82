//! Backward induction: the score of every position of a space.
//!
//! ```text
//!    layer L (nothing left to draw) ─► layer L-1 ─► … ─► layer 0 (the start)
//!       slabs of a layer in parallel, each from slabs of the layers above it
//! ```
//! The rooms use each other in one direction:
//! ```text
//!    kernel   the scores of one slab, and the slabs that it reads
//!    graph    the order of all slabs, and what reads what
//!    cache    slabs in memory, within a budget
//!    schedule which slab is solved when, by which thread of which process
//!    plan     memory, time and disk: the schedule run dry
//! ```
//! [`verify`] re-derives stored scores, [`naive`] is the oracle for small boards.
#![deny(unsafe_code)]

pub(crate) mod cache;
pub(crate) mod graph;
pub mod kernel;
pub mod naive;
pub mod plan;
pub(crate) mod schedule;
pub mod verify;

mod constants;
mod error;
mod observer;

pub use cache::shares::{Shares, Size};
pub use cache::slab_keeper::SlabKeeper;
pub use error::SolveError;
pub use kernel::source::SlabSource;
pub use observer::Observer;
pub use plan::Plan;
pub use schedule::given::{Given, solve_given};
pub use schedule::others::{Desk, Others};
pub use schedule::sweep::{solve, solve_with, solve_with_others};

#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
