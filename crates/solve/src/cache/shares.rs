//! The shares of a budget of bytes for slabs.
//!
//! ```text
//!    for each thread   a small slab and its bytes in files, a batch of the slabs it reads         small
//!    of the rest       unused buffers                                                             1/16 at most
//!                      tables of moves at the waist                                               1/4 at most
//!                      while a large slab is in work, which all threads compute together: it,
//!                      its bytes in files, a batch of the slabs it reads                          11/8 of it + batch
//!                      slabs that are kept for other slabs to read                                the remainder
//! ```
//! Work is lent its memory when it needs it; till then kept slabs lie there, too. Slabs of a batch are kept ones, but for copies.
//! A slab is large if it, or a slab that it reads, does not fit the share of a thread. No slab is large where every thread
//! can have memory for the largest one: then side by side costs no more memory than one at a time, or the memory is ample.

use dab_space::{Layout, SlabId};
use dab_store::{Buffer, CacheMemory, SHARED_OUT};

use crate::constants::{GAPS_UNDER_A_BOUND, MOST_UNUSED, SOLVED_EIGHTHS};

/// Whether others help with a slab, and whether it is in work alone of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// One thread solves it.
    Small,
    /// One thread solves it; those that have nothing else to do help.
    Shared,
    /// All threads solve it together, and no other large one meanwhile.
    Large,
}

/// The parts of a budget of bytes for slabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Bytes of a thread: the slab that it solves alone, its bytes in files, and the slabs that it reads at a time.
    small: u64,
    /// Bytes of slabs that a large slab reads at a time; one slab is read in any case.
    batch: u64,
    /// Bytes of unused buffers.
    pub unused: u64,
    /// Bytes of slabs that are kept, of slabs in work, and of tables of moves at the waist.
    pub kept: u64,
    /// Bytes of these tables at most.
    pub tables: u64,
    /// Bytes of the largest large slab in work.
    large: u64,
    /// Bytes of all threads together.
    pub threads: u64,
    /// Tenths of the bytes of small slabs that are lost between them.
    gaps: u64,
}

impl Shares {
    /// The shares of `budget` bytes when the largest slab has `largest` positions. Threads get the bytes that they
    /// need just to work, even beyond the budget.
    pub(crate) fn new(budget: u64, largest: u64, threads: usize) -> Self {
        let n = threads as u64;
        let with = |batch: u64| solved(largest).saturating_add(batch);
        // Every thread solves any slab, or one large slab is solved at a time.
        let any = with(largest.max(budget / 8 / n));
        // A large slab is gone through once for each batch.
        let (few, batch) = (least_small(largest, n).max(budget / 16 / n), largest.max(budget / 4));
        let (side_by_side, in_turn) = (n.saturating_mul(any), n.saturating_mul(few).saturating_add(with(batch)));
        let (small, large) = if side_by_side <= in_turn { (any, 0) } else { (few, with(batch)) };
        let threads = n.saturating_mul(small);
        let rest = budget.saturating_sub(threads);
        let always = rest.saturating_sub(large);
        let unused = unused(always, largest);
        let (kept, tables) = ((rest - unused).saturating_add(threads), always / 4);
        Self { small, batch, unused, kept, tables, large, threads, gaps: GAPS_UNDER_A_BOUND }
    }

    /// The same for checks of slabs, of which the large ones are worked on by all threads at a time: one is computed
    /// and compared, and most of the rest may be what it reads.
    pub(crate) fn for_checks(budget: u64, largest: u64) -> Self {
        let threads = largest.saturating_mul(2);
        let rest = budget.saturating_sub(threads);
        let unused = unused(rest, largest);
        let kept = rest - unused;
        Self {
            small: 0,
            batch: largest.max(kept / 4 * 3),
            unused,
            kept,
            tables: 0,
            large: 0,
            threads,
            gaps: CacheMemory::GAPS_IN_NO_ORDER,
        }
    }

    /// The same shares after something else has taken `bytes` of the memory for kept slabs.
    pub(crate) fn without(self, bytes: u64) -> Self {
        Self { kept: self.kept.saturating_sub(bytes).max(self.tables.saturating_add(self.threads)), ..self }
    }

    /// The memory of the slab cache.
    pub(crate) fn cache_memory(&self) -> CacheMemory {
        CacheMemory { kept: self.kept, unused: self.unused, gaps: self.gaps }
    }

    /// The size of a slab of `positions`, which reads slabs of at most `most` positions.
    fn size(&self, positions: u64, most: u64) -> Size {
        match positions {
            _ if self.is_large(positions, most) => Size::Large,
            _ if positions >= SHARED_OUT as u64 => Size::Shared,
            _ => Size::Small,
        }
    }

    /// The size of a slab that reads some others.
    pub(crate) fn size_of(&self, layout: &Layout, id: SlabId, reads: impl Iterator<Item = SlabId>) -> Size {
        let positions = |id: SlabId| layout.positions(layout.key(id));
        self.size(positions(id), reads.map(positions).max().unwrap_or(0))
    }

