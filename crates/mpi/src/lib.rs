//! A run solved by many processes that share its directory.
//!
//! ```text
//!    rank 0     manager ── pieces to solve ──► workers        messages: a few numbers
//!    (works,    of a layer ◄──── done ──────── rank 1, 2, …
//!     too)         │                              │           scores go through the directory
//!              score file                     score files
//! ```
//! Layers are solved one after the other. Idle threads of all processes solve the pieces of a layer
//! ([`dab_solve::schedule::pieces`]), each process puts the slabs into a score file of its own ([`LayerShare`](dab_store::LayerShare)),
//! and all read the files of the others while these grow ([`FollowedRun`](dab_store::FollowedRun)). While a layer is solved, the files
//! of the layer before it are completed and the manager lists them. It solves a layer of a single piece alone, without messages.
//!
//! [`manage`] and [`work`] know nothing of MPI: they send and receive through a [`Link`]. A process that fails reports
//! the error and ends all others. A process that is silent for too long is an error of the process that listens.
#![forbid(unsafe_code)]

mod error;
mod link;
mod manager;
mod message;
mod pool;
mod task;
mod worker;

#[cfg(feature = "mpi")]
mod processes;

pub use error::ClusterError;
pub use link::{Link, Processes};
pub use manager::manage;
pub use message::Message;
#[cfg(feature = "mpi")]
pub use processes::join;
pub use task::Task;
pub use worker::work;

/// Joins nobody: messages by MPI are not built in.
#[cfg(not(feature = "mpi"))]
pub fn join(
    _patience: std::time::Duration,
    _report: fn(rank: usize, why: &ClusterError) -> u8,
) -> Option<Box<dyn Processes>> {
    None
}
