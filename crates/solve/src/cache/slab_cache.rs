//! The slabs that a solve reads: in memory as long as they fit a budget, else read again from the store. Memory is that
//! of this process or a [`SharedSlabs`], on which all processes of a machine find what one of them has solved or read.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use dab_space::{SlabId, SlabShape, Space};
use dab_store::{BLOCK_POSITIONS, Buffer, LayerSummary, ScoreRead, Scores, SharedSlabs, StoreError};
use rustc_hash::FxHashMap;

use crate::cache::buffer_pool::BufferPool;
use crate::cost::memory::Shares;

/// A cache of decoded slabs in front of a store.
pub struct SlabCache<'a> {
    space: &'a Space,
    store: &'a dyn ScoreRead,
    shares: Shares,
    /// Bytes of tables of moves.
    tables: AtomicU64,
    shared_slabs: Option<&'a SharedSlabs>,
    cache: Mutex<Cache>,
    pub(crate) buffers: BufferPool,
}

#[derive(Default)]
struct Cache {
    slabs: FxHashMap<SlabId, Entry>,
    bytes: u64,
    clock: u64,
    /// When the layer that is being solved was begun.
    layer_begin: u64,
}

struct Entry {
    scores: Scores,
    /// Of memory that it takes.
    bytes: u64,
    used: u64,
}

impl<'a> SlabCache<'a> {
    /// Slabs of `space` from `store`, with at most `budget` bytes of them in memory, threads' own included.
    pub fn new(space: &'a Space, store: &'a dyn ScoreRead, budget: u64) -> Self {
        let shares = Shares::new(budget, space.layout().largest_slab(), rayon::current_num_threads());
        Self::shared_out(space, store, shares)
    }

    /// The same for checks of slabs ([`Shares::of_checks`]).
    pub fn to_check(space: &'a Space, store: &'a dyn ScoreRead, budget: u64) -> Self {
        Self::shared_out(space, store, Shares::of_checks(budget, space.layout().largest_slab()))
    }

    fn shared_out(space: &'a Space, store: &'a dyn ScoreRead, shares: Shares) -> Self {
        let buffers = BufferPool::new(shares.unused.saturating_add(shares.lent));
        Self { space, store, shares, tables: AtomicU64::new(0), shared_slabs: None, cache: Mutex::default(), buffers }
    }

    /// The same slabs, those in shared memory from there; it has its share of the budget of every process.
    pub fn sharing(mut self, shared_slabs: Option<&'a SharedSlabs>) -> Self {
        self.shared_slabs = shared_slabs;
        if shared_slabs.is_some() {
            self.shares.kept -= self.shares.shared_slabs();
        }
        self
    }

    /// The positions.
    pub(crate) fn space(&self) -> &Space {
        self.space
    }

    /// Whether the store holds a layer.
    pub(crate) fn is_finished(&self, layer: usize) -> bool {
        self.store.is_finished(layer)
    }

    /// Bytes of slabs that a thread may read at a time.
    pub(crate) fn batch_bytes(&self) -> u64 {
        self.shares.batch
    }

    /// The scores of a stored slab.
    ///
    /// # Errors
    /// As [`ScoreRead::read_slab`].
    pub fn slab(&self, id: SlabId) -> Result<Scores, StoreError> {
        if let Some(scores) = self.lock().touch(id) {
            return Ok(scores);
        }
        if let Some(scores) = self.shared_slabs.and_then(|shared_slabs| shared_slabs.slab(id)) {
            return Ok(scores);
        }
        let key = self.space.layout().key(id);
        let shape = self.space.shape(key);
        // What has to go leaves its memory to what comes.
        self.evict_for(self.shares.taken(shape.positions()));
        let used = self.buffers.take_used(shape.positions());
        let scores = self.store.read_slab_into(id, shape, used)?;
        Ok(self.keep(id, scores))
    }

    /// Bytes that tables of moves may take.
    pub(crate) fn table_bytes(&self) -> u64 {
        self.shares.tables
    }

    /// Tables of moves now take so many bytes; slabs have the rest.
    pub(crate) fn tables_take(&self, bytes: u64) {
        self.tables.store(bytes, Ordering::Relaxed);
    }

    /// Keeps a slab that has just been computed; returns it as it is kept.
    pub fn keep(&self, id: SlabId, scores: Scores) -> Scores {
        if let Some(shared) = self.shared_slabs.and_then(|shared_slabs| shared_slabs.put(id, &scores)) {
            self.buffers.give(scores);
            return shared;
        }
        let bytes = self.shares.taken(scores.len());
        self.lock().insert(id, scores.clone(), bytes);
        self.evict_for(0);
        scores
    }

