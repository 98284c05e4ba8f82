//! The slabs that a thread reads at a time, so that it holds no more than its share of the memory.

use std::ops::RangeInclusive;

use dab_space::{Half, SlabId, SlabKey};
use dab_store::{Scores, StoreError, Wanted};

use super::bands::Crew;
use super::halves::ListMoves;
use super::mirror;
use super::move_tables::{MoveTables, filled_in};
use super::source::{Lent, SlabSource};
use super::waist_move::WaistMove;

/// The slabs that the moves of one slab are followed into at a time.
pub(super) struct Batch<'a> {
    tables: &'a MoveTables<'a>,
    inputs: &'a dyn SlabSource,
    crew: &'a Crew<'a>,
    /// The slab whose moves are followed.
    key: SlabKey,
    /// The slabs of the batch.
    read: Vec<SlabId>,
    /// The memory of those that are mirrored to the places of a key that is not stored.
    copies: Vec<Lent<'a>>,
}

/// The scores of a slab that moves inside a half lead to.
#[derive(Default)]
pub(super) struct Source {
    pub(super) scores: Scores,
    /// Whether its rows are the configurations of the lower half. Moves of that half read columns, so they take it as it is.
    pub(super) is_turned: bool,
}

impl<'a> Batch<'a> {
    /// An empty batch.
    pub(super) fn new(
        tables: &'a MoveTables<'a>,
        inputs: &'a dyn SlabSource,
        crew: &'a Crew<'a>,
        key: SlabKey,
    ) -> Self {
        Self { tables, inputs, crew, key, read: Vec::new(), copies: Vec::new() }
    }

    /// The next batch of slabs that moves inside a half lead to, by number of units that they fill, and the range of
    /// these numbers. Slabs where no move leads are empty; `rest` loses the numbers that the batch holds.
    pub(super) fn inside(
        &mut self,
        (half, moves): (Half, &ListMoves),
        rest: &mut &[u8],
    ) -> Result<(Vec<Source>, RangeInclusive<u8>), StoreError> {
        let targets: Vec<SlabKey> = rest.iter().map(|&filled| filled_in(self.key, half, filled)).collect();
        let n = self.next(&targets);
        let (batch, others) = rest.split_at(n);
        *rest = others;
        let mut slabs = Vec::new();
        for (&filled, &target) in batch.iter().zip(&targets) {
            slabs.resize_with(usize::from(filled), Source::default);
            slabs.push(self.aligned(target, (half, moves, filled))?);
        }
        Ok((slabs, batch.first().map_or(0, |&filled| filled)..=batch.last().map_or(0, |&filled| filled)))
    }

    /// Begins the next batch, when nobody uses the last one any more; returns how many of these slabs it may hold. They are as many as fit,
    /// and at least one.
    pub(super) fn next(&mut self, slabs: &[SlabKey]) -> usize {
        self.inputs.passed(&self.read);
        self.read.clear();
        self.copies.clear();
        let layout = self.tables.space.layout();
        let limit = self.inputs.batch_bytes(layout.positions(self.key));
        let ends = slabs.iter().scan(0, |end, &key| {
            *end += layout.positions(key);
            Some(*end)
        });
        ends.take_while(|&end| end <= limit).count().clamp(slabs.len().min(1), slabs.len())
    }

    /// The slab to which the moves inside a half lead that fill `filled` units, rows and columns in their places; for moves of the lower half
    /// it may stay turned. Scores to which no move leads are arbitrary.
    fn aligned(&mut self, key: SlabKey, (half, moves, filled): (Half, &ListMoves, u8)) -> Result<Source, StoreError> {
        let (tables, layout) = (self.tables, self.tables.space.layout());
        let (least, symmetry) = layout.least(key);
        let swaps = layout.symmetries()[symmetry].swaps;
        let map = |half: Half| tables.map(key, half, WaistMove::NOWHERE, least, symmetry);
        let wanted = || tables.wanted_inside(key, (half, moves, filled));
        let (mut scores, mut cols) = self.stored(least, &wanted)?;
        if symmetry == 0 {
            return Ok(Source { scores, is_turned: false });
        }
        let [rows, places] = Half::BOTH.map(map);
        let is_moved = !(rows.is_identity() && places.is_identity());
        if !is_moved && (!swaps || half == Half::Lower) {
            return Ok(Source { scores, is_turned: swaps });
        }
        let lend = |len: usize| Lent::new(self.inputs, [len as u64, 0]);
        let mut lent = None;
        if swaps {
            lent = Some(lend(scores.len()));
            let mut turned = self.inputs.buffer(scores.len());
            mirror::transpose(self.crew, &scores, cols, &mut turned);
            cols = scores.len() / cols;
            scores = turned.into();
        }
        if is_moved {
            // The turned slab is there until this one is.
            let of_turned = lent.replace(lend(scores.len()));
            let mut aligned = self.inputs.buffer(scores.len());
            let n_rows = self.crew.rows(cols);
            self.crew.for_each_band(
                &mut aligned,
                n_rows * cols,
                || (),
                |(), band, aligned| {
                    for (&row, to) in rows.places[band * n_rows..].iter().zip(aligned.chunks_exact_mut(cols)) {
                        let line = &scores[row as usize * cols..][..cols];
                        places.places.iter().zip(to).for_each(|(&col, to)| *to = line[col as usize]);
                    }
                },
            );
            drop(of_turned);
            scores = aligned.into();
        }
        self.copies.extend(lent);
        Ok(Source { scores, is_turned: false })
    }

    /// A slab as it is stored, at least the scores that are wanted of it: with its number of columns.
    pub(super) fn stored(
        &mut self,
        least: SlabKey,
        wanted: &dyn Fn() -> Wanted,
    ) -> Result<(Scores, usize), StoreError> {
        let layout = self.tables.space.layout();
        let id = layout.id(least);
        let scores = self.inputs.slab(id, wanted)?;
        self.read.push(id);
        Ok((scores, layout.cols(least) as usize))
    }
}
