//! Decoded slabs of a run that many questions are asked of.
//!
//! A single question decodes one block. A slab that has been asked for as often as it has blocks is decoded as a whole
//! and kept, until the budget is spent; after that the rest is read block by block. So at most twice the work is done
//! that would have been best.
//!
//! Decoding a large slab takes longer than who asks one question can wait; where that matters a thread of its own does it,
//! and blocks are read until it has.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use dab_space::{SlabId, SlabShape, Space};
use dab_store::{BLOCK_POSITIONS, LayerSummary, ScoreRead, Scores, StoreError};

/// Scores of a store, with the slabs that are read often in memory.
pub struct Cache<'a> {
    space: &'a Space,
    scores: &'a dyn ScoreRead,
    layers: Vec<Vec<Slab>>,
    /// Bytes that may still be spent.
    budget: AtomicI64,
    /// The thread that decodes slabs, by layer and number, if there is one.
    decoder: OnceLock<Sender<SlabId>>,
}

#[derive(Default)]
struct Slab {
    reads: AtomicU32,
    scores: OnceLock<Scores>,
}

impl<'a> Cache<'a> {
    /// The scores of `space` in `scores`, with at most about `budget` bytes kept.
    pub fn new(space: &'a Space, scores: &'a dyn ScoreRead, budget: u64) -> Self {
        let slabs = |n: usize| std::iter::repeat_with(Slab::default).take(n).collect();
        let layers = space.layout().layers().iter().map(|keys| slabs(keys.len())).collect();
        let budget = AtomicI64::new(budget.min(i64::MAX as u64) as i64);
        Self { space, scores, layers, budget, decoder: OnceLock::new() }
    }

    /// From now on a thread of its own decodes slabs, and no question waits for that.
    pub fn decode_aside(&'static self) {
        let (sender, receiver) = channel();
        if self.decoder.set(sender).is_ok() {
            thread::spawn(move || {
                for id in receiver {
                    let shape = self.space.shape(self.space.layout().key(id));
                    // Whoever asks for what is damaged is told.
                    if let Ok(scores) = self.scores.read_slab(id, shape) {
                        let _ = self.slab(id).scores.set(scores);
                    }
                }
            });
        }
    }

    fn slab(&self, id: SlabId) -> &Slab {
        &self.layers[id.layer.0][id.slab]
    }

    /// Whether a slab that is read once more is to be kept; if so, its bytes are spent.
    fn is_worth(&self, slab: &Slab, positions: usize) -> bool {
        let other_blocks = positions.div_ceil(BLOCK_POSITIONS as usize) - 1;
        if slab.reads.fetch_add(1, Ordering::Relaxed) as usize != other_blocks {
            return false;
        }
        let bytes = positions as i64;
        let fits = self.budget.fetch_sub(bytes, Ordering::Relaxed) >= bytes;
        if !fits {
            self.budget.fetch_add(bytes, Ordering::Relaxed);
        }
        fits
    }
}

impl ScoreRead for Cache<'_> {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        match self.slab(id).scores.get() {
            Some(scores) => Ok(scores.clone()),
            None => self.scores.read_slab(id, shape),
        }
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        let kept = self.slab(id);
        if let Some(scores) = kept.scores.get() {
            return Ok(scores[row * shape.cols() + col]);
        }
        if self.is_worth(kept, shape.positions()) {
            let Some(decoder) = self.decoder.get() else {
                let scores = self.scores.read_slab(id, shape)?;
                return Ok(kept.scores.get_or_init(|| scores)[row * shape.cols() + col]);
            };
            // It goes on for as long as the program.
            let _ = decoder.send(id);
        }
        self.scores.read_score(id, shape, row, col)
    }

    fn finished(&self, layer: usize) -> Option<LayerSummary> {
        self.scores.finished(layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_solve::solve;
    use dab_space::{Rules, SpaceKind};
    use dab_store::MemoryStore;

    #[test]
    fn says_what_the_store_says() {
        let space = Space::new("2x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
        // The thread that decodes knows no end.
        let space: &'static Space = Box::leak(Box::new(space));
        let store: &'static MemoryStore = Box::leak(Box::new(MemoryStore::new(space.n_layers())));
        solve(space, Rules::new(space, 0).unwrap(), store, u64::MAX, &()).unwrap();
        let check = |cache: &Cache<'_>| {
            for (layer, keys) in space.layout().layers().iter().enumerate() {
                for (slab, &key) in keys.iter().enumerate() {
                    let shape = space.shape(key);
                    for (row, col) in (0..shape.rows()).flat_map(|row| (0..shape.cols()).map(move |col| (row, col))) {
                        let read =
                            |from: &dyn ScoreRead| from.read_score(SlabId::new(layer, slab), shape, row, col).unwrap();
                        assert_eq!(read(cache), read(store));
                    }
                }
            }
            cache.layers.iter().flatten().any(|slab| slab.scores.get().is_some())
        };
        for budget in [0, 1000, u64::MAX] {
            assert_eq!(check(&Cache::new(space, store, budget)), budget > 0);
        }
        let cache: &'static Cache<'static> = Box::leak(Box::new(Cache::new(space, store, u64::MAX)));
        cache.decode_aside();
        while !check(cache) {}
    }
}
