//! The fast kernel: one slab as a matrix, move by move instead of position by position.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use dab_board::Score;
use dab_space::half::List;
use dab_space::{SlabKey, Space};
use dab_store::{Scores, StoreError};
use rustc_hash::FxHashMap;

use super::halves::{HalfMoves, ListMoves};
use super::isa::Isa;
use super::maps::{Map, MapKey, Maps, Run};
use super::op::Op;
use super::tile::{self, LANES, Lane, Rows};
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
    cols: Columns,
}

/// The columns to which a move applies, and where they go.
enum Columns {
    /// Neighbours go to neighbours.
    Runs(Vec<Run>),
    /// Each for itself, in some ranges.
    Mixed(Arc<Map>, Vec<Range<usize>>),
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
        let is_mirrored = self.is_mirrored(key);
        let mut slab = Prepared { kernel: self, inputs, key, is_mirrored, turned: FxHashMap::default() };
        let mut scores = inputs.buffers.take(rows * cols);
        slab.upper_moves(&mut scores, cols)?;
        if !is_mirrored {
            slab.lower_moves(&mut scores, cols)?;
        }
        slab.waist_moves(&mut scores, cols)?;
        if is_mirrored {
            tile::raise_to_mirror(&mut scores, cols);
        }
        slab.turned.into_values().for_each(|scores| inputs.buffers.give(scores));
        Ok(scores)
    }

    /// Whether a slab is its own mirror image, place by place: then half of its moves are enough.
    fn is_mirrored(&self, key: SlabKey) -> bool {
        let layout = self.space.layout();
        key.upper == key.lower
            && layout.images(key).any(|(image, symmetry)| {
                image == key
                    && layout.symmetries()[symmetry].swaps
                    && (0..2).all(|half| self.map(key, half, WaistMove::NOWHERE, key, symmetry).is_identity())
            })
    }

    /// The moves inside a half for its configurations in a slab.
    fn list_moves(&self, key: SlabKey, half: usize) -> &ListMoves {
        let waist = &self.space.layout().waists()[key.waist as usize];
        self.moves[half].list([waist.upper, waist.lower][half], [key.upper, key.lower][half])
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
}

/// A slab that is being computed, and what it reads.
struct Prepared<'a> {
    kernel: &'a RowKernel<'a>,
    inputs: &'a Inputs<'a>,
    key: SlabKey,
    /// The slab is its own mirror image, and moves to slabs that are stored transposed are left to their images.
    is_mirrored: bool,
    /// Slabs that are stored transposed, turned.
    turned: FxHashMap<SlabKey, Scores>,
}

