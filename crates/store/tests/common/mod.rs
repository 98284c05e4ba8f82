//! Layers to store: slabs with arbitrary parity and scores that have it.

pub(crate) mod fault;
#[cfg(target_os = "linux")]
pub(crate) mod power;
pub(crate) mod trials;

use std::path::Path;

use crate::{Game, LayerSummary, RunDir, ScoreRead, ScoreWrite, Scores, StoreError};
use bitvec::prelude::*;
use dab_space::partition::GroupSizes;
use dab_space::{Layer, SlabId, SlabShape};
use proptest::test_runner::{Config as ProptestConfig, FileFailurePersistence};

/// Whether games have marks: in one of the two modules that have the same tests.
const MARKS: bool = matches!(module_path!().as_bytes(), b"dab_store::with_marks::common");

/// Bytes that marks add where there is a digest.
const MARKS_DIGEST: usize = if MARKS { 32 } else { 0 };
/// Bytes of the front of a record; of the frequencies of a tile; and of directory and footer of a book of two layers.
pub(crate) const FRONT: usize = 60 + MARKS_DIGEST;
pub(crate) const FREQUENCIES: usize = if MARKS { 976 } else { 848 };
pub(crate) const BOOK_TAIL: usize = 52 + MARKS_DIGEST + 2 * (56 + MARKS_DIGEST);

/// Settings of random tests: the seed of a case that failed is kept in a file beside the test, and tried first from then on.
pub(crate) fn seeds_beside() -> ProptestConfig {
    let beside = FileFailurePersistence::WithSource("proptest-regressions");
    ProptestConfig { failure_persistence: Some(Box::new(beside)), ..ProptestConfig::default() }
}

/// The text of an error and of its causes, as a caller tells it.
pub(crate) fn told(error: &StoreError) -> String {
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The slabs of one layer.
#[derive(Clone, Debug)]
pub(crate) struct Slabs {
    pub(crate) parities: Vec<(BitVec, BitVec)>,
    pub(crate) scores: Vec<Scores>,
}

impl Slabs {
    /// Slabs of these rows and columns. Scores reach up to `range`, or as far as there is room beside a mark; those of `game` have its
    /// parity and marks if it has some.
    pub(crate) fn new(game: &Game, sizes: &[(usize, usize)], range: i8, seed: u64) -> Self {
        let (mut random, range) = (Random(seed), if game.marks { range.min(30) } else { range });
        let mut slabs = Self { parities: Vec::new(), scores: Vec::new() };
        for &(rows, cols) in sizes {
            let mut bits = |len| (0..len).map(|_| random.below(2) == 1).collect::<BitVec>();
            let (row_parity, col_parity) = (bits(rows), bits(cols));
            let shape = SlabShape { row_parity: &row_parity, col_parity: &col_parity };
            let score = |i: usize| {
                let parity = (shape.is_odd(i / cols, i % cols) != game.is_odd()) as i8;
                let score = 2 * (random.below(range as u64) as i8 / 2) * [-1, 1][random.below(2) as usize] + parity;
                if game.marks { score << 2 | random.below(3) as i8 } else { score }
            };
            slabs.scores.push(Scores::new((0..rows * cols).map(score).collect()));
            slabs.parities.push((row_parity, col_parity));
        }
        slabs
    }

    /// A slab in a tile, and three small ones in six blocks of at most 16 positions.
    pub(crate) fn small(game: &Game) -> Self {
        Self::new(game, &[(16, 64), (3, 11), (1, 1), (4, 9)], 20, 1)
    }

    pub(crate) fn shapes(&self) -> Vec<SlabShape<'_>> {
        self.parities.iter().map(|(rows, cols)| SlabShape { row_parity: rows, col_parity: cols }).collect()
    }

    /// Writes what an interrupted run has not yet kept, as layer `layer`.
    pub(crate) fn write(&self, store: &dyn ScoreWrite, layer: Layer) -> Result<LayerSummary, StoreError> {
        let shapes = self.shapes();
        let sink = store.begin_layer(layer, &shapes)?;
        let there = sink.resumed_slabs();
        for slab in (0..self.scores.len()).rev().filter(|&slab| !there.contains(slab)) {
            sink.put(slab, self.scores[slab].clone())?;
        }
        sink.finish()
    }

    /// Asserts that every slab and every single score reads as it was written.
    #[track_caller]
    pub(crate) fn check(&self, store: &dyn ScoreRead, layer: Layer) {
        for (slab, (shape, scores)) in self.shapes().into_iter().zip(&self.scores).enumerate() {
            assert_eq!(&store.read_slab(SlabId::new(layer, slab), shape).unwrap(), scores);
            // Backwards, some of them twice.
            let places: Vec<usize> = (0..scores.len()).rev().flat_map(|place| [place, place / 2]).step_by(3).collect();
            let expected: Vec<i8> = places.iter().map(|&place| scores[place]).collect();
            assert_eq!(store.read_scores(SlabId::new(layer, slab), shape, &places).unwrap(), expected);
            for (i, score) in scores.iter().enumerate() {
                let (row, col) = (i / shape.cols(), i % shape.cols());
                assert_eq!(store.read_score(SlabId::new(layer, slab), shape, row, col).unwrap(), *score);
            }
        }
    }
}

