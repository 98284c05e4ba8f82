//! A run solved by many processes that share its directory.
//!
//! ```text
//!    rank 0     manager ── pieces to solve ──► workers        messages: which piece, how many bytes, digests
//!    (works,    of a layer ◄── done, digest ── rank 1, 2, …
//!     too)         │                              │
//!               score files ◄── records ── slab files         scores go through the directory
//! ```
//! Layers are solved one after the other, the pieces of a layer ([`dab_solve::schedule::pieces`]) by whoever is idle. While a
//! layer is solved, the layer before it is still put together from its slab files; who reads it reads these. A layer
//! of a single piece is solved by the manager alone, without messages. Processes of the same machine find each other's
//! scores on a [`SharedSlabs`] as well, and read no files that they need not.
//!
//! [`manage`] and [`work`] know nothing of MPI: they send and receive through a [`Link`]. Whatever goes wrong anywhere
//! is an error of that process, which has to end all others; a process from which nothing is heard for too long is an
//! error of the one that listens.
#![forbid(unsafe_code)]

mod assemble;
mod error;
mod link;
mod manager;
mod message;
mod pool;
mod worker;

#[cfg(feature = "mpi")]
mod processes;

pub use error::ClusterError;
pub use link::Link;
pub use manager::manage;
pub use message::Message;
#[cfg(feature = "mpi")]
pub use processes::Processes;
pub use worker::work;

use std::time::Duration;

use dab_space::{Rules, Space};
use dab_store::SharedSlabs;

/// What all processes know.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The positions.
    pub space: &'a Space,
    /// What the space leaves open.
    pub rules: Rules,
    /// Bytes for decoded slabs of this process.
    pub budget: u64,
    /// What this process shares with others of its machine.
    pub shared_slabs: Option<&'a SharedSlabs>,
    /// Threads of this process.
    pub threads: usize,
    /// For how long another process may be silent. A piece may take so much longer than it should.
    pub patience: Duration,
}

/// How often a process says that it is alive, and looks whether others are.
const PULSE: Duration = Duration::from_secs(1);
/// How long a process sleeps between looking for messages while all its threads are at work.
const PAUSE: Duration = Duration::from_millis(1);
/// The same while a thread waits for work.
const SHORT_PAUSE: Duration = Duration::from_micros(100);
/// How many times as patient a process is while others make their tables.
const BEGINNING: u32 = 10;