impl Prepared<'_> {
    /// Moves inside the upper half, row by row.
    fn upper_moves(&mut self, scores: &mut [Score], cols: usize) -> Result<(), StoreError> {
        let moves = self.kernel.list_moves(self.key, 0);
        let slabs = self.inside(0, moves)?;
        let sources: Vec<Rows<'_>> = slabs.iter().map(|scores| Rows { scores, cols }).collect();
        for (moves, best) in moves.by_config().into_iter().zip(scores.chunks_exact_mut(cols)) {
            self.kernel.isa.best_of_row(moves, &sources, best);
        }
        Ok(())
    }

    /// Moves inside the lower half, one strip of rows after the other.
    fn lower_moves(&mut self, scores: &mut [Score], cols: usize) -> Result<(), StoreError> {
        let moves = self.kernel.list_moves(self.key, 1);
        if moves.fills.is_empty() {
            return Ok(());
        }
        let slabs = self.inside(1, moves)?;
        let by_config = moves.by_config();
        let rows = scores.len() / cols;
        let mut tiles: Vec<Vec<Lane>> = vec![Vec::new(); slabs.len()];
        let mut best = vec![Lane([0; LANES]); by_config.len()];
        for first in (0..rows).step_by(LANES) {
            for (scores, tile) in slabs.iter().zip(&mut tiles).filter(|(scores, _)| !scores.is_empty()) {
                Rows { scores, cols: scores.len() / rows }.load(first, tile);
            }
            let sources: Vec<&[Lane]> = tiles.iter().map(Vec::as_slice).collect();
            self.kernel.isa.best_of_lanes(&by_config, &sources, &mut best);
            tile::raise_strip(&best, scores, cols, first);
        }
        Ok(())
    }

    /// The slabs that moves inside a half lead to, by number of units that they fill; empty where no move does.
    fn inside(&mut self, half: usize, moves: &ListMoves) -> Result<Vec<Scores>, StoreError> {
        let mut slabs = vec![Scores::default(); moves.fills.last().map_or(0, |&most| usize::from(most) + 1)];
        for &filled in &moves.fills {
            let mut target = self.key;
            *[&mut target.upper, &mut target.lower][half] += filled;
            slabs[usize::from(filled)] = self.aligned(target)?;
        }
        Ok(slabs)
    }

    /// A slab with the waist of this one, rows and columns in their places.
    fn aligned(&mut self, key: SlabKey) -> Result<Scores, StoreError> {
        let (scores, cols, least, symmetry) = self.turned(key)?;
        if symmetry == 0 {
            return Ok(scores);
        }
        let [rows, places] = [0, 1].map(|half| self.kernel.map(key, half, WaistMove::NOWHERE, least, symmetry));
        if rows.is_identity() && places.is_identity() {
            return Ok(scores);
        }
        let mut aligned = Vec::with_capacity(scores.len());
        for &row in &rows.places {
            let line = &scores[row as usize * cols..][..cols];
            aligned.extend(places.places.iter().map(|&col| line[col as usize]));
        }
        Ok(Arc::new(aligned))
    }

    /// The stored image of a slab, upper configurations in rows: its scores, columns, key, and the symmetry that
    /// leads to it.
    fn turned(&mut self, key: SlabKey) -> Result<(Scores, usize, SlabKey, usize), StoreError> {
        let Self { kernel, inputs, turned, .. } = self;
        let (least, symmetry) = kernel.space.layout().least(key);
        let (stored, cols) = kernel.stored(inputs, least)?;
        if !kernel.space.layout().symmetries()[symmetry].swaps {
            return Ok((stored, cols, least, symmetry));
        }
        let turned = turned.entry(least).or_insert_with(|| {
            let mut scores = inputs.buffers.take(stored.len());
            tile::transpose(&stored, cols, &mut scores);
            Arc::new(scores)
        });
        Ok((turned.clone(), stored.len() / cols, least, symmetry))
    }

    /// Moves at the waist, row by row.
    fn waist_moves(&mut self, scores: &mut [Score], cols: usize) -> Result<(), StoreError> {
        let Self { kernel, key, .. } = *self;
        let table = kernel.waists[key.waist as usize].get_or_init(|| WaistMoves::new(kernel.space, key.waist));
        let [upper, lower] = kernel.space.lists(key);
        let ranges: FxHashMap<u32, Range<usize>> = classes(lower).collect();
        let everywhere = 0..cols;
        let everywhere = std::slice::from_ref(&everywhere);
        let mut shared = Vec::new();
        for &m in &table.only {
            shared.extend(self.gather(m, everywhere)?);
        }
        for (class, range) in classes(lower) {
            for &m in &table.lower[class as usize] {
                shared.extend(self.gather(m, std::slice::from_ref(&range))?);
            }
        }
        for (class, rows) in classes(upper) {
            let mut own = Vec::new();
            for &m in &table.upper[class as usize] {
                own.extend(self.gather(m, everywhere)?);
            }
            let both = if table.couples { table.both(kernel.space, class) } else { &[] };
            for (m, lower) in both {
                let ranges: Vec<Range<usize>> = lower.iter().filter_map(|class| ranges.get(class).cloned()).collect();
                if !ranges.is_empty() {
                    own.extend(self.gather(*m, &joined(ranges))?);
                }
            }
            for row in rows {
                let scores = &mut scores[row * cols..(row + 1) * cols];
                for gather in shared.iter().chain(&own) {
                    gather.raise(kernel.isa, row, scores);
                }
            }
        }
        Ok(())
    }

    /// Prepares a move for some columns, unless its mirror image does its work.
    fn gather(&mut self, m: WaistMove, ranges: &[Range<usize>]) -> Result<Option<Gather>, StoreError> {
        let key = self.key;
        let target = SlabKey { waist: m.waist, upper: key.upper + m.filled[0], lower: key.lower + m.filled[1] };
        let layout = self.kernel.space.layout();
        if self.is_mirrored && layout.symmetries()[layout.least(target).1].swaps {
            return Ok(None);
        }
        let (from, from_cols, least, symmetry) = self.turned(target)?;
        let [rows, cols] = [0, 1].map(|half| self.kernel.map(key, half, m, least, symmetry));
        let cols = match cols.keeps_neighbours {
            true => Columns::Runs(cols.runs(ranges)),
            false => Columns::Mixed(cols, ranges.to_vec()),
        };
        Ok(Some(Gather { op: m.op, from, from_cols, rows, cols }))
    }
}

impl Gather {
    fn raise(&self, isa: Isa, row: usize, scores: &mut [Score]) {
        let from = &self.from[self.rows.places[row] as usize * self.from_cols..][..self.from_cols];
        match &self.cols {
            Columns::Runs(runs) => isa.raise_runs(self.op, scores, from, runs),
            Columns::Mixed(map, ranges) => {
                for range in ranges {
                    isa.raise_gathered(self.op, &mut scores[range.clone()], from, &map.places[range.clone()]);
                }
            }
        }
    }
}

/// The same places in as few ascending ranges as possible.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|range, last| {
        let adjoins = last.end == range.start;
        if adjoins {
            last.end = range.end;
        }
        adjoins
    });
    ranges
}

/// The classes of a list with their places.
fn classes(list: &List) -> impl Iterator<Item = (u32, Range<usize>)> + '_ {
    let ends = list.classes.iter().skip(1).map(|&(_, first)| first as usize).chain([list.configs.len()]);
    list.classes.iter().zip(ends).map(|(&(class, first), end)| (class, first as usize..end))
}
