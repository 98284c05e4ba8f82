//! The slabs that a thread reads at a time, so that it holds no more than its share of the memory.

use std::ops::RangeInclusive;

use dab_space::{Half, SlabKey};
use dab_store::{Scores, StoreError, Wanted};
use rustc_hash::FxHashMap;

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
    /// The slabs of the batch: as they are stored, or mirrored to the places of a key that is not stored.
    held: FxHashMap<SlabKey, Scores>,
    /// The memory of the mirrored ones.
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
        Self { tables, inputs, crew, key, held: FxHashMap::default(), copies: Vec::new() }
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

    /// Begins the next batch; returns how many of these slabs it may hold. They are as many as fit, and at least one.
    pub(super) fn next(&mut self, slabs: &[SlabKey]) -> usize {
        let limit = self.inputs.batch_bytes(self.tables.space.layout().positions(self.key));
        let sizes = || slabs.iter().map(|&key| self.tables.space.layout().positions(key));
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
                self.copies.clear();
                n
            }
            n => n,
        }
    }

    /// The slab to which the moves inside a half lead that fill `filled` units, rows and columns in their places; for moves of the lower half
    /// it may stay turned. Scores to which no move leads are arbitrary.
    fn aligned(&mut self, key: SlabKey, (half, moves, filled): (Half, &ListMoves, u8)) -> Result<Source, StoreError> {
        let (tables, layout) = (self.tables, self.tables.space.layout());
        let (least, symmetry) = layout.least(key);
        let swaps = layout.symmetries()[symmetry].swaps;
        let map = |half: Half| tables.map(key, half, WaistMove::NOWHERE, least, symmetry);
        let wanted = || {
            let mut flags = [layout.rows(least), layout.cols(least)].map(|n| vec![true; n as usize]);
            let of_half = &mut flags[usize::from(half.swapped_if(swaps) == Half::Lower)];
            of_half.fill(false);
            let map = (symmetry != 0).then(|| map(half));
            for place in moves.places(filled) {
                of_half[map.as_ref().map_or(place, |map| map.places[place] as usize)] = true;
            }
            let [rows, cols] = flags;
            Wanted::of(rows, cols)
        };
        let (mut scores, mut cols) = self.stored(least, &wanted)?;
        if symmetry == 0 {
            return Ok(Source { scores, is_turned: false });
        }
        let [rows, places] = Half::BOTH.map(map);
        let is_moved = !(rows.is_identity() && places.is_identity());
        if !is_moved && (!swaps || half == Half::Lower) {
            return Ok(Source { scores, is_turned: swaps });
        }
        // It takes the place of the slab that it is made of.
        self.held.remove(&least);
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
        self.held.insert(key, scores.clone());
        Ok(Source { scores, is_turned: false })
    }

    /// A slab as it is stored, at least the scores that are wanted of it: with its number of columns.
    pub(super) fn stored(
        &mut self,
        least: SlabKey,
        wanted: &dyn Fn() -> Wanted,
    ) -> Result<(Scores, usize), StoreError> {
        let Self { tables, inputs, held, .. } = self;
        let layout = tables.space.layout();
        // More of it cannot be decoded into memory that others hold.
        held.remove(&least);
        let scores = inputs.slab(layout.id(least), wanted)?;
        held.insert(least, scores.clone());
        Ok((scores, layout.cols(least) as usize))
    }
}
