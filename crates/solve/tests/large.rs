//! Counts and places beyond 32 and 40 bits at the geometry of 4x5 and 5x5, with made-up scores in place of solved ones:
//! the row kernel and the rules position by position read the same places.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::SlabKeeper;
use crate::kernel::rows::RowKernel;
use crate::kernel::{Isa, scalar};
use dab_space::{Layer, Layout, Place, Rules, SlabId, SlabKey, SlabShape, Space, SpaceKind, Units};
use dab_store::{Digest, Game, JoinedRun, LayerSummary, RunDir, ScoreRead, Scores, StoreError};

/// Bytes of slabs that a sampled slab may read.
const MOST_READ: u64 = 200 << 20;

/// The game of a run of made-up scores, which are not within the bounds of any start.
fn made_up(space: &Space, rules: Rules) -> Game {
    Game { start: "made-up scores".to_owned(), ..Game::of(space, rules) }
}

/// Scores that nobody solved: of the right parity, and otherwise a hash of the place.
struct MadeUp<'a>(&'a Space);

impl MadeUp<'_> {
    fn score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> i8 {
        let position = row as u64 * shape.cols() as u64 + col as u64;
        let mixed = (position ^ (id.layer.0 as u64) << 56 ^ (id.slab as u64) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        2 * ((mixed >> 59) as i8 % 9 - 4) + i8::from(shape.is_odd(row, col))
    }

    fn at(&self, place: Place) -> i8 {
        let key = self.0.layout().key(place.id);
        self.score(place.id, self.0.shape(key), place.row, place.col)
    }
}

impl ScoreRead for MadeUp<'_> {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        let (rows, cols) = (shape.rows(), shape.cols());
        let scores = (0..rows).flat_map(|row| (0..cols).map(move |col| self.score(id, shape, row, col)));
        Ok(Scores::new(scores.collect()))
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        Ok(self.score(id, shape, row, col))
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        let keys = &self.0.layout().layers()[layer.0];
        let positions = self.0.layout().layer_positions(layer.0) as u64;
        let digest = Digest([0; Digest::LEN]);
        Some(LayerSummary { layer, slabs: keys.len(), positions, bytes: 0, digest, marks_digest: None })
    }
}

/// The same scores, with the time that they take.
struct Clocked<'a> {
    scores: MadeUp<'a>,
    spent: Mutex<Duration>,
}

impl ScoreRead for Clocked<'_> {
    fn read_slab(&self, id: SlabId, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        let begin = Instant::now();
        let scores = self.scores.read_slab(id, shape);
        *self.spent.lock().unwrap() += begin.elapsed();
        scores
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.scores.finished(layer)
    }
}

#[test]
fn sampled_slabs_of_4x5_are_what_the_rules_say() {
    let space = Space::new("4x5".parse().unwrap(), SpaceKind::Quiet).unwrap();
    let layout = space.layout();
    assert!(layout.total_positions() > 1 << 38);
    let rules = Rules::new(&space, 0).unwrap();
    let kernel = RowKernel::new(&space, rules, Isa::best());
    let scores = MadeUp(&space);
    let dir = tempfile::tempdir().unwrap();
    let run = RunDir::create_or_resume(dir.path(), &made_up(&space, rules), space.n_layers()).unwrap();
    let mut before = 0u128;
    let mut beyond = 0;
    for (layer, keys) in layout.layers().iter().enumerate() {
        let sizes = |key: SlabKey| -> u64 {
            let reads = kernel.sources(key, 1 << 28);
            reads.into_iter().map(|id| layout.positions(layout.key(id))).sum()
        };
        // The last slab of every fourth layer that is not too large.
        let fits = |&slab: &usize| {
            let own = layout.positions(keys[slab]);
            (100_000..4 << 20).contains(&own) && sizes(keys[slab]) < MOST_READ
        };
        let sampled = if layer % 4 == 2 { (0..keys.len()).rev().step_by(37).take(60).find(fits) } else { None };
        if let Some(slab) = sampled {
            let keeper = SlabKeeper::new(&space, &scores, 1 << 29);
            let solved = kernel.slab(&keeper, keys[slab]).unwrap();
            let shape = space.shape(keys[slab]);
            for i in 0..300u64 {
                let at = ((i.wrapping_mul(0x9e37_79b9_7f4a_7c15) as u128 * solved.len() as u128) >> 64) as usize;
                let (row, col) = (at / shape.cols(), at % shape.cols());
                let filled = space.mask_at(keys[slab], row, col);
                let moves = scalar::moves(&space, filled).map(|(m, place)| (m, scores.at(place)));
                let derived = scalar::value(rules, moves);
                assert_eq!(solved[at], derived, "layer {layer}, slab {slab}, row {row}, column {col}");
                let place = space.place_of(filled);
                assert_eq!(place.id, SlabId::new(layer, slab));
            }
            // A score file of a layer of this size reads back what was written.
            let (joined, id) = (JoinedRun::new(&run, layout, 0, 1), SlabId::new(layer, slab));
            joined.put(id, shape, &solved).unwrap();
            joined.complete(Layer(layer)).unwrap();
            assert_eq!(*joined.read_slab(id, shape).unwrap(), *solved);
            let earlier: u128 = keys[..slab].iter().map(|&key| u128::from(layout.positions(key))).sum();
            beyond += u32::from(before + earlier > 1 << 32);
        }
        before += layout.layer_positions(layer);
    }
    assert!(beyond >= 4, "{beyond} slabs lie beyond 32 bits");
}

