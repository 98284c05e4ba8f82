//! The slab cache answers as its store does, and decodes whole slabs only where that pays.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::solve;
use dab_space::{Layer, Rules, SlabId, SlabShape, Space, SpaceKind};
use dab_store::{IndexedScores, LayerSummary, MemoryStore, ScoreRead, Scores, SlabCache, StoreError};

/// A solved board, and the number of slabs of it that were read as a whole.
struct Counting {
    space: Space,
    store: MemoryStore,
    n_read: AtomicUsize,
}

impl Counting {
    fn new(start: &str) -> Self {
        let space = Space::new(start.parse().unwrap(), SpaceKind::Quiet).unwrap();
        let store = MemoryStore::new(space.n_layers());
        solve(&space, Rules::new(&space, 0).unwrap(), &store, u64::MAX, &()).unwrap();
        Self { space, store, n_read: AtomicUsize::new(0) }
    }
}

impl IndexedScores for Counting {
    fn space(&self) -> &Space {
        &self.space
    }

    fn scores(&self) -> &dyn ScoreRead {
        self
    }
}

impl ScoreRead for Counting {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.n_read.fetch_add(1, Ordering::Relaxed);
        self.store.read_slab(id, shape)
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        self.store.read_score(id, shape, row, col)
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.store.finished(layer)
    }
}

#[track_caller]
fn check(cache: &SlabCache<'_>, Counting { space, store, .. }: &Counting) {
    for (layer, keys) in space.layout().layers().iter().enumerate() {
        for (slab, &key) in keys.iter().enumerate() {
            let shape = space.shape(key);
            for (row, col) in (0..shape.rows()).flat_map(|row| (0..shape.cols()).map(move |col| (row, col))) {
                let read = |from: &dyn ScoreRead| from.read_score(SlabId::new(layer, slab), shape, row, col).unwrap();
                assert_eq!(read(cache), read(store));
            }
        }
    }
}

#[test]
fn single_scores_are_those_of_the_store() {
    let counting = Arc::new(Counting::new("2x3"));
    let counted = |budget: u64| {
        check(&SlabCache::to_query(Arc::clone(&counting), budget), &counting);
        counting.n_read.swap(0, Ordering::Relaxed)
    };
    let n_slabs = counting.space.layout().n_slabs();
    // Every slab has one block: the first question decodes it, if it fits.
    assert_eq!((counted(0), counted(u64::MAX)), (0, n_slabs));
    assert!((1..n_slabs).contains(&counted(30)));
    let aside = Arc::new(SlabCache::to_query(Arc::clone(&counting), u64::MAX));
    aside.decode_aside();
    while counting.n_read.load(Ordering::Relaxed) < n_slabs {
        check(&aside, &counting);
    }
    check(&aside, &counting);
}