    /// Bytes that a slab takes while it is in work: of large buffers, and of the allocator.
    pub(crate) fn in_work(positions: u64) -> [u64; 2] {
        let buffers = if positions < Buffer::LEAST_EXTENT as u64 { 0 } else { positions };
        [buffers, solved(positions).saturating_sub(buffers)]
    }

    /// Whether such a slab is solved by all threads together.
    fn is_large(&self, positions: u64, most: u64) -> bool {
        solved(positions).saturating_add(positions.max(most)) > self.small
    }

    /// Bytes of the slabs that a slab of `positions` reads at a time; it always reads one.
    pub(crate) fn batch(&self, positions: u64) -> u64 {
        if self.is_large(positions, 0) { self.batch } else { self.small - solved(positions) }
    }

    /// The same shares where every slab is large that takes more than `small` bytes.
    #[cfg(test)]
    pub(crate) fn with_small(self, small: u64, batch: u64) -> Self {
        Self { small, batch, ..self }
    }

    /// Bytes of slabs that are kept whatever tables and slabs in work take.
    pub(crate) fn slabs(&self) -> u64 {
        (self.kept - self.tables).saturating_sub(self.threads.saturating_add(self.large))
    }

    /// Bytes of the edges of a graph of slabs, at most.
    pub(crate) fn edges(&self) -> u64 {
        self.kept / 32
    }

    /// The least budget that holds.
    pub fn least(largest: u64, threads: usize) -> u64 {
        let (n, one) = (threads as u64, working(largest));
        let in_turn = one.saturating_add(n.saturating_mul(least_small(largest, n)));
        let working = n.saturating_mul(one).min(in_turn);
        working.saturating_add(working / 16)
    }

    /// The most positions of a slab for which `budget` bytes are enough.
    pub fn largest(budget: u64, threads: usize) -> u64 {
        // Solving a slab takes more bytes than it has positions.
        let (mut enough, mut beyond) = (0, budget.saturating_add(1));
        while beyond - enough > 1 {
            let middle = enough + (beyond - enough) / 2;
            if Self::least(middle, threads) <= budget { enough = middle } else { beyond = middle }
        }
        enough
    }
}

/// Bytes of a slab of `positions` while it is solved, without the slabs that it reads.
fn solved(positions: u64) -> u64 {
    positions / 8 * SOLVED_EIGHTHS
}

/// Least bytes with which a slab of `positions` is solved: a batch is in memory twice while it is made.
fn working(positions: u64) -> u64 {
    positions.saturating_mul(SOLVED_EIGHTHS + 2 * 8) / 8
}

/// Least bytes for the small slabs of a thread: together an eighth of those for the largest slab, unless these are not worth
/// the work of all threads.
fn least_small(largest: u64, n_threads: u64) -> u64 {
    working(largest / 8 / n_threads).max(working(SHARED_OUT as u64))
}

/// Bytes of unused buffers; small ones are left to the allocator.
fn unused(rest: u64, largest: u64) -> u64 {
    if largest < Buffer::LEAST_EXTENT as u64 { 0 } else { MOST_UNUSED.min(rest / 16) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_slabs_are_solved_in_turn_where_memory_is_short() {
        let largest = 51_093_904;
        for (budget, threads, is_large) in
            [(450 << 20, 1, false), (450 << 20, 2, true), (450 << 20, 64, true), (8 << 30, 2, false)]
        {
            let shares = Shares::new(budget, largest, threads);
            assert_eq!(shares.is_large(largest, largest), is_large, "{budget} {threads}");
            assert!(!shares.is_large(1 << 20, 1 << 20));
            assert_eq!(shares.is_large(1, largest), is_large, "{budget} {threads}");
            // Small slabs with their batches fit the share of a thread.
            for positions in [1, 1 << 20, 3 << 20].into_iter().filter(|&n| !shares.is_large(n, n)) {
                assert_eq!(solved(positions) + shares.batch(positions), shares.small);
            }
        }
        // The more threads, the more for small slabs; but threads do not multiply the largest slab.
        let large = 5_100_000_000;
        assert!(Shares::least(large, 64) < Shares::least(large, 1) * 5 / 4);
        assert!(Shares::least(large, 1) < Shares::least(large, 2));
    }

    #[test]
    fn shares_add_up_to_the_budget() {
        for largest in [1, 1000, 51_093_904] {
            for threads in [1, 2, 64] {
                let least = Shares::least(largest, threads);
                let most = Shares::largest(least, threads);
                assert!(most >= largest && Shares::least(most, threads) == least);
                for budget in [least, least + least / 3, 10 * least, u64::MAX] {
                    let (of_solve, of_checks) =
                        (Shares::new(budget, largest, threads), Shares::for_checks(budget, largest));
                    assert_eq!(of_solve.unused + of_solve.kept, budget);
                    assert_eq!(of_checks.threads + of_checks.unused + of_checks.kept, budget);
                    for shares in [of_solve, of_checks] {
                        assert!(shares.kept - shares.tables >= (budget - shares.threads) / 2);
                        assert!(shares.batch(largest) >= largest);
                    }
                }
            }
        }
    }
}
