//! The fast kernel: one slab as a matrix, move by move instead of position by position.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use dab_board::Score;
use dab_space::half::List;
use dab_space::{SlabKey, Space};
use dab_store::{Scores, StoreError};
use rustc_hash::FxHashMap;

use super::halves::{HalfMoves, Source};
use super::isa::Isa;
use super::maps::{Map, MapKey, Maps};
use super::op::Op;
use super::tile::{self, LANES, Lane, Matrix};
use super::waist::{WaistMove, WaistMoves};
use crate::Rules;
use crate::inputs::Inputs;

/// Everything that does not depend on scores, made once for a space.
pub struct RowKernel<'a> {
    space: &'a Space,
    rules: Rules,
    isa: Isa,
    moves: [HalfMoves; 2],
    maps: Maps<'a>,
    waists: Vec<OnceLock<WaistMoves>>,
}

/// One move, prepared for a slab.
struct Gather {
    op: Op,
    from: Scores,
    from_cols: usize,
    rows: Arc<Map>,
    cols: Arc<Map>,
    /// The columns to which it applies.
    ranges: Vec<Range<usize>>,
}

impl<'a> RowKernel<'a> {
    /// Tabulates the moves of every configuration of the halves.
    pub fn new(space: &'a Space, rules: Rules, isa: Isa) -> Self {
        let moves = [0, 1].map(|half| HalfMoves::new(space.half(half), space.kind()));
        let waists = space.layout().waists().iter().map(|_| OnceLock::new()).collect();
        Self { space, rules, isa, moves, maps: Maps::new(space), waists }
    }

    /// The scores of a slab, row-major.
    ///
    /// # Errors
    /// If an input cannot be read.
    pub fn slab(&self, inputs: &Inputs<'_>, key: SlabKey) -> Result<Vec<Score>, StoreError> {
        let [rows, cols] = self.space.lists(key).map(|list| list.configs.len());
        let partition = self.space.layout().partition();
        let waist = &self.space.layout().waists()[key.waist as usize];
        let filled = waist.filled.count_ones() as usize + usize::from(key.upper) + usize::from(key.lower);
        if filled == partition.units.len() {
            return Ok(vec![-self.rules.penalty; rows * cols]);
        }
        let mut scores = inputs.buffers.take(rows * cols);
        self.upper_moves(inputs, key, &mut scores, cols)?;
        self.lower_moves(inputs, key, &mut scores, cols)?;
        self.waist_moves(inputs, key, &mut scores, cols)?;
        Ok(scores)
    }

    /// Moves inside the upper half, one strip of columns after the other.
    fn upper_moves(
        &self,
        inputs: &Inputs<'_>,
        key: SlabKey,
        scores: &mut [Score],
        cols: usize,
    ) -> Result<(), StoreError> {
        let pattern = self.space.layout().waists()[key.waist as usize].upper;
        self.strips(inputs, key, 0, pattern, cols, |best, first| tile::store(best, scores, cols, first))
    }

    /// Moves inside the lower half, one strip of rows after the other.
    fn lower_moves(
        &self,
        inputs: &Inputs<'_>,
        key: SlabKey,
        scores: &mut [Score],
        cols: usize,
    ) -> Result<(), StoreError> {
        let pattern = self.space.layout().waists()[key.waist as usize].lower;
        let rows = scores.len() / cols;
        self.strips(inputs, key, 1, pattern, rows, |best, first| tile::raise_transposed(best, scores, cols, first))
    }

