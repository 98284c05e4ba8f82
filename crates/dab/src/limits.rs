//! The limits of a solve or a check: threads, memory and time; and the budget of a plan.

use std::time::Duration;

use dab_solve::plan::Plan;
use dab_space::{SpaceKind, Units};
use dab_table::{IndexLimits, Tablebase, available_memory};

use crate::figures::{Count, Size, plural};
use crate::{Error, ErrorKind, Remedy};

/// The limits of a solve, of solves on demand, and of what else takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads of a solve.
    pub threads: usize,
    /// Bytes of memory of a solve, its scores included; beyond them scores go to temporary files.
    pub memory: u64,
    /// Bytes of the files of a solve: of its run, or of temporary ones.
    pub disk: u64,
    /// The most time that a solve on demand may take by its plan, which is right within a factor of 2.
    pub time: Duration,
    /// The most time that planning it, or making the index of a run or a book, may take.
    pub planning: Duration,
}

impl Limits {
    /// So many threads and bytes of memory, all that is free on disk, ten minutes for a solve and two for its plan.
    pub fn new(threads: usize, memory: u64) -> Self {
        Self { threads, memory, disk: u64::MAX, time: Duration::from_secs(600), planning: IndexLimits::TIME }
    }
}

impl From<Limits> for IndexLimits {
    fn from(limits: Limits) -> Self {
        Self { memory: limits.memory, time: limits.planning }
    }
}

impl Default for Limits {
    /// All threads, half of the memory that can be had, all that is free on disk, ten minutes for a solve and two for its plan.
    fn default() -> Self {
        Self::new(rayon::current_num_threads(), available_memory() / 2)
    }
}

/// Checks that the memory of the limits is enough to solve or check every position of a plan, and for `kept` bytes of scores
/// beside them.
///
/// # Errors
/// If they are not, with [`Remedy::MoreMemoryOrLess`].
pub(crate) fn check_memory(plan: &Plan, units: &Units, limits: Limits, kept: u128) -> Result<(), Error> {
    let Limits { threads: n_threads, memory, .. } = limits;
    let kept = kept.min(u64::MAX.into()) as u64;
    let needed = plan.least_memory(n_threads).saturating_add(kept);
    if needed <= memory {
        return Ok(());
    }
    let (start, space, positions) = (units.start().to_string(), units.kind(), Count(plan.positions()));
    let threads = plural(n_threads as u64, "thread");
    let (allowed, free) = (Size(memory), Size(available_memory()));
    let what = format!(
        "{start} ({space} space): {positions} positions need more memory with {threads}: {allowed} are allowed and {free} are free"
    );
    let remedy = Remedy::MoreMemoryOrLess { bytes: needed, is_full: space == SpaceKind::Full };
    Err(Error::new(ErrorKind::Limit, what).at(start).with(remedy))
}

/// The same for a table whose scores are checked.
pub(crate) fn check_table(table: &Tablebase, limits: Limits) -> Result<(), Error> {
    let layout = table.space().layout();
    check_memory(&Plan::new(layout), layout.units(), limits, 0)
}

/// Bytes for decoded slabs of a table, when the program may use the memory of the limits in all.
pub(crate) fn slab_budget(table: &Tablebase, limits: Limits) -> u64 {
    Plan::new(table.space().layout()).slab_budget(limits.memory, limits.threads)
}