#[test]
#[ignore = "long: minutes, and 16 GB of memory"]
#[expect(clippy::print_stderr, reason = "whoever runs it wants to know what a second thread is worth")]
fn a_slab_of_a_billion_positions_is_computed_by_all_threads() {
    let space = Space::new("5x5".parse().unwrap(), SpaceKind::Quiet).unwrap();
    let layout = space.layout();
    let rules = Rules::new(&space, 0).unwrap();
    let positions = |&key: &SlabKey| layout.positions(key);
    let keys = layout.layers().iter().flatten().filter(|key| positions(key) >= 1_000_000_000);
    let &key = keys.min_by_key(|&key| positions(key)).unwrap();
    let scores = Clocked { scores: MadeUp(&space), spent: Mutex::default() };
    let solved = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let kernel = RowKernel::new(&space, rules, Isa::best());
            let keeper = SlabKeeper::new(&space, &scores, 8 << 30);
            let begin = Instant::now();
            let solved = kernel.slab(&keeper, key).unwrap();
            let made_up = std::mem::take(&mut *scores.spent.lock().unwrap());
            eprintln!("{} positions, {threads} threads: {:.1?}", solved.len(), begin.elapsed() - made_up);
            solved
        })
    };
    let (by_one, by_all) = (solved(1), solved(2));
    assert!(by_one.len() >= 1_000_000_000 && *by_one == *by_all);
    drop(by_one);
    let shape = space.shape(key);
    for i in 0..1000u64 {
        let at = ((i.wrapping_mul(0x9e37_79b9_7f4a_7c15) as u128 * by_all.len() as u128) >> 64) as usize;
        let filled = space.mask_at(key, at / shape.cols(), at % shape.cols());
        let moves = scalar::moves(&space, filled).map(|(m, place)| (m, scores.scores.at(place)));
        assert_eq!(by_all[at], scalar::value(rules, moves), "place {at}");
    }
    let dir = tempfile::tempdir().unwrap();
    let run = RunDir::create_or_resume(dir.path(), &made_up(&space, rules), space.n_layers()).unwrap();
    let (joined, id) = (JoinedRun::new(&run, layout, 0, 1), layout.id(key));
    let encoded = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let begin = Instant::now();
        let byte_len = pool.install(|| run.encoded_len(shape, &by_all));
        eprintln!("encoded by {threads} threads: {:.1?}", begin.elapsed());
        byte_len
    };
    assert_eq!(encoded(1), encoded(2));
    joined.put(id, shape, &by_all).unwrap();
    joined.complete(id.layer).unwrap();
    assert!(*joined.read_slab(id, shape).unwrap() == *by_all);
}

#[test]
fn counts_of_5x5_go_beyond_40_bits() {
    let layout = Layout::new(Units::new("5x5".parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
    let largest = layout.largest_slab();
    assert!(largest > 1 << 32 && layout.total_positions() > 1 << 47);
    let of_layer = (0..layout.layers().len()).map(|layer| layout.layer_positions(layer));
    assert!(of_layer.clone().filter(|&positions| positions > 1 << 40).count() > 10);
    assert_eq!(of_layer.sum::<u128>(), layout.total_positions());
    // Counted another way, not divided by symmetry.
    let counted = dab_space::count::positions(layout.units(), dab_space::count::Weight::Canonical);
    assert_eq!(layout.canonical_positions(), counted);
}