    /// The best moves inside one half for every strip of `width` configurations of the other.
    fn strips(
        &self,
        inputs: &Inputs<'_>,
        key: SlabKey,
        half: usize,
        pattern: u32,
        width: usize,
        mut done: impl FnMut(&[Lane], usize),
    ) -> Result<(), StoreError> {
        let moves = self.moves[half].list(pattern, [key.upper, key.lower][half]);
        let by_config = moves.by_config();
        // By number of units that the moves fill; numbers that no move fills stay empty.
        let mut slabs: Vec<Option<(Scores, usize, bool)>> =
            vec![None; usize::from(*moves.fills.last().unwrap_or(&0)) + 1];
        for &filled in &moves.fills {
            let target = match half {
                0 => SlabKey { upper: key.upper + filled, ..key },
                _ => SlabKey { lower: key.lower + filled, ..key },
            };
            let (slab, cols, swapped) = self.aligned(inputs, target)?;
            slabs[usize::from(filled)] = Some((slab, cols, swapped != (half == 1)));
        }
        let mut tiles: Vec<Vec<Lane>> = vec![Vec::new(); slabs.len()];
        let mut best = vec![Lane([0; LANES]); by_config.len()];
        for first in (0..width).step_by(LANES) {
            for (slab, tile) in slabs.iter().zip(&mut tiles) {
                if let Some((scores, cols, transposed)) = slab {
                    Matrix { scores, cols: *cols, transposed: *transposed }.load(first, tile);
                }
            }
            let sources: Vec<Source<'_>> = tiles.iter().map(|lanes| Source { lanes }).collect();
            self.isa.best_in_half(&by_config, &sources, &mut best);
            done(&best, first);
        }
        Ok(())
    }

    /// A slab with the waist of a stored one, its number of columns as it is at hand, and whether it is transposed.
    fn aligned(&self, inputs: &Inputs<'_>, key: SlabKey) -> Result<(Scores, usize, bool), StoreError> {
        let layout = self.space.layout();
        let (least, symmetry) = layout.least(key);
        let (scores, cols) = self.stored(inputs, least)?;
        if symmetry == 0 {
            return Ok((scores, cols, false));
        }
        let maps = [0, 1].map(|half| self.map(key, half, WaistMove::NOWHERE, least, symmetry));
        let swaps = layout.symmetries()[symmetry].swaps;
        if maps.iter().all(|map| map.is_identity) {
            return Ok((scores, cols, swaps));
        }
        let mut from = scores.to_vec();
        if swaps {
            tile::transpose(&scores, cols, &mut from);
        }
        let from_cols = if swaps { scores.len() / cols } else { cols };
        let [rows, cols] = maps;
        let place = |&row: &u32| {
            let line = &from[row as usize * from_cols..];
            cols.places.iter().map(|&col| line[col as usize]).collect::<Vec<Score>>()
        };
        Ok((Arc::new(rows.places.iter().flat_map(place).collect()), cols.places.len(), false))
    }

    /// A stored slab and its number of columns.
    fn stored(&self, inputs: &Inputs<'_>, least: SlabKey) -> Result<(Scores, usize), StoreError> {
        let layout = self.space.layout();
        let layer = layout.waists()[least.waist as usize].filled.count_ones() as usize
            + usize::from(least.upper)
            + usize::from(least.lower);
        Ok((inputs.slab((layer, layout.ordinal(least)))?, self.space.lists(least)[1].configs.len()))
    }

    /// Where the rows (0) or columns (1) of slab `key` go under a move.
    fn map(&self, key: SlabKey, half: usize, m: WaistMove, least: SlabKey, symmetry: usize) -> Arc<Map> {
        let layout = self.space.layout();
        let here = &layout.waists()[key.waist as usize];
        let there = &layout.waists()[least.waist as usize];
        let to = if layout.symmetries()[symmetry].swaps { 1 - half } else { half };
        self.maps.map(MapKey {
            half,
            pattern: [here.upper, here.lower][half],
            filled: [key.upper, key.lower][half],
            effect: m.effects[half],
            symmetry,
            target: [there.upper, there.lower][to],
        })
    }

