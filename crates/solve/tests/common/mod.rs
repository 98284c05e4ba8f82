//! Boards solved in memory, and the positions that a start leads to.

use std::path::PathBuf;

use crate::solve;
use dab_board::{Board, LineSet, Position, Score, Start};
use dab_space::{Rules, SlabId, SlabKey, Space, SpaceKind};
use dab_store::{MemoryStore, ScoreRead};
use dab_table::Book;
use rayon::prelude::*;

/// Positions of a list that are held at a time.
const CHUNK: usize = 1 << 22;

pub(crate) const SPACES: [SpaceKind; 2] = [SpaceKind::Quiet, SpaceKind::Full];

pub(crate) fn space(start: &Position, kind: SpaceKind) -> Space {
    Space::new(start.clone(), kind).unwrap()
}

pub(crate) fn start(rows: usize, cols: usize, start: Start) -> Position {
    Position::start(Board::grid(rows, cols).unwrap(), start)
}

pub(crate) fn position(like: &Position, drawn: LineSet) -> Position {
    Position::new(like.board().clone(), drawn).unwrap()
}

/// Every score of a space, in memory.
pub(crate) struct Solved<'a> {
    pub(crate) space: &'a Space,
    rules: Rules,
    pub(crate) scores: MemoryStore,
}

impl<'a> Solved<'a> {
    pub(crate) fn new(space: &'a Space, penalty: i32) -> Self {
        Self::under(space, Rules::new(space, penalty).unwrap())
    }

    pub(crate) fn under(space: &'a Space, rules: Rules) -> Self {
        let scores = MemoryStore::new(space.n_layers()).with_marks(rules.marks);
        solve(space, rules, &scores, u64::MAX, &()).unwrap();
        Self { space, rules, scores }
    }

    pub(crate) fn book(&self) -> Book<'_> {
        Book::new(self.space, &self.scores).under(self.rules)
    }

    /// Hands over the score of every position, quiet or not, in the order of [`Entries`] and a part at a time.
    pub(crate) fn for_each_chunk(&self, mut take: impl FnMut(&[Score]) + Send) {
        let start = self.space.layout().units().start();
        let (book, entries) = (self.book(), Entries::new(start));
        let score = |entry: usize| book.probe_drawn(entries.drawn(entry)).unwrap();
        let scores = |chunk: usize| -> Vec<Score> {
            let end = entries.len().min(chunk + CHUNK);
            (chunk..end).into_par_iter().with_min_len(1 << 10).map(score).collect()
        };
        // One part is taken while the next is made.
        let mut made = scores(0);
        for next in (CHUNK..entries.len()).step_by(CHUNK) {
            made = rayon::join(|| scores(next), || take(&made)).0;
        }
        take(&made);
    }

    /// Hands over the stored positions, drawn lines and score, a row of a slab at a time and in parallel.
    pub(crate) fn par_stored_rows(&self, visit: impl Fn(SlabKey, &[(LineSet, Score)]) + Sync) {
        for (layer, keys) in self.space.layout().layers().iter().enumerate() {
            keys.par_iter().enumerate().for_each(|(slab, &key)| {
                let shape = self.space.shape(key);
                let scores = self.scores.read_slab(SlabId::new(layer, slab), shape).unwrap();
                scores.par_chunks(shape.cols()).enumerate().for_each(|(row, scores)| {
                    let drawn = |col: usize| self.space.lines_of(self.space.mask_at(key, row, col));
                    let scored = scores.iter().enumerate().map(|(col, &score)| (drawn(col), Score(score)));
                    visit(key, &scored.collect::<Vec<_>>());
                });
            });
        }
    }
}

/// All subsets of the undrawn lines of a start. In subset `s` the `i`-th undrawn line, ascending, is drawn for every
/// set bit `i` of `s`.
pub(crate) struct Entries {
    low: Vec<LineSet>,
    high: Vec<LineSet>,
}

impl Entries {
    pub(crate) fn new(start: &Position) -> Self {
        let lines: Vec<usize> = start.undrawn().iter().collect();
        let (low, high) = lines.split_at(lines.len() / 2);
        let subsets = |lines: &[usize], base: LineSet| {
            let drawn = |s: usize| (0..lines.len()).filter(move |i| s >> i & 1 == 1);
            (0..1 << lines.len()).map(|s| base | drawn(s).map(|i| lines[i]).collect()).collect()
        };
        Self { low: subsets(low, start.drawn()), high: subsets(high, LineSet::EMPTY) }
    }

    pub(crate) fn len(&self) -> usize {
        self.low.len() * self.high.len()
    }

    pub(crate) fn drawn(&self, entry: usize) -> LineSet {
        // Both are powers of two in length, and dividing would take as long as half of a probe.
        self.low[entry & (self.low.len() - 1)] | self.high[entry >> self.low.len().trailing_zeros()]
    }
}

/// The rows of a file in `data/golden`, without comments; columns are separated by tabs.
pub(crate) fn golden(file: &str, expected_rows: usize) -> Vec<Vec<String>> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../data/golden", file].iter().collect();
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<String>> = lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    assert_eq!(rows.len(), expected_rows, "{file}");
    rows
}
