//! Where the memory goes.
//!
//! ```text
//!    the program, its threads, the index     always
//!    for each thread   the slab it solves, one that it turns, a batch of those that it reads    2 * largest slab + batch
//!    of the rest       slabs that come before their turn, unused buffers                        1/8 each at most
//!                      tables of moves at the waist                                             1/4 at most
//!                      slabs that are kept for other slabs to read                              what these leave
//! ```
//! What is always there is measured, with room for what the allocator cannot use; the rest is shared out of the budget,
//! so that the budget holds. Where nothing bounds it, a solve takes what [`unbounded`] says.

use crate::live::Live;

/// Bytes of the program, of what the allocator keeps for it, and of small tables.
const PROGRAM: u64 = 72 << 20;
/// Bytes of a thread: its stack and its buffers for blocks.
const THREAD: u64 = 24 << 20;
/// Bytes that a listed configuration of a half takes: in the lists, in the table of ranks, in those of moves and maps.
const CONFIGURATION: u64 = 160;
/// Most bytes of unused buffers.
pub(crate) const MOST_UNUSED: u64 = 256 << 20;
/// Most bytes of slabs that come before their turn.
const MOST_EARLY: u64 = 64 << 20;

/// Bytes that are taken whatever the budget, when the index lists so many configurations.
pub fn fixed(configurations: u64, threads: usize) -> u64 {
    (PROGRAM + threads as u64 * THREAD).saturating_add(index(configurations))
}

/// Bytes of an index that lists so many configurations.
pub fn index(configurations: u64) -> u64 {
    configurations.saturating_mul(CONFIGURATION)
}

/// The index as far as it takes memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSize {
    /// Configurations that it lists.
    pub configurations: u64,
    /// Waist units that end in a half.
    pub stubs: u64,
}

/// Bytes that a solve takes when it may use any memory: what is resident at most, the binary included. The constants are
/// fitted to solves of 17 to 2,000 MB with two threads and without huge pages.
pub fn unbounded(index: IndexSize, live: Live, working: u64) -> u64 {
    // The binary, its libraries, what is read at the beginning.
    let program = 15_000_000;
    // Lists, moves, maps, and for each stub what is on it; moves at the waist.
    let index = index.configurations * (170 + 16 * index.stubs) + 20 * live.class_pairs;
    // What small slabs leave behind is too small for others.
    let holes = live.small / 5 * 2;
    (program + index + holes + live.bytes).saturating_add(working)
}

/// Bytes that are resident at most of `bound` bytes that a solve is allowed and could use: 0.84 to 0.94 of them were.
pub fn bounded(bound: u64) -> u64 {
    bound / 100 * 92
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
}

impl Shares {
    /// The shares of `budget` bytes when the largest slab has `largest` positions. What threads need just to work
    /// they get, even beyond the budget.
    pub fn new(budget: u64, largest: u64, threads: usize) -> Self {
        let n_threads = threads as u64;
        let batch = largest.max(budget / 8 / n_threads);
        let threads = n_threads.saturating_mul((2 * largest).saturating_add(batch));
        let rest = budget.saturating_sub(threads);
        let (unused, early) = (MOST_UNUSED.min(rest / 8), MOST_EARLY.min(rest / 8));
        Self {
            batch,
            early,
            unused,
            kept: rest - (unused + early),
            tables: rest / 4,
            threads,
            lent: n_threads.saturating_mul(batch),
        }
    }

    /// The same for checks of slabs, of which the large ones are worked on by all threads at a time: one is computed
    /// and compared, and most of the rest may be what it reads.
    pub fn of_checks(budget: u64, largest: u64) -> Self {
        let threads = 2 * largest;
        let rest = budget.saturating_sub(threads);
        let unused = MOST_UNUSED.min(rest / 8);
        let kept = rest - unused;
        Self { batch: largest.max(kept / 4 * 3), early: 0, unused, kept, tables: 0, threads, lent: 0 }
    }

    /// Bytes of slabs that are kept where other processes of the machine see them, if there are any.
    pub fn shelf(&self) -> u64 {
        (self.kept - self.tables) / 4 * 3
    }

    /// The least budget that holds.
    pub fn least(largest: u64, threads: usize) -> u64 {
        let working = (threads as u64).saturating_mul(3).saturating_mul(largest);
        working.saturating_add(working / 16)
    }
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