    /// Makes room for `bytes` bytes more.
    fn evict_for(&self, bytes: u64) {
        let room = self.shares.kept.saturating_sub(self.tables.load(Ordering::Relaxed));
        let (dropped, free) = {
            let mut cache = self.lock();
            let dropped = if cache.bytes.saturating_add(bytes) > room { cache.evict(bytes, room) } else { Vec::new() };
            (dropped, room.saturating_sub(cache.bytes))
        };
        self.buffers.may_keep(free);
        dropped.into_iter().for_each(|scores| self.buffers.give(scores));
    }

    /// Takes back the memory of scores that a kernel computed and nobody keeps.
    pub fn take_back(&self, scores: Buffer) {
        self.buffers.give(scores.into());
    }

    /// Begins a layer of a run that others solve, too: what the last one did not use will hardly be used again.
    pub fn enter(&self, layer: usize) {
        if let Some(shared_slabs) = self.shared_slabs {
            shared_slabs.enter(layer);
        }
        let dropped = self.lock().next_layer();
        dropped.into_iter().for_each(|scores| self.buffers.give(scores));
    }

    /// Drops slabs that nobody reads any more.
    pub(crate) fn drop_slabs(&self, ids: &[SlabId]) {
        let dropped: Vec<Scores> = {
            let mut cache = self.lock();
            ids.iter().filter_map(|&id| cache.remove(id)).collect()
        };
        dropped.into_iter().for_each(|scores| self.buffers.give(scores));
    }

    /// Scores of slabs that are kept.
    #[cfg(test)]
    pub(crate) fn scores(&self) -> u64 {
        self.lock().slabs.values().map(|entry| entry.scores.len() as u64).sum()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().expect("no thread panics while it holds the cache")
    }
}

/// Slabs from the cache; if less is wanted of one than a score of each block, it is not decoded as a whole.
impl ScoreRead for SlabCache<'_> {
    fn read_slab(&self, id: SlabId, _shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.slab(id)
    }

    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        let is_worth_keeping = places.len() >= shape.positions().div_ceil(BLOCK_POSITIONS as usize);
        match if is_worth_keeping { Some(self.slab(id)?) } else { self.lock().touch(id) } {
            Some(scores) => Ok(places.iter().map(|&place| scores[place]).collect()),
            None => self.store.read_scores(id, shape, places),
        }
    }

    fn finished(&self, layer: usize) -> Option<LayerSummary> {
        self.store.finished(layer)
    }
}

impl Cache {
    fn touch(&mut self, id: SlabId) -> Option<Scores> {
        self.clock += 1;
        let entry = self.slabs.get_mut(&id)?;
        entry.used = self.clock;
        Some(entry.scores.clone())
    }

    fn insert(&mut self, id: SlabId, scores: Scores, bytes: u64) {
        self.clock += 1;
        self.bytes += bytes;
        if let Some(old) = self.slabs.insert(id, Entry { scores, bytes, used: self.clock }) {
            self.bytes -= old.bytes;
        }
    }

    /// Drops what was not used for longest, so that with `more` bytes nine tenths of the room are taken, and this
    /// happens rarely. What somebody holds stays: dropping it would not free it.
    fn evict(&mut self, more: u64, room: u64) -> Vec<Scores> {
        let unheld = self.slabs.iter().filter(|(_, entry)| !entry.scores.is_shared());
        let mut by_age: Vec<(u64, SlabId)> = unheld.map(|(&id, entry)| (entry.used, id)).collect();
        by_age.sort_unstable();
        let mut dropped = Vec::new();
        for (_, id) in by_age {
            if self.bytes.saturating_add(more) <= room / 10 * 9 {
                break;
            }
            dropped.extend(self.remove(id));
        }
        dropped
    }

    fn next_layer(&mut self) -> Vec<Scores> {
        let unused = self.slabs.iter().filter(|(_, entry)| entry.used < self.layer_begin).map(|(&id, _)| id);
        let unused: Vec<SlabId> = unused.collect();
        self.clock += 1;
        self.layer_begin = self.clock;
        unused.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    fn remove(&mut self, id: SlabId) -> Option<Scores> {
        let entry = self.slabs.remove(&id)?;
        self.bytes -= entry.bytes;
        Some(entry.scores)
    }
}
