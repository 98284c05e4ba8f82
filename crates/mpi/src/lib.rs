//! A run solved by many processes that share its directory.
//!
//! ```text
//!    rank 0     manager ── slabs to solve ──► workers        messages: a few numbers
//!    (works,            ◄──── done ────────── rank 1, 2, …
//!     too)         │                             │           scores go through the directory
//!              score file                    score files
//! ```
//! The manager solves stack by stack as a process on its own does ([`dab_solve::solve_with_others`]), and gives slabs that can be solved
//! to the workers, too. A worker solves what it is given, and puts it into a score file of its own ([`JoinedRun`](dab_store::JoinedRun)); all
//! read the files of the others while these grow. When a stack is solved, the workers complete their files and the manager lists them.
//!
//! [`manage`] and [`work`] know nothing of MPI: they send and receive through a [`Link`], from the thread that calls them; slabs are solved
//! by the threads of rayon. A process that fails reports the error and ends all others. A process that is silent for too long is an error
//! of the process that listens.
#![forbid(unsafe_code)]

mod error;
mod link;
mod manager;
mod message;
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
