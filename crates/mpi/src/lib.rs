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

use std::time::Duration;

use dab_space::{Rules, Space};

mod error;
mod link;
mod manager;
mod message;
mod worker;

#[cfg(feature = "mpi")]
mod processes;

pub use error::ClusterError;
pub use link::{Link, Processes, Report};
pub use manager::manage;
pub use message::Message;
#[cfg(feature = "mpi")]
pub use processes::join;
pub use worker::work;

/// The parts of a solve that all its processes know.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The positions.
    pub space: &'a Space,
    /// Rules that the space leaves open.
    pub rules: Rules,
    /// Bytes for decoded slabs of this process.
    pub budget: u64,
    /// Time for which another process may be silent, and which a slab may take beyond the expected time.
    pub patience: Duration,
}

/// Time between two signs of life of a process, and between two looks for those of others.
const PULSE: Duration = Duration::from_secs(1);
/// Sleep between two looks for messages.
const PAUSE: Duration = Duration::from_millis(1);

/// Joins nobody: messages by MPI are not built in.
#[cfg(not(feature = "mpi"))]
pub fn join(_patience: Duration, _report: Report) -> Option<Box<dyn Processes>> {
    None
}

#[cfg(test)]
#[path = "../tests/threads.rs"]
mod tests;
