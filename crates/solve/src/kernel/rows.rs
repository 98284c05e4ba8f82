//! The fast kernel: one slab as a matrix, move by move instead of position by position.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use dab_space::half_table::List;
use dab_space::{Half, PerHalf, Rules, SlabId, SlabKey, Space};
use dab_store::{Buffer, Scores, StoreError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::halves::{HalfMoves, ListMoves};
use super::isa::Isa;
use super::maps::{Map, MapKey, Maps, Stretch};
use super::op::Op;
use super::steps::{Step, Steps};
use super::tile::{self, LANES, Lane, Rows};
use super::waist::{WaistMove, WaistMoves, WaistTables};
use crate::kernel::source::SlabSource;

/// Everything that does not depend on scores, made once for a space.
pub struct RowKernel<'a> {
    space: &'a Space,
    rules: Rules,
    isa: Isa,
    moves: PerHalf<Arc<HalfMoves>>,
    maps: Maps<'a>,
    waists: WaistTables<'a>,
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
    Runs(Vec<Stretch>),
    /// Each for itself, in some ranges.
    Mixed(Arc<Map>, Vec<Range<usize>>),
}

impl<'a> RowKernel<'a> {
    /// Tabulates the moves of every configuration of the halves.
    pub fn new(space: &'a Space, rules: Rules, isa: Isa) -> Self {
        let [upper, lower] = Half::BOTH.map(|half| space.half(half));
        let moves_of = |half| Arc::new(HalfMoves::new(half, space.kind()));
        let first = moves_of(upper);
        let second = if std::ptr::eq(upper, lower) { first.clone() } else { moves_of(lower) };
        let moves = PerHalf([first, second]);
        Self { space, rules, isa, moves, maps: Maps::new(space), waists: WaistTables::new(space) }
    }

    /// The scores of a slab, row-major.
    ///
    /// # Errors
    /// If an input cannot be read.
    pub fn slab(&self, inputs: &dyn SlabSource, key: SlabKey) -> Result<Buffer, StoreError> {
        let [rows, cols] = self.space.lists(key).map(|list| list.configs.len()).0;
        let partition = self.space.layout().partition();
        if self.space.layout().layer_of(key).0 == partition.units.len() {
            return Ok(vec![-self.rules.penalty; rows * cols].into());
        }
        let is_mirrored = self.is_mirrored(key);
        let mut slab = Prepared { kernel: self, inputs, key, is_mirrored, held: FxHashMap::default() };
        let mut scores = inputs.buffer(rows * cols);
        slab.upper_moves(&mut scores, cols)?;
        if !is_mirrored {
            slab.lower_moves(&mut scores, cols)?;
        }
        slab.waist_moves(&mut scores, cols)?;
        if is_mirrored {
            tile::max_assign_mirrored(&mut scores, cols);
        }
        Ok(scores)
    }

    /// Whether a slab is its own mirror image, place by place: then half of its moves are enough.
    fn is_mirrored(&self, key: SlabKey) -> bool {
        let layout = self.space.layout();
        key.filled[Half::Upper] == key.filled[Half::Lower]
            && layout.images(key).any(|(image, symmetry)| {
                image == key
                    && layout.symmetries()[symmetry].swaps
                    && Half::BOTH
                        .into_iter()
                        .all(|half| self.map(key, half, WaistMove::NOWHERE, key, symmetry).is_identity())
            })
    }

    /// The moves inside a half for its configurations in a slab.
    fn list_moves(&self, key: SlabKey, half: Half) -> &ListMoves {
        let waist = &self.space.layout().waists()[key.waist as usize];
        self.moves[half].list(waist.boundary[half], key.filled[half])
    }

    /// The scores of a stored slab.
    fn stored(&self, inputs: &dyn SlabSource, least: SlabKey) -> Result<Scores, StoreError> {
        let layout = self.space.layout();
        inputs.slab(layout.id(least))
    }

    /// The stored slabs that moves at the waist read, ascending; of a slab that is its own mirror image only those
    /// that its moves read themselves.
    fn waist_sources(&self, key: SlabKey, table: &WaistMoves, is_mirrored: bool) -> Vec<SlabKey> {
        let PerHalf([upper, lower]) = self.space.lists(key);
        let lower: FxHashSet<u32> = classes(lower).map(|(class, _)| class).collect();
        let mut sources = FxHashSet::default();
        let mut add = |m: &WaistMove| sources.extend(self.source_of(key, is_mirrored, m).map(|(least, _)| least));
        table.only.iter().for_each(&mut add);
        lower.iter().flat_map(|&class| &table.lower[class as usize]).for_each(&mut add);
        for (class, _) in classes(upper) {
            table.upper[class as usize].iter().for_each(&mut add);
            let both = table.both(self.space, class).iter();
            both.filter(|(_, classes)| classes.iter().any(|class| lower.contains(class))).for_each(|(m, _)| add(m));
        }
        let mut sources: Vec<SlabKey> = sources.into_iter().collect();
        sources.sort_unstable();
        sources
    }