    /// Moves at the waist, row by row.
    fn waist_moves(
        &self,
        inputs: &Inputs<'_>,
        key: SlabKey,
        scores: &mut [Score],
        cols: usize,
    ) -> Result<(), StoreError> {
        let table = self.waists[key.waist as usize].get_or_init(|| WaistMoves::new(self.space, key.waist));
        let [upper, lower] = self.space.lists(key);
        let mut slab = Prepared { kernel: self, inputs, key, turned: FxHashMap::default() };
        let everywhere = |&m: &WaistMove| (m, 0..cols);
        let by_column =
            |class: (u32, Range<usize>)| table.lower[class.0 as usize].iter().map(move |&m| (m, class.1.clone()));
        let shared = table.only.iter().map(everywhere).chain(classes(lower).flat_map(by_column));
        let shared = slab.gathers(shared.collect())?;
        for (class, rows) in classes(upper) {
            let mut own: Vec<(WaistMove, Range<usize>)> = table.upper[class as usize].iter().map(everywhere).collect();
            if table.couples {
                let both = table.both(self.space, class);
                for (class, range) in classes(lower) {
                    own.extend(both[class as usize].iter().map(|&m| (m, range.clone())));
                }
            }
            let own = slab.gathers(own)?;
            for row in rows {
                let scores = &mut scores[row * cols..(row + 1) * cols];
                for gather in shared.iter().chain(&own) {
                    gather.raise(self.isa, row, scores);
                }
            }
        }
        slab.turned.into_values().for_each(|scores| inputs.buffers.give(scores));
        Ok(())
    }
}

/// What the moves at the waist of one slab read.
struct Prepared<'a> {
    kernel: &'a RowKernel<'a>,
    inputs: &'a Inputs<'a>,
    key: SlabKey,
    /// Slabs that are stored transposed, turned.
    turned: FxHashMap<SlabKey, Scores>,
}

impl Prepared<'_> {
    /// One gather for each move, with all the columns to which it applies.
    fn gathers(&mut self, mut moves: Vec<(WaistMove, Range<usize>)>) -> Result<Vec<Gather>, StoreError> {
        moves.sort_unstable_by_key(|(m, range)| (*m, range.start));
        let alike = moves.chunk_by(|(a, _), (b, _)| a == b);
        alike.map(|moves| self.gather(moves[0].0, joined(moves.iter().map(|(_, range)| range.clone())))).collect()
    }

    fn gather(&mut self, m: WaistMove, ranges: Vec<Range<usize>>) -> Result<Gather, StoreError> {
        let Self { kernel, inputs, key, turned } = self;
        let target = SlabKey { waist: m.waist, upper: key.upper + m.filled[0], lower: key.lower + m.filled[1] };
        let (least, symmetry) = kernel.space.layout().least(target);
        let (stored, stored_cols) = kernel.stored(inputs, least)?;
        let (from, from_cols) = if kernel.space.layout().symmetries()[symmetry].swaps {
            let turned = turned.entry(least).or_insert_with(|| {
                let mut scores = inputs.buffers.take(stored.len());
                tile::transpose(&stored, stored_cols, &mut scores);
                Arc::new(scores)
            });
            (turned.clone(), stored.len() / stored_cols)
        } else {
            (stored, stored_cols)
        };
        let [rows, cols] = [0, 1].map(|half| kernel.map(*key, half, m, least, symmetry));
        Ok(Gather { op: m.op, from, from_cols, rows, cols, ranges })
    }
}

impl Gather {
    fn raise(&self, isa: Isa, row: usize, scores: &mut [Score]) {
        let from = &self.from[self.rows.places[row] as usize * self.from_cols..][..self.from_cols];
        for range in &self.ranges {
            let scores = &mut scores[range.clone()];
            if self.cols.is_identity {
                isa.raise(self.op, scores, &from[range.clone()]);
            } else {
                isa.raise_gathered(self.op, scores, from, &self.cols.places[range.clone()]);
            }
        }
    }
}

/// Ascending ranges with neighbours joined.
fn joined(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

/// The classes of a list with their places.
fn classes(list: &List) -> impl Iterator<Item = (u32, Range<usize>)> + '_ {
    let ends = list.classes.iter().skip(1).map(|&(_, first)| first as usize).chain([list.configs.len()]);
    list.classes.iter().zip(ends).map(|(&(class, first), end)| (class, first as usize..end))
}
