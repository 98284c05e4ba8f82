//! A run solved by many processes that share its directory.
//!
//! ```text
//!    rank 0     manager ── pieces to solve ──► workers        messages: pieces, lengths, digests
//!    (works,    of a layer ◄── done, digest ── rank 1, 2, …
//!     too)         │               slab files ◄───┘           scores go through the directory
//!               lists of slab files
//! ```
//! Layers are solved one after the other. Idle processes solve the pieces of a layer ([`dab_solve::schedule::pieces`]) and
//! write each into a slab file, which stays. While a layer is solved, the slab files of the layer before it are listed in its
//! score file. The manager solves a layer of a single piece alone, without messages. Processes of the same machine also
//! share decoded slabs in memory ([`SharedSlabs`](dab_store::SharedSlabs)), so that they read fewer files.
//!
//! [`manage`] and [`work`] know nothing of MPI: they send and receive through a [`Link`]. A process that fails reports
//! the error and ends all others. A process that is silent for too long is an error of the process that listens.
#![forbid(unsafe_code)]

mod error;
mod link;
mod list;
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
