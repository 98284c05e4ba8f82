//! The slab cache answers as its store does, and decodes whole slabs only where that pays.

use std::sync::atomic::{AtomicUsize, Ordering};

use dab_solve::{SlabCache, solve};
use dab_space::{Layer, Rules, SlabId, SlabShape, Space, SpaceKind};
use dab_store::{LayerSummary, MemoryStore, ScoreRead, Scores, StoreError};

/// A store that counts the slabs that are read as a whole.
struct Counting<'a>(&'a MemoryStore, AtomicUsize);

impl ScoreRead for Counting<'_> {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.read_slab(id, shape)
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        self.0.read_score(id, shape, row, col)
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.0.finished(layer)
    }
}

#[track_caller]
fn check(cache: &SlabCache<'_>, space: &Space, store: &MemoryStore) {
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
    // The thread that decodes knows no end.
    let space: &'static Space = Box::leak(Box::new(Space::new("2x3".parse().unwrap(), SpaceKind::Quiet).unwrap()));
    let store: &'static MemoryStore = Box::leak(Box::new(MemoryStore::new(space.n_layers())));
    solve(space, Rules::new(space, 0).unwrap(), store, u64::MAX, &()).unwrap();
    let counted = |budget: u64| {
        let counting = Counting(store, AtomicUsize::new(0));
        check(&SlabCache::to_query(space, &counting, budget), space, store);
        counting.1.into_inner()
    };
    let n_slabs = space.layout().n_slabs();
    // Every slab has one block: the first question decodes it, if it fits.
    assert_eq!((counted(0), counted(u64::MAX)), (0, n_slabs));
    assert!((1..n_slabs).contains(&counted(30)));
    let counting: &'static Counting<'static> = Box::leak(Box::new(Counting(store, AtomicUsize::new(0))));
    let aside: &'static SlabCache<'static> = Box::leak(Box::new(SlabCache::to_query(space, counting, u64::MAX)));
    aside.decode_aside();
    while counting.1.load(Ordering::Relaxed) < n_slabs {
        check(aside, space, store);
    }
    check(aside, space, store);
}