/// A game; its name is all that matters here. Its start is none, so scores have no bound but that of all scores.
pub(crate) fn game(board: &str, penalty: i8) -> Game {
    Game {
        graph: None,
        board: board.into(),
        start: format!("{board}:none"),
        space: "quiet".into(),
        penalty,
        marks: MARKS,
        groups: GroupSizes { waist: 1, upper: 2, lower: 1 },
        units: vec![vec![0], vec![1], vec![2, 4], vec![3]],
    }
}

/// A run of one layer with blocks of 16 positions.
pub(crate) fn run(path: &Path, game: &Game) -> RunDir {
    RunDir::create_or_resume(path, game, 1).unwrap().with_block_positions(16)
}

/// A finished run of these layers.
pub(crate) fn finished_run(path: &Path, game: &Game, layers: &[Slabs]) -> RunDir {
    let run = RunDir::create_or_resume(path, game, layers.len()).unwrap().with_block_positions(16);
    for (layer, slabs) in layers.iter().enumerate().rev() {
        if !run.is_finished(Layer(layer)) {
            slabs.write(&run, Layer(layer)).unwrap();
        }
    }
    run
}

/// Leaves some slabs of a layer in a part, as a process that is killed does.
pub(crate) fn interrupt(run: &RunDir, layer: Layer, slabs: &Slabs, wanted: &[usize]) {
    let shapes = slabs.shapes();
    let sink = run.begin_layer(layer, &shapes).unwrap();
    wanted.iter().for_each(|&slab| sink.put(slab, slabs.scores[slab].clone()).unwrap());
}

/// A finished run of these layers in `path`, in which layer 1 has two score files: the first one has slab 1 alone.
pub(crate) fn run_of_two_files(path: &Path, game: &Game, layers: &[Slabs]) -> RunDir {
    let run = RunDir::create_or_resume(path, game, layers.len()).unwrap().with_block_positions(16);
    let others: Vec<usize> = (0..layers[1].scores.len()).filter(|&slab| slab != 1).collect();
    interrupt(&run, Layer(1), &layers[1], &[1]);
    let part = path.join("layer-01.score.part");
    let kept = std::fs::read(&part).unwrap();
    std::fs::remove_file(&part).unwrap();
    interrupt(&run, Layer(1), &layers[1], &others);
    std::fs::rename(&part, path.join("layer-01.1.score.part")).unwrap();
    std::fs::write(part, kept).unwrap();
    drop(run);
    finished_run(path, game, layers)
}

/// A record as the directory of a score file lists it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) slab: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The records of a score file, in the order in which they lie, and the offset of its directory.
pub(crate) fn records(file: &[u8]) -> (Vec<Record>, usize) {
    let number = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    let directory_at = number(file.len() - 28);
    let mut end = 52;
    let record = |at: usize| {
        let start = end;
        end += number(at + 12);
        Record { slab: number(at) & 0xffff_ffff, start, end }
    };
    ((directory_at..file.len() - 28).step_by(FRONT - 8).map(record).collect(), directory_at)
}

/// The record of a slab.
pub(crate) fn record_of(file: &[u8], slab: usize) -> Record {
    records(file).0.into_iter().find(|record| record.slab == slab).unwrap()
}

/// Three small layers, a slab of the second in a tile.
pub(crate) fn layers(game: &Game) -> Vec<Slabs> {
    let sizes = [&[(1, 1)][..], &[(3, 11), (17, 65), (4, 9)], &[(2, 5), (7, 3)]];
    sizes.iter().zip(1..).map(|(sizes, seed)| Slabs::new(game, sizes, 20, seed)).collect()
}

/// splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}
