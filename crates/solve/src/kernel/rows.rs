//! The row kernel: a slab as a matrix, computed move by move instead of position by position.
//!
//! The rows of a slab are the configurations of the upper half, its columns those of the lower half. A move that fills
//! units of one half only leads to the same place of the other half. So one vector operation does for 64 positions:
//! ```text
//!    if the slab is that of the finished position: its only score is -penalty, without a mark
//!    scores = -∞
//!    for each row, for each move m inside the upper half:                    upper_moves
//!        scores[row][..] = max(scores[row][..], op_m(from_m[row_m][..]))
//!    for each strip of 64 rows, turned so that a column is a vector:         lower_moves
//!        for each column, for each move m inside the lower half:
//!            strip[col] = max(strip[col], op_m(from_m[col_m]))
//!    for each row, for each move m at the waist, by classes:                 waist_moves
//!        scores[row][col] = max(scores[row][col], op_m(from_m[map_m(row)][map_m(col)]))
//!        strip by strip where a mirror image disturbs the columns            strips
//! ```
//! Rows and strips of a large slab are shared out among all threads that are free (`bands.rs`).
//! `op` is what a move is worth (`op.rs`): `-x` for a safe line, `-k - x` for k boxes given away. Slabs that
//! moves read come in batches that fit the share of a thread (`batch.rs`). Half the moves are enough for a
//! slab that is its own mirror image: the result is max-assigned to its transposed form.
//!
//! One slab of 2x3 in the quiet space. The waist is the middle lines 3, 4 and 5, of which 3 and 4 are drawn; five units
//! of each half are. Both halves have the same two configurations, numbered 0 and 1; the upper ones are:
//! ```text
//!    +---+---+   +        +---+   +---+
//!    |   |   |            |   |       |       line 3 is below the left box, line 5 below the right one
//!    +---+---+   +        +---+---+   +
//!    0: the right box     1: a chain of two boxes
//!       has three open       from the outside to line 5
//!       lines
//!
//!                  column 0                column 1
//!    row 0    0 = max(-2, -2, -0)      3 = max(3, -2 + 1)       layer 12, its own mirror image
//!    row 1    3                       -4 = min(-4 - 0, 0)
//! ```
//! Row 0, column 0: drawing the top line inside the upper half leads to row 0, column 0 of the slab with 6 and 5 units,
//! whose scores are `[2, -3]`; that is worth -2, and so is the mirrored move. Line 5 leads to a score of 0. Row 0, column
//! 1: the same row of the same slab has -3 in column 1, worth 3; opening the chain gives two boxes away and leads to -1,
//! worth -2 + 1. Row 1, column 1: both chains are one chain of four boxes. The opponent takes them all, or declines the
//! last two; he prefers the former.

use std::cell::OnceCell;
use std::ops::Range;
use std::slice::from_ref;

use dab_space::{Half, Rules, SlabId, SlabKey, Space};
use dab_store::{Buffer, SHARED_OUT, Scores, Wanted};
use rustc_hash::FxHashMap;

use super::areas::WaistAreas;
use super::bands::Crew;
use super::batch::{Batch, Source};
use super::isa::{self, Isa};
use super::mirror;
use super::move_tables::{MoveTables, classes};
use super::source::SlabSource;
use super::stretches::StretchMove;
use super::strips::StripMoves;
use super::tile::{self, LANES, Lane, Rows};
use super::waist::WaistMoves;
use super::waist_move::WaistMove;
use crate::SolveError;

/// The fast kernel of a space.
pub struct RowKernel<'a> {
    tables: Box<MoveTables<'a>>,
    rules: Rules,
    isa: Isa,
    /// Positions from which on a slab is shared out.
    shared_from: usize,
}

impl<'a> RowKernel<'a> {
    /// A kernel for a space. Its tables are made when they are first needed.
    pub fn new(space: &'a Space, rules: Rules, isa: Isa) -> Self {
        Self { tables: Box::new(MoveTables::new(space, rules)), rules, isa, shared_from: SHARED_OUT }
    }

    /// The same kernel, which shares out slabs of `positions` positions and more.
    #[cfg(test)]
    pub(crate) fn that_shares_from(self, positions: usize) -> Self {
        Self { shared_from: positions, ..self }
    }

