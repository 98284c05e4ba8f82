//! The keeper of the slabs of a solve or a check: the slab cache, within the [`shares`](super::shares) of a budget of bytes.

use std::sync::atomic::{AtomicU64, Ordering};

use dab_space::{SlabId, Space};
use dab_store::{Buffer, Crew, NextUse, ScoreRead, Scores, SlabCache, StoreError, Wanted};

use super::shares::{Shares, Size};
use crate::Observer;
use crate::kernel::source::{Lent, SlabSource};

/// The slab cache of a solve, with the shares of its budget.
pub struct SlabKeeper<'a> {
    space: &'a Space,
    cache: SlabCache<'a>,
    shares: Shares,
    /// Bytes of tables.
    tables: AtomicU64,
    observer: Option<&'a dyn Observer>,
}

impl<'a> SlabKeeper<'a> {
    /// The keeper of a solve: at most `budget` bytes of slabs are in memory, those in work by threads included.
    pub fn new(space: &'a Space, store: &'a dyn ScoreRead, budget: u64) -> Self {
        let shares = Shares::new(budget, space.layout().largest_slab(), rayon::current_num_threads());
        Self::with_shares(space, store, shares, Crew::Together)
    }

    /// The keeper of checks of slabs, with shares of memory for them.
    pub fn to_check(space: &'a Space, store: &'a dyn ScoreRead, budget: u64) -> Self {
        Self::with_shares(space, store, Shares::for_checks(budget, space.layout().largest_slab()), Crew::Alone)
    }

    /// A keeper with these shares, whose slabs are decoded by `crew`.
    pub(crate) fn with_shares(space: &'a Space, store: &'a dyn ScoreRead, shares: Shares, crew: Crew) -> Self {
        let cache = SlabCache::new((space, store), shares.cache_memory(), crew);
        Self { space, cache, shares, tables: AtomicU64::new(0), observer: None }
    }

    /// The same keeper of a solve that knows when slabs are read next, and that `observer` may cancel.
    pub(crate) fn that_knows(self, next_use: Option<NextUse<'a>>, observer: &'a dyn Observer) -> Self {
        Self { cache: self.cache.that_knows(next_use), observer: Some(observer), ..self }
    }

    /// The slabs that are kept.
    pub fn cache(&self) -> &SlabCache<'a> {
        &self.cache
    }

    /// The size of a slab that reads some others.
    pub(crate) fn size(&self, id: SlabId, reads: impl Iterator<Item = SlabId>) -> Size {
        self.shares.size_of(self.space.layout(), id, reads)
    }

    /// Lends a slab the memory that it takes in work.
    pub(crate) fn lend_to(&self, id: SlabId) -> Lent<'_> {
        let layout = self.space.layout();
        Lent::new(self, Shares::in_work(layout.positions(layout.key(id))))
    }
}

impl SlabSource for SlabKeeper<'_> {
    fn slab(&self, id: SlabId, wanted: &dyn Fn() -> Wanted) -> Result<Scores, StoreError> {
        self.cache.part(id, wanted)
    }

    fn buffer(&self, len: usize) -> Buffer {
        self.cache.buffer(len)
    }

    fn batch_bytes(&self, positions: u64) -> u64 {
        self.shares.batch(positions)
    }

    fn lend(&self, bytes: [u64; 2]) {
        self.cache.lend(bytes);
    }

    fn give_back(&self, bytes: [u64; 2]) {
        self.cache.give_back(bytes);
    }

    fn table_bytes(&self) -> u64 {
        self.shares.tables
    }

    fn set_table_bytes(&self, bytes: u64) {
        let before = self.tables.swap(bytes, Ordering::Relaxed);
        self.cache.lend([0, bytes.saturating_sub(before)]);
        self.cache.give_back([0, before.saturating_sub(bytes)]);
    }

    fn is_wanted(&self) -> bool {
        !self.observer.is_some_and(Observer::should_stop)
    }
}
