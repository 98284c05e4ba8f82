//! The limits of a solve or a check: threads, memory and time.

use std::time::Duration;

use dab_solve::cost::plan::Plan;
use dab_space::Units;

use crate::Error;
use crate::machine::available_memory;

/// The limits of solves on demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads of a solve.
    pub threads: usize,
    /// Bytes of memory of a solve, its scores included; beyond them scores go to temporary files.
    pub memory: u64,
    /// The most time that a solve may take by its plan, which is right within a factor of 2.
    pub time: Duration,
}

impl Limits {
    /// So many threads and bytes of memory, and ten minutes.
    pub fn new(threads: usize, memory: u64) -> Self {
        Self { threads, memory, time: Duration::from_secs(600) }
    }
}

impl Default for Limits {
    /// All threads, half of the free memory, ten minutes.
    fn default() -> Self {
        Self::new(rayon::current_num_threads(), available_memory() / 2)
    }
}

/// Checks that `memory` bytes are enough for `n_threads` threads to solve or check every position of a plan.
///
/// # Errors
/// [`Error::TooLittleMemory`].
pub(crate) fn check_memory(plan: &Plan, units: &Units, n_threads: usize, memory: u64) -> Result<(), Error> {
    let needed = plan.least_memory(n_threads);
    if needed <= memory {
        return Ok(());
    }
    Err(Error::TooLittleMemory {
        start: units.start().to_string(),
        space: units.kind(),
        positions: plan.positions(),
        needed,
        n_threads,
        allowed: memory,
        free: available_memory(),
    })
}