    /// The stored slab that a move reads and the symmetry that leads to it, unless its mirror image does its work.
    fn source_of(&self, key: SlabKey, is_mirrored: bool, m: &WaistMove) -> Option<(SlabKey, usize)> {
        let target = SlabKey { waist: m.waist, filled: PerHalf::of(|half| key.filled[half] + m.filled[half]) };
        let layout = self.space.layout();
        let (least, symmetry) = layout.least(target);
        let is_left = is_mirrored && layout.symmetries()[symmetry].swaps;
        (!is_left).then_some((least, symmetry))
    }

    /// The stored slabs that the moves of a slab lead to, each once. Tables of moves may take `table_bytes`.
    pub fn sources(&self, key: SlabKey, table_bytes: u64) -> Vec<SlabId> {
        let at_waist = self.waist_sources(key, &self.waists.moves(key.waist, table_bytes), false);
        self.with_those_inside(key, at_waist)
    }

    /// The same, worked out for all slabs of a waist at once; needs no tables.
    pub fn sources_of_waist(&self, keys: &[SlabKey]) -> Vec<Vec<SlabId>> {
        let layout = self.space.layout();
        let Some(steps) = keys.first().map(|key| Steps::new(self.space, key.waist)) else { return Vec::new() };
        let of_slab = |&key: &SlabKey| {
            let target =
                |(waist, more): Step| SlabKey { waist, filled: PerHalf::of(|half| key.filled[half] + more[half]) };
            let at_waist = steps.from(key.filled).map(|step| layout.least(target(step)).0);
            self.with_those_inside(key, at_waist.collect())
        };
        keys.iter().map(of_slab).collect()
    }

    /// Some slabs that a slab reads and those that moves inside its halves lead to, each once.
    fn with_those_inside(&self, key: SlabKey, mut sources: Vec<SlabKey>) -> Vec<SlabId> {
        let layout = self.space.layout();
        for half in Half::BOTH {
            let fills = self.list_moves(key, half).fills.iter();
            sources.extend(fills.map(|&filled| layout.least(filled_in(key, half, filled)).0));
        }
        sources.sort_unstable();
        sources.dedup();
        sources.into_iter().map(|key| layout.id(key)).collect()
    }

    /// Where the rows (0) or columns (1) of slab `key` go under a move.
    fn map(&self, key: SlabKey, half: Half, m: WaistMove, least: SlabKey, symmetry: usize) -> Arc<Map> {
        let layout = self.space.layout();
        let here = &layout.waists()[key.waist as usize];
        let there = &layout.waists()[least.waist as usize];
        let to = half.swapped_if(layout.symmetries()[symmetry].swaps);
        self.maps.map(MapKey {
            half,
            boundary: here.boundary[half],
            filled: key.filled[half],
            effect: m.effects[half],
            symmetry,
            target: there.boundary[to],
        })
    }
}

/// The slab that a move inside a half leads to when it fills so many units.
fn filled_in(mut key: SlabKey, half: Half, filled: u8) -> SlabKey {
    key.filled[half] += filled;
    key
}

/// A slab that is being computed, and what it reads: in batches, so that a thread holds no more than its share.
struct Prepared<'a> {
    kernel: &'a RowKernel<'a>,
    inputs: &'a dyn SlabSource,
    key: SlabKey,
    /// The slab is its own mirror image, and moves to slabs that are stored transposed are left to their images.
    is_mirrored: bool,
    /// The slabs of the batch, as they are stored and, where that is needed, turned.
    held: FxHashMap<(SlabKey, bool), Scores>,
}