    /// The rules of the scores.
    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    /// The scores of a slab, row-major.
    ///
    /// # Errors
    /// If an input cannot be read, or the slab is not wanted any more.
    pub fn slab(&self, inputs: &dyn SlabSource, key: SlabKey) -> Result<Buffer, SolveError> {
        let (tables, isa) = (&*self.tables, self.isa);
        let [rows, cols] = tables.space.lists(key).map(|list| list.configs.len()).0;
        let layout = tables.space.layout();
        if layout.layer_of(key).0 == layout.partition().units.len() {
            return Ok(vec![self.rules.finished(); rows * cols].into());
        }
        let is_mirrored = tables.is_mirrored(key);
        let crew = &Crew::new(inputs, layout.layer_of(key), rows * cols >= self.shared_from);
        let batch = Batch::new(tables, inputs, crew, key);
        let mut slab = Slab { tables, isa, inputs, crew, key, is_mirrored, batch };
        let mut scores = inputs.buffer(rows * cols);
        slab.upper_moves(&mut scores, cols)?;
        if !is_mirrored {
            slab.lower_moves(&mut scores, cols)?;
        }
        slab.waist_moves(&mut scores, cols)?;
        if is_mirrored {
            mirror::max_assign_mirrored(crew, &mut scores, cols);
        }
        crew.check()?;
        Ok(scores)
    }

    /// The stored slabs that the moves of a slab lead to, each once. Tables of moves may take `table_bytes`.
    pub fn sources(&self, key: SlabKey, table_bytes: u64) -> Vec<SlabId> {
        self.tables.sources(key, table_bytes)
    }

    /// For each stored slab that the moves of a slab read, the part of it that has to be decoded for them.
    pub(crate) fn parts(&self, key: SlabKey) -> Vec<(SlabId, f64)> {
        self.tables.parts(key)
    }

    /// The stored slabs that the moves lead to, worked out for all slabs of a waist at once; needs no tables.
    pub fn sources_of_waist(&self, keys: &[SlabKey]) -> Vec<Vec<SlabId>> {
        self.tables.sources_of_waist(keys)
    }
}

/// A stored slab: its key, its scores, its number of columns.
type Stored = (SlabKey, (Scores, usize));

/// A slab that is being computed.
struct Slab<'a> {
    tables: &'a MoveTables<'a>,
    isa: Isa,
    inputs: &'a dyn SlabSource,
    crew: &'a Crew<'a>,
    key: SlabKey,
    /// The slab is its own mirror image, and moves to slabs that are stored transposed are left to their images.
    is_mirrored: bool,
    batch: Batch<'a>,
}

