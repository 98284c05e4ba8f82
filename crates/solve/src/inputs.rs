//! The slabs that a solve reads: in memory as long as they fit a budget, else read again from the store. Memory is that
//! of this process or a [`Shelf`], on which all processes of a machine find what one of them has solved or read.

use std::sync::Mutex;

use dab_space::Space;
use dab_store::{ScoreRead, Scores, Shelf, StoreError};
use rustc_hash::FxHashMap;

use crate::buffers::Buffers;
use crate::memory::Shares;

/// Names a slab: layer, and number within the layer.
pub type SlabId = (usize, usize);

/// A cache of decoded slabs in front of a store.
pub struct Inputs<'a> {
    space: &'a Space,
    store: &'a dyn ScoreRead,
    shares: Shares,
    shelf: Option<&'a Shelf>,
    cache: Mutex<Cache>,
    pub(crate) buffers: Buffers,
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
    used: u64,
}

impl<'a> Inputs<'a> {
    /// Slabs of `space` from `store`, with at most `budget` bytes of them in memory, threads' own included.
    pub fn new(space: &'a Space, store: &'a dyn ScoreRead, budget: u64) -> Self {
        let shares = Shares::new(budget, space.layout().largest_slab(), rayon::current_num_threads());
        let buffers = Buffers::new(shares.unused);
        Self { space, store, shares, shelf: None, cache: Mutex::default(), buffers }
    }

    /// The same slabs, those on a shelf from there; it has its share of the budget of every process.
    pub fn sharing(mut self, shelf: Option<&'a Shelf>) -> Self {
        self.shelf = shelf;
        if shelf.is_some() {
            self.shares.cache -= self.shares.shelf();
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
        if let Some(scores) = self.shelf.and_then(|shelf| shelf.slab(id.0, id.1)) {
            return Ok(scores);
        }
        let key = self.space.layout().layers()[id.0][id.1];
        let shape = self.space.shape(key);
        let used = self.buffers.take_used(shape.positions());
        let scores = self.store.read_slab_into(id.0, id.1, shape, used)?;
        Ok(self.keep(id, scores))
    }

    /// Bytes that tables of moves may take.
    pub(crate) fn table_bytes(&self) -> u64 {
        self.shares.tables
    }

    /// Keeps a slab that has just been computed; returns it as it is kept.
    pub fn keep(&self, id: SlabId, scores: Scores) -> Scores {
        if let Some(shared) = self.shelf.and_then(|shelf| shelf.put(id.0, id.1, &scores)) {
            self.buffers.give(scores);
            return shared;
        }
        let dropped = self.lock().insert(id, scores.clone(), self.shares.cache);
        dropped.into_iter().for_each(|scores| self.buffers.give(scores));
        scores
    }

    /// Begins a layer of a run that others solve, too: what the last one did not use will hardly be used again.
    pub fn enter(&self, layer: usize) {
        if let Some(shelf) = self.shelf {
            shelf.enter(layer);
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

    /// Bytes of slabs that are kept.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().expect("no thread panics while it holds the cache")
    }
}

impl Cache {
    fn touch(&mut self, id: SlabId) -> Option<Scores> {
        self.clock += 1;
        let entry = self.slabs.get_mut(&id)?;
        entry.used = self.clock;
        Some(entry.scores.clone())
    }

    /// Returns what had to go.
    fn insert(&mut self, id: SlabId, scores: Scores, budget: u64) -> Vec<Scores> {
        self.clock += 1;
        self.bytes += scores.len() as u64;
        if let Some(old) = self.slabs.insert(id, Entry { scores, used: self.clock }) {
            self.bytes -= old.scores.len() as u64;
        }
        if self.bytes > budget { self.evict(budget) } else { Vec::new() }
    }

    /// Drops what was not used for longest, down to nine tenths of the budget so that this happens rarely.
    fn evict(&mut self, budget: u64) -> Vec<Scores> {
        let mut by_age: Vec<(u64, SlabId)> = self.slabs.iter().map(|(&id, entry)| (entry.used, id)).collect();
        by_age.sort_unstable();
        let mut dropped = Vec::new();
        for (_, id) in by_age {
            if self.bytes <= budget / 10 * 9 {
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
        self.bytes -= entry.scores.len() as u64;
        Some(entry.scores)
    }
}