impl Prepared<'_> {
    /// Moves inside the upper half, row by row.
    fn upper_moves(&mut self, scores: &mut [i8], cols: usize) -> Result<(), StoreError> {
        let moves = self.kernel.list_moves(self.key, Half::Upper);
        let mut is_first = true;
        let mut rest = &moves.fills[..];
        while is_first || !rest.is_empty() {
            let (slabs, fills) = self.inside(Half::Upper, &mut rest)?;
            let sources: Vec<Rows<'_>> = slabs.iter().map(|scores| Rows { scores, cols }).collect();
            for (moves, best) in moves.by_config(fills).into_iter().zip(scores.chunks_exact_mut(cols)) {
                self.kernel.isa.best_of_row(moves, &sources, best, is_first);
            }
            is_first = false;
        }
        Ok(())
    }

    /// Moves inside the lower half, one strip of rows after the other.
    fn lower_moves(&mut self, scores: &mut [i8], cols: usize) -> Result<(), StoreError> {
        let moves = self.kernel.list_moves(self.key, Half::Lower);
        let rows = scores.len() / cols;
        let mut rest = &moves.fills[..];
        while !rest.is_empty() {
            let (slabs, fills) = self.inside(Half::Lower, &mut rest)?;
            let by_config = moves.by_config(fills);
            let mut tiles: Vec<Vec<Lane>> = vec![Vec::new(); slabs.len()];
            let mut best = vec![Lane([0; LANES]); by_config.len()];
            for first in (0..rows).step_by(LANES) {
                for (scores, tile) in slabs.iter().zip(&mut tiles).filter(|(scores, _)| !scores.is_empty()) {
                    Rows { scores, cols: scores.len() / rows }.load(first, tile);
                }
                let sources: Vec<&[Lane]> = tiles.iter().map(Vec::as_slice).collect();
                self.kernel.isa.best_of_lanes(&by_config, &sources, &mut best);
                tile::max_assign_strip(&best, scores, cols, first);
            }
        }
        Ok(())
    }

    /// The next batch of slabs that moves inside a half lead to, by number of units that they fill, and the range of
    /// these numbers. Slabs where no move leads are empty; `rest` loses what the batch holds.
    fn inside(&mut self, half: Half, rest: &mut &[u8]) -> Result<(Vec<Scores>, RangeInclusive<u8>), StoreError> {
        let targets: Vec<SlabKey> = rest.iter().map(|&filled| filled_in(self.key, half, filled)).collect();
        let n = self.next_batch(&targets);
        let (batch, others) = rest.split_at(n);
        *rest = others;
        let mut slabs = Vec::new();
        for (&filled, &target) in batch.iter().zip(&targets) {
            slabs.resize(usize::from(filled), Scores::default());
            slabs.push(self.aligned(target)?);
        }
        Ok((slabs, batch.first().map_or(0, |&filled| filled)..=batch.last().map_or(0, |&filled| filled)))
    }

    /// How many of these slabs the next batch may hold: as many as fit, and one in any case.
    fn next_batch(&mut self, slabs: &[SlabKey]) -> usize {
        let limit = self.inputs.batch_bytes();
        let sizes = || slabs.iter().map(|&key| self.kernel.space.layout().positions(key));
        let held: u64 = self.held.values().map(|scores| scores.len() as u64).sum();
        let fitting = |held: u64| {
            let ends = sizes().scan(held, |end, size| {
                *end += size;
                Some(*end)
            });
            ends.take_while(|&end| end <= limit).count()
        };
        match fitting(held) {
            0 => {
                let n = fitting(0).clamp(slabs.len().min(1), slabs.len());
                self.held.clear();
                n
            }
            n => n,
        }
    }

    /// A slab with the waist of this one, rows and columns in their places.
    fn aligned(&mut self, key: SlabKey) -> Result<Scores, StoreError> {
        let (least, symmetry) = self.kernel.space.layout().least(key);
        let (scores, cols) = self.source(least, symmetry)?;
        if symmetry == 0 {
            return Ok(scores);
        }
        let [rows, places] = Half::BOTH.map(|half| self.kernel.map(key, half, WaistMove::NOWHERE, least, symmetry));
        if rows.is_identity() && places.is_identity() {
            return Ok(scores);
        }
        let mut aligned = self.inputs.scratch(scores.len());
        for (&row, to) in rows.places.iter().zip(aligned.chunks_exact_mut(cols)) {
            let line = &scores[row as usize * cols..][..cols];
            places.places.iter().zip(to).for_each(|(&col, to)| *to = line[col as usize]);
        }
        drop(scores);
        // It takes the place of the slab that it was made of.
        let swaps = self.kernel.space.layout().symmetries()[symmetry].swaps;
        self.held.remove(&(least, swaps));
        let aligned = Scores::from(aligned);
        self.held.insert((key, false), aligned.clone());
        Ok(aligned)
    }

    /// A stored slab as it is read through a symmetry, turned if that exchanges the halves: its scores and columns.
    fn source(&mut self, least: SlabKey, symmetry: usize) -> Result<(Scores, usize), StoreError> {
        let Self { kernel, inputs, held, .. } = self;
        let swaps = kernel.space.layout().symmetries()[symmetry].swaps;
        let [rows, cols] = kernel.space.lists(least).map(|list| list.configs.len()).0;
        let cols_here = if swaps { rows } else { cols };
        if let Some(scores) = held.get(&(least, swaps)) {
            return Ok((scores.clone(), cols_here));
        }
        let mut scores = kernel.stored(*inputs, least)?;
        if swaps {
            let mut turned = inputs.scratch(scores.len());
            tile::transpose(&scores, cols, &mut turned);
            scores = turned.into();
        }
        held.insert((least, swaps), scores.clone());
        Ok((scores, cols_here))
    }

    /// Moves at the waist, row by row.
    fn waist_moves(&mut self, scores: &mut [i8], cols: usize) -> Result<(), StoreError> {
        let table = self.kernel.waists.moves(self.key.waist, self.inputs.table_bytes());
        self.inputs.set_table_bytes(self.kernel.waists.bytes());
        let sources = self.kernel.waist_sources(self.key, &table, self.is_mirrored);
        let mut rest = &sources[..];
        while !rest.is_empty() {
            let (batch, others) = rest.split_at(self.next_batch(rest));
            self.raise_from(batch, &table, scores, cols)?;
            rest = others;
        }
        Ok(())
    }

    /// Raises all rows to those moves at the waist that read the slabs of a batch.
    fn raise_from(
        &mut self,
        batch: &[SlabKey],
        table: &WaistMoves,
        scores: &mut [i8],
        cols: usize,
    ) -> Result<(), StoreError> {
        let kernel = self.kernel;
        let PerHalf([upper, lower]) = kernel.space.lists(self.key);
        let ranges: FxHashMap<u32, Range<usize>> = classes(lower).collect();
        let everywhere = 0..cols;
        let everywhere = std::slice::from_ref(&everywhere);
        let mut shared = Vec::new();
        for &m in &table.only {
            shared.extend(self.gather(m, batch, everywhere)?);
        }
        for (class, range) in classes(lower) {
            for &m in &table.lower[class as usize] {
                shared.extend(self.gather(m, batch, std::slice::from_ref(&range))?);
            }
        }
        for (class, rows) in classes(upper) {
            let mut own = Vec::new();
            for &m in &table.upper[class as usize] {
                own.extend(self.gather(m, batch, everywhere)?);
            }
            for (m, lower) in table.both(kernel.space, class) {
                let ranges: Vec<Range<usize>> = lower.iter().filter_map(|class| ranges.get(class).cloned()).collect();
                if !ranges.is_empty() {
                    own.extend(self.gather(*m, batch, &joined(ranges))?);
                }
            }
            for row in rows {
                let scores = &mut scores[row * cols..(row + 1) * cols];
                for gather in shared.iter().chain(&own) {
                    gather.max_assign(kernel.isa, row, scores);
                }
            }
        }
        Ok(())
    }

    /// Prepares a move for some columns, if it reads one of the slabs of a batch.
    fn gather(
        &mut self,
        m: WaistMove,
        batch: &[SlabKey],
        ranges: &[Range<usize>],
    ) -> Result<Option<Gather>, StoreError> {
        let source = self.kernel.source_of(self.key, self.is_mirrored, &m);
        let Some((least, symmetry)) = source.filter(|(least, _)| batch.binary_search(least).is_ok()) else {
            return Ok(None);
        };
        let (from, from_cols) = self.source(least, symmetry)?;
        let [rows, cols] = Half::BOTH.map(|half| self.kernel.map(self.key, half, m, least, symmetry));
        let cols = match cols.keeps_neighbours {
            true => Columns::Runs(cols.runs(ranges)),
            false => Columns::Mixed(cols, ranges.to_vec()),
        };
        Ok(Some(Gather { op: m.op, from, from_cols, rows, cols }))
    }
}

impl Gather {
    fn max_assign(&self, isa: Isa, row: usize, scores: &mut [i8]) {
        let from = &self.from[self.rows.places[row] as usize * self.from_cols..][..self.from_cols];
        match &self.cols {
            Columns::Runs(runs) => isa.max_assign_stretches(self.op, scores, from, runs),
            Columns::Mixed(map, ranges) => {
                for range in ranges {
                    isa.max_assign_gathered(self.op, &mut scores[range.clone()], from, &map.places[range.clone()]);
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
