//! Where the memory goes.
//!
//! ```text
//!    the program, its threads, the index     always
//!    for each thread   the slab it solves, its record              2 * largest slab
//!                      a batch of slabs that it reads, decoded     2 * batch
//!    slabs that come before their turn, buffers to be used again   1/16 each
//!    slabs that are kept for other slabs to read                   the rest
//! ```
//! What is always there is measured; the rest is shared out of the budget, so that the budget holds.

/// Bytes of the program before it does anything.
const PROGRAM: u64 = 32 << 20;
/// Bytes of a thread: its stack, its buffers for blocks and what the allocator keeps for it.
const THREAD: u64 = 20 << 20;
/// Bytes that a listed configuration of a half takes: in the lists, in the table of ranks and in that of moves.
const CONFIGURATION: u64 = 48;
/// Most bytes of unused buffers.
const MOST_UNUSED: u64 = 256 << 20;
/// Most bytes of slabs that come before their turn.
const MOST_EARLY: u64 = 64 << 20;

/// Bytes that are taken whatever the budget, when the index lists so many configurations.
pub fn fixed(configurations: u64, threads: usize) -> u64 {
    (PROGRAM + threads as u64 * THREAD).saturating_add(configurations.saturating_mul(CONFIGURATION))
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
    /// Bytes of slabs that are kept.
    pub cache: u64,
    /// Bytes of all threads together.
    pub threads: u64,
}

impl Shares {
    /// The shares of `budget` bytes when the largest slab has `largest` positions. What threads need just to work
    /// they get, even beyond the budget.
    pub fn new(budget: u64, largest: u64, threads: usize) -> Self {
        let n_threads = threads as u64;
        let batch = largest.max(budget / 8 / n_threads);
        let (unused, early) = (MOST_UNUSED.min(budget / 16), MOST_EARLY.min(budget / 16));
        let threads = n_threads.saturating_mul(2).saturating_mul(largest.saturating_add(batch));
        let cache = budget.saturating_sub(threads.saturating_add(unused + early));
        Self { batch, early, unused, cache, threads }
    }

    /// The least budget that holds.
    pub fn least(largest: u64, threads: usize) -> u64 {
        // Threads take 4 slabs each; an eighth goes to other shares.
        let working = (threads as u64).saturating_mul(4).saturating_mul(largest);
        working.saturating_add(working / 7)
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
                    let Shares { early, unused, cache, threads: working, .. } = Shares::new(budget, largest, threads);
                    let all = working + unused + early + cache;
                    assert!(all <= budget.max(least), "{all} of {budget}");
                    assert!(all >= budget / 8 * 7 || cache == 0, "{all} of {budget}");
                }
            }
        }
    }
}
