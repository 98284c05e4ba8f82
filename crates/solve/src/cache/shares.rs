//! The shares of a budget of bytes for slabs.
//!
//! ```text
//!    for each thread   the slab it solves and its bytes in files, a batch of the slabs it reads   13/8 largest slab + batch
//!    of the rest       slabs that come before their turn, unused buffers                          1/16 each at most
//!                      tables of moves at the waist                                               1/4 at most
//!                      slabs that are kept for other slabs to read                                the remainder
//! ```

use dab_store::Buffer;

use crate::cost::constants::{GAPS_OF_CHECKS, GAPS_UNDER_A_BOUND, MOST_EARLY, MOST_UNUSED, SOLVED_EIGHTHS};

/// The parts of a budget of bytes for slabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Bytes of slabs that a thread reads at a time; one slab is read in any case.
    pub batch: u64,
    /// Bytes of encoded slabs that come before their turn.
    pub early: u64,
    /// Bytes of unused buffers.
    pub unused: u64,
    /// Bytes of slabs that are kept, and of tables of moves at the waist.
    pub kept: u64,
    /// Bytes of these tables at most.
    pub tables: u64,
    /// Bytes of all threads together, of slabs that are kept left out.
    pub threads: u64,
    /// Bytes of these for batches.
    pub lent: u64,
    /// Tenths of the bytes of small slabs that are lost between them.
    gaps: u64,
}

impl Shares {
    /// The shares of `budget` bytes when the largest slab has `largest` positions. Threads get the bytes that they
    /// need just to work, even beyond the budget.
    pub fn new(budget: u64, largest: u64, threads: usize) -> Self {
        let n_threads = threads as u64;
        let batch = largest.max(budget / 8 / n_threads);
        let threads = n_threads.saturating_mul((largest / 8 * SOLVED_EIGHTHS).saturating_add(batch));
        let rest = budget.saturating_sub(threads);
        let (unused, early) = (unused(rest, largest), MOST_EARLY.min(rest / 16));
        Self {
            batch,
            early,
            unused,
            kept: rest - (unused + early),
            tables: rest / 4,
            threads,
            lent: n_threads.saturating_mul(batch),
            gaps: GAPS_UNDER_A_BOUND,
        }
    }

    /// The same for checks of slabs, of which the large ones are worked on by all threads at a time: one is computed
    /// and compared, and most of the rest may be what it reads.
    pub fn of_checks(budget: u64, largest: u64) -> Self {
        let threads = largest.saturating_mul(2);
        let rest = budget.saturating_sub(threads);
        let unused = unused(rest, largest);
        let kept = rest - unused;
        Self {
            batch: largest.max(kept / 4 * 3),
            early: 0,
            unused,
            kept,
            tables: 0,
            threads,
            lent: 0,
            gaps: GAPS_OF_CHECKS,
        }
    }

    /// The shares where queries of single positions read slabs: all of the budget is for slabs that are kept.
    pub(crate) fn of_queries(budget: u64) -> Self {
        let gaps = GAPS_OF_CHECKS;
        Self { batch: 0, early: 0, unused: 0, kept: budget, tables: 0, threads: 0, lent: 0, gaps }
    }

    /// Bytes of slabs that are kept whatever the tables take.
    pub fn slabs(&self) -> u64 {
        self.kept - self.tables
    }

    /// Bytes of these where other processes of the machine see them, if there are any.
    pub fn shared_slabs(&self) -> u64 {
        self.slabs() / 4 * 3
    }

    /// Bytes of memory that a slab of `len` scores takes.
    pub(crate) fn taken(&self, len: usize) -> u64 {
        let len = len as u64;
        if len < Buffer::LEAST_MAP as u64 { len + len * self.gaps / 10 } else { len }
    }

    /// The least budget that holds.
    pub fn least(largest: u64, threads: usize) -> u64 {
        // The slabs that a batch is made of are kept as well while it is made.
        let eighths = SOLVED_EIGHTHS + 2 * 8;
        let working = (threads as u64).saturating_mul(largest.saturating_mul(eighths) / 8);
        working.saturating_add(working / 16)
    }
}

/// Bytes of unused buffers; small ones are left to the allocator.
fn unused(rest: u64, largest: u64) -> u64 {
    if largest < Buffer::LEAST_MAP as u64 { 0 } else { MOST_UNUSED.min(rest / 16) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_the_budget() {
        for largest in [1, 1000, 51_093_904] {
            for threads in [1, 2, 64] {
                let least = Shares::least(largest, threads);
                for budget in [least, least + least / 3, 10 * least, u64::MAX] {
                    for shares in [Shares::new(budget, largest, threads), Shares::of_checks(budget, largest)] {
                        let Shares { early, unused, kept, tables, threads: working, .. } = shares;
                        assert_eq!(working + unused + early + kept, budget);
                        assert!(kept - tables >= (budget - working) / 2);
                        assert!(shares.batch >= largest);
                    }
                }
            }
        }
    }
}