impl Slab<'_> {
    /// Moves inside the upper half, row by row.
    fn upper_moves(&mut self, scores: &mut [i8], cols: usize) -> Result<(), SolveError> {
        let moves = self.tables.inside(self.key, Half::Upper);
        let (mut is_first, rows) = (true, self.crew.rows(cols));
        let mut rest = &moves.fills[..];
        while is_first || !rest.is_empty() {
            let (slabs, fills) = self.batch.inside((Half::Upper, moves), &mut rest)?;
            let sources: Vec<Rows<'_>> = slabs.iter().map(|source| Rows { scores: &source.scores, cols }).collect();
            let by_config = moves.by_config(fills);
            self.crew.for_each_band(
                scores,
                rows * cols,
                || (),
                |(), band, scores| {
                    for (moves, best) in by_config[band * rows..].iter().zip(scores.chunks_exact_mut(cols)) {
                        isa::best_of_row(self.isa, moves, &sources, best, is_first);
                    }
                },
            );
            self.crew.check()?;
            is_first = false;
        }
        Ok(())
    }

    /// Moves inside the lower half, one strip of rows after the other.
    fn lower_moves(&mut self, scores: &mut [i8], cols: usize) -> Result<(), SolveError> {
        let moves = self.tables.inside(self.key, Half::Lower);
        let rows = scores.len() / cols;
        let mut rest = &moves.fills[..];
        while !rest.is_empty() {
            let (slabs, fills) = self.batch.inside((Half::Lower, moves), &mut rest)?;
            let by_config = moves.by_config(fills);
            let begin = || (vec![Vec::new(); slabs.len()], vec![Lane([0; LANES]); by_config.len()]);
            self.crew.for_each_band(scores, LANES * cols, begin, |(tiles, best), strip, scores| {
                for ((filled, Source { scores, is_turned }), tile) in (0..).zip(&slabs).zip(&mut *tiles) {
                    let (first, blocks) = (strip * LANES, moves.blocks(filled));
                    if *is_turned {
                        Rows { scores, cols: rows }.copy(first, blocks, tile);
                    } else if !scores.is_empty() {
                        Rows { scores, cols: scores.len() / rows }.load(first, blocks, tile);
                    }
                }
                let sources: Vec<&[Lane]> = tiles.iter().map(Vec::as_slice).collect();
                isa::best_of_lanes(self.isa, &by_config, &sources, best);
                tile::max_assign_strip(best, scores, cols);
            });
            self.crew.check()?;
        }
        Ok(())
    }

    /// Moves at the waist, row by row.
    fn waist_moves(&mut self, scores: &mut [i8], cols: usize) -> Result<(), SolveError> {
        let (tables, key, is_mirrored) = (self.tables, self.key, self.is_mirrored);
        let table = tables.at_waist(key.waist, self.inputs.table_bytes());
        self.inputs.set_table_bytes(tables.bytes());
        let areas = WaistAreas::new(tables, key, &table);
        let sources = areas.sources(tables, key, is_mirrored);
        let wanted = OnceCell::new();
        let mut rest = &sources[..];
        while !rest.is_empty() {
            let (batch, others) = rest.split_at(self.batch.next(rest));
            let mut stored = Vec::with_capacity(batch.len());
            for &least in batch {
                let wanted = || {
                    let of_all = wanted.get_or_init(|| areas.wanted(tables, key, is_mirrored));
                    of_all.get(&least).cloned().unwrap_or(Wanted::ALL)
                };
                stored.push((least, self.batch.stored(least, &wanted)?));
            }
            self.assign_from(&stored, (&areas, &table), scores, cols);
            self.crew.check()?;
            rest = others;
        }
        Ok(())
    }

    /// Max-assigns all rows to those moves at the waist that read the slabs of a batch.
    fn assign_from(
        &self,
        batch: &[Stored],
        (areas, table): (&WaistAreas, &WaistMoves),
        scores: &mut [i8],
        cols: usize,
    ) {
        let mut strips = Half::BOTH.map(StripMoves::new);
        // Each move once, for all rows and columns that it applies to.
        let mut shared = Vec::new();
        for (m, cols) in &areas.of_cols {
            shared.extend(self.prepare(batch, m, (from_ref(&areas.rows), cols), &mut strips));
        }
        let mut of_classes: FxHashMap<WaistMove, StretchMove> = FxHashMap::default();
        for (m, rows) in &areas.of_rows {
            let ready = self.prepare(batch, m, (rows, from_ref(&areas.cols)), &mut strips);
            of_classes.extend(ready.map(|ready| (*m, ready)));
        }
        let mut of_sets: Vec<Vec<StretchMove>> = Vec::new();
        for (rows, moves) in &areas.of_sets {
            let ready = moves.iter().filter_map(|(m, cols)| self.prepare(batch, m, (rows, cols), &mut strips));
            of_sets.push(ready.collect());
        }
        let upper = &self.tables.space.lists(self.key)[Half::Upper];
        let mut by_class: Vec<(Range<usize>, Vec<&StretchMove>)> = Vec::new();
        for (class, rows) in classes(upper) {
            let own = table.upper[class as usize].iter().filter_map(|m| of_classes.get(m));
            let coupled = table.couplings.sets_of(class).flat_map(|set| &of_sets[set]);
            by_class.push((rows, own.chain(coupled).chain(&shared).collect()));
        }
        let rows = self.crew.rows(cols);
        self.crew.for_each_band(
            scores,
            rows * cols,
            || (),
            |(), band, scores| {
                let first = band * rows;
                let mut class = by_class.partition_point(|(rows, _)| rows.end <= first);
                for (row, scores) in (first..).zip(scores.chunks_exact_mut(cols)) {
                    class += usize::from(by_class[class].0.end <= row);
                    by_class[class].1.iter().for_each(|m| m.max_assign(self.isa, row, scores));
                }
            },
        );
        strips.into_iter().for_each(|moves| moves.max_assign((self.crew, self.isa), scores, cols));
    }

    /// Prepares a move for some rows and columns if it reads a slab of a batch. A move that keeps neighbours together is returned; others
    /// are followed in `strips`, those of the lower half if the target is stored with its halves exchanged.
    fn prepare(
        &self,
        batch: &[Stored],
        &m: &WaistMove,
        (rows, cols): (&[Range<usize>], &[Range<usize>]),
        strips: &mut [StripMoves; 2],
    ) -> Option<StretchMove> {
        let (least, symmetry) = self.tables.source_of(self.key, self.is_mirrored, &m)?;
        let at = batch.binary_search_by_key(&least, |&(least, _)| least).ok()?;
        if strips.iter_mut().any(|moves| moves.extend(m, rows, cols)) {
            return None;
        }
        let from = batch[at].1.clone();
        let [row_map, col_map] = Half::BOTH.map(|half| self.tables.map(self.key, half, m, least, symmetry));
        let [of_rows, of_cols] = strips;
        let (moves, target) = if self.tables.space.layout().symmetries()[symmetry].swaps {
            (of_cols, (from, [col_map, row_map]))
        } else if col_map.keeps_neighbours {
            return Some(StretchMove::new(m.op, from, [row_map, col_map], cols));
        } else {
            (of_rows, (from, [row_map, col_map]))
        };
        moves.add(m, target);
        moves.extend(m, rows, cols);
        None
    }
}
