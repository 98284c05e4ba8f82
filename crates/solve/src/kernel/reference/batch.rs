//! The slabs that moves lead to, as many at a time as fit in memory.

use std::sync::{Arc, Mutex};

use dab_space::{Half, PerHalf, SlabId, SlabKey, Space, Stored, UnitMask};
use dab_store::{Scores, StoreError};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kernel::source::SlabSource;

/// The slabs that moves are followed into: as many as fit, taken as they come up.
pub(super) struct Batch<'a> {
    inputs: &'a dyn SlabSource,
    /// Bytes.
    limit: u64,
    taken: Mutex<Taken>,
    /// Those of earlier batches.
    done: FxHashSet<SlabId>,
}

#[derive(Default)]
struct Taken {
    slabs: FxHashMap<SlabId, Scores>,
    bytes: u64,
    is_full: bool,
}

impl<'a> Batch<'a> {
    /// The first batch of at most `limit` bytes, and at least one slab.
    pub(super) fn first(inputs: &'a dyn SlabSource, limit: u64) -> Self {
        Self { inputs, limit, taken: Mutex::default(), done: FxHashSet::default() }
    }

    /// The scores of a slab, or `None` if it belongs to another batch. The answer stays the same throughout a batch.
    fn slab(&self, id: SlabId, positions: u64) -> Result<Option<Scores>, StoreError> {
        if self.done.contains(&id) {
            return Ok(None);
        }
        let mut taken = self.taken.lock().expect("no thread panics while it holds the batch");
        if let Some(scores) = taken.slabs.get(&id) {
            return Ok(Some(scores.clone()));
        }
        taken.is_full |= !taken.slabs.is_empty() && taken.bytes + positions > self.limit;
        if taken.is_full {
            return Ok(None);
        }
        let scores = self.inputs.slab(id)?;
        taken.bytes += positions;
        taken.slabs.insert(id, scores.clone());
        Ok(Some(scores))
    }

    /// Begins the next batch, if some slab has not been in one.
    pub(super) fn go_on(&mut self) -> bool {
        let taken = std::mem::take(self.taken.get_mut().expect("no thread panics while it holds the batch"));
        self.done.extend(taken.slabs.into_keys());
        taken.is_full
    }
}

/// A slab that moves lead to. A score lies at the sum of what the upper and the lower configuration say.
pub(super) struct Target<'a> {
    pub(super) key: SlabKey,
    pub(super) stored: Stored<'a>,
    pub(super) scores: Scores,
    pub(super) strides: PerHalf<usize>,
}

impl<'a> Target<'a> {
    /// The slab, unless it belongs to another batch.
    pub(super) fn new(space: &'a Space, batch: &Batch<'_>, key: SlabKey) -> Result<Option<Arc<Self>>, StoreError> {
        let stored = space.stored(key);
        let shape = space.shape(stored.key);
        let Some(scores) = batch.slab(stored.id, shape.positions() as u64)? else { return Ok(None) };
        let strides = PerHalf(if stored.swaps { [1, shape.cols()] } else { [shape.cols(), 1] });
        Ok(Some(Arc::new(Self { key, stored, scores, strides })))
    }

    /// The part of the place of a score that a configuration of a half decides.
    #[inline]
    pub(super) fn offset(&self, half: Half, config: UnitMask) -> usize {
        self.stored.place(half, config) * self.strides[half]
    }
}
