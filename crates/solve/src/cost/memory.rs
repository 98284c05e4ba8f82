//! Where the memory goes.
//!
//! ```text
//!    the program, its threads, the index     always
//!    for each thread   the slab it solves and its bytes in files, a batch of what it reads      13/8 largest slab + batch
//!    of the rest       slabs that come before their turn, unused buffers                        1/16 each at most
//!                      tables of moves at the waist                                             1/4 at most
//!                      slabs that are kept for other slabs to read                              what these leave
//! ```
//! What is always there is measured, with room for what the allocator cannot use; the rest is shared out of the budget,
//! so that the budget holds. Where nothing bounds it, a solve takes what [`unbounded`] says.

use dab_store::Buffer;

use crate::cost::peak_memory::PeakMemory;

/// Bytes of the binary, of its libraries, and of what is read at the beginning.
const PROGRAM: u64 = 14_000_000;
/// Bytes of small tables, and of what the allocator keeps.
const MARGIN: u64 = 21 << 20;
/// Bytes of a thread: its stack and its buffers for blocks.
const THREAD: u64 = 8 << 20;
/// Most bytes of unused buffers.
pub(crate) const MOST_UNUSED: u64 = 256 << 20;
/// Most bytes of slabs that come before their turn.
const MOST_EARLY: u64 = 64 << 20;

/// Bytes that are taken whatever the budget.
pub fn fixed(index: IndexSize, threads: usize) -> u64 {
    (PROGRAM + MARGIN + threads as u64 * THREAD).saturating_add(index.bytes())
}

/// Tenths of the bytes of small slabs that are lost between them: what one leaves is too small for others.
const GAPS: u64 = 3;
/// The same where they are dropped when others need room, and where they come and go in no order.
const GAPS_UNDER_A_BOUND: u64 = 5;
const GAPS_OF_CHECKS: u64 = 12;

/// The index as far as it takes memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSize {
    /// Configurations that it lists.
    pub configurations: u64,
    /// Waist units that end in a half.
    pub stubs: u64,
    /// Stored slabs.
    pub slabs: u64,
}

impl IndexSize {
    /// Bytes of lists, moves, maps, and for each stub of what is on it; of what is noted of a slab.
    pub fn bytes(self) -> u64 {
        self.configurations.saturating_mul(170 + 16 * self.stubs).saturating_add(200 * self.slabs)
    }
}

/// Bytes that a solve takes when it may use any memory: what is resident at most, the binary included. The constants are
/// fitted to solves of 10 to 2,000 MB with two threads and without huge pages.
pub fn unbounded(index: IndexSize, live: PeakMemory, working: u64) -> u64 {
    let tables = 20 * live.class_pairs;
    (PROGRAM + index.bytes() + tables + live.bytes + live.small * GAPS / 10).saturating_add(working)
}

/// Bytes that are resident at most of `bound` bytes that a solve is allowed and could use: 0.81 to 0.86 of them were on 3x5,
/// whose slabs are below a megabyte and leave less between them than is feared, and 0.85 to 0.97 where they are larger.
pub fn bounded(bound: u64, largest: u64) -> u64 {
    bound / 100 * if largest < 1 << 20 { 83 } else { 93 }
}

/// How a budget of bytes for slabs is shared out.
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
    /// The shares of `budget` bytes when the largest slab has `largest` positions. What threads need just to work
    /// they get, even beyond the budget.
    pub fn new(budget: u64, largest: u64, threads: usize) -> Self {
        let n_threads = threads as u64;
        let batch = largest.max(budget / 8 / n_threads);
        // In files a score takes 2.5 bits of large slabs: what is written, and what was read last.
        let threads = n_threads.saturating_mul((largest / 8 * 13).saturating_add(batch));
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
        // What a batch is made of is kept as well while it is made.
        let working = (threads as u64).saturating_mul(largest.saturating_mul(29) / 8);
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
