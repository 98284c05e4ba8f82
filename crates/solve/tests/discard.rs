//! Layers are discarded once nobody reads them any more: neither too early nor, in the quiet space, too late.

use super::common;

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::kernel::Kernel;
use crate::solve;
use common::{SPACES, space, start};
use dab_board::{LineSet, Start, quiet};
use dab_space::{Layer, Rules, SlabId, SlabKey, SlabShape, Space, SpaceKind, UnitMask};
use dab_store::{
    LayerSink, LayerSummary, MemoryStore, ScoreCheck, ScoreRead, ScoreRelease, ScoreWrite, Scores, StoreError,
};

/// A store that keeps some layers and refuses to read what was discarded.
struct Forgetful {
    scores: MemoryStore,
    last_kept: Layer,
    discarded: Mutex<BTreeSet<Layer>>,
}

impl Forgetful {
    fn new(n_layers: usize, last_kept: usize) -> Self {
        Self { scores: MemoryStore::new(n_layers), last_kept: Layer(last_kept), discarded: Mutex::default() }
    }
}

impl ScoreRead for Forgetful {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        let layer = id.layer;
        assert!(!self.discarded.lock().unwrap().contains(&layer), "layer {layer} was discarded too early");
        self.scores.read_slab(id, shape)
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.scores.finished(layer)
    }
}

impl ScoreWrite for Forgetful {
    fn begin_layer<'a>(
        &'a self,
        layer: Layer,
        shapes: &'a [SlabShape<'a>],
    ) -> Result<Box<dyn LayerSink + 'a>, StoreError> {
        self.scores.begin_layer(layer, shapes)
    }
}

impl ScoreCheck for Forgetful {}

impl ScoreRelease for Forgetful {
    fn last_kept(&self) -> Layer {
        self.last_kept
    }

    fn discard(&self, layer: Layer) -> Result<(), StoreError> {
        assert!(layer > self.last_kept && self.discarded.lock().unwrap().insert(layer), "layer {layer} twice");
        Ok(())
    }
}

#[test]
fn nothing_is_read_after_it_was_discarded() {
    for (rows, cols, named) in [(2, 3, Start::American), (3, 3, Start::Icelandic), (1, 5, Start::American)] {
        for kind in SPACES {
            let space = space(&start(rows, cols, named), kind);
            let rules = Rules::new(&space, 0).unwrap();
            let all = solve(&space, rules, &MemoryStore::new(space.n_layers()), u64::MAX, &()).unwrap();
            for last_kept in 0..space.n_layers() {
                // Without a budget nothing is read from memory that was discarded from the store.
                let store = Forgetful::new(space.n_layers(), last_kept);
                assert_eq!(solve(&space, rules, &store, 0, &()).unwrap(), all);
                let discarded: Vec<usize> =
                    store.discarded.into_inner().unwrap().into_iter().map(|layer| layer.0).collect();
                assert_eq!(discarded, (last_kept + 1..space.n_layers()).collect::<Vec<usize>>());
            }
        }
    }
}

/// The slabs that moves from a slab lead to, position by position.
fn sources(space: &Space, key: SlabKey) -> BTreeSet<SlabId> {
    let graph = &space.layout().partition().graph;
    let shape = space.shape(key);
    let mut read = BTreeSet::new();
    for (row, col) in (0..shape.rows()).flat_map(|row| (0..shape.cols()).map(move |col| (row, col))) {
        quiet::for_each_move(graph, LineSet(space.mask_at(key, row, col).into()), |m| {
            let place = space.place_of(m.after.0 as UnitMask);
            read.insert(place.id);
        });
    }
    read
}

#[test]
fn the_slabs_that_a_slab_reads_are_known_exactly() {
    for (rows, cols) in [(1, 6), (2, 3), (2, 4), (3, 3)] {
        for named in Start::ALL {
            let space = space(&start(rows, cols, named), SpaceKind::Quiet);
            let rules = Rules::new(&space, 0).unwrap();
            let (rows_of_slabs, reference) = (Kernel::best(&space, rules), Kernel::Reference(&space, rules));
            for &key in space.layout().layers().iter().flatten() {
                let expected = sources(&space, key);
                assert_eq!(
                    BTreeSet::from_iter(rows_of_slabs.sources(key, u64::MAX)),
                    expected,
                    "{rows}x{cols} {named}"
                );
                assert!(expected.is_subset(&BTreeSet::from_iter(reference.sources(key, u64::MAX))));
            }
        }
    }
}
