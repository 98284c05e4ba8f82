//! The slabs that a thread reads at a time, so that it holds no more than its share of the memory.

use std::ops::RangeInclusive;

use dab_space::{Half, SlabKey};
use dab_store::{Scores, StoreError};
use rustc_hash::FxHashMap;

use super::move_tables::{MoveTables, filled_in};
use super::source::SlabSource;
use super::tile;
use super::waist::WaistMove;

/// The slabs that the moves of one slab are followed into at a time.
pub(super) struct Batch<'a> {
    tables: &'a MoveTables<'a>,
    inputs: &'a dyn SlabSource,
    /// The slab whose moves are followed.
    key: SlabKey,
    /// The slabs of the batch, as they are stored (`false`) or turned (`true`).
    held: FxHashMap<(SlabKey, bool), Scores>,
}

impl<'a> Batch<'a> {
    /// An empty batch.
    pub(super) fn new(tables: &'a MoveTables<'a>, inputs: &'a dyn SlabSource, key: SlabKey) -> Self {
        Self { tables, inputs, key, held: FxHashMap::default() }
    }

    /// The next batch of slabs that moves inside a half lead to, by number of units that they fill, and the range of
    /// these numbers. Slabs where no move leads are empty; `rest` loses the numbers that the batch holds.
    pub(super) fn inside(
        &mut self,
        half: Half,
        rest: &mut &[u8],
    ) -> Result<(Vec<Scores>, RangeInclusive<u8>), StoreError> {
        let targets: Vec<SlabKey> = rest.iter().map(|&filled| filled_in(self.key, half, filled)).collect();
        let n = self.next(&targets);
        let (batch, others) = rest.split_at(n);
        *rest = others;
        let mut slabs = Vec::new();
        for (&filled, &target) in batch.iter().zip(&targets) {
            slabs.resize(usize::from(filled), Scores::default());
            slabs.push(self.aligned(target)?);
        }
        Ok((slabs, batch.first().map_or(0, |&filled| filled)..=batch.last().map_or(0, |&filled| filled)))
    }

    /// Begins the next batch; returns how many of these slabs it may hold. They are as many as fit, and at least one.
    pub(super) fn next(&mut self, slabs: &[SlabKey]) -> usize {
        let limit = self.inputs.batch_bytes();
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
                n
            }
            n => n,
        }
    }

    /// A slab with the waist of this one, rows and columns in their places.
    fn aligned(&mut self, key: SlabKey) -> Result<Scores, StoreError> {
        let (least, symmetry) = self.tables.space.layout().least(key);
        let (scores, cols) = self.source(least, symmetry)?;
        if symmetry == 0 {
            return Ok(scores);
        }
        let [rows, places] = Half::BOTH.map(|half| self.tables.map(key, half, WaistMove::NOWHERE, least, symmetry));
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
        let swaps = self.tables.space.layout().symmetries()[symmetry].swaps;
        self.held.remove(&(least, swaps));
        let aligned = Scores::from(aligned);
        self.held.insert((key, false), aligned.clone());
        Ok(aligned)
    }

    /// A stored slab as it is read through a symmetry, turned if that exchanges the halves: its scores and columns.
    pub(super) fn source(&mut self, least: SlabKey, symmetry: usize) -> Result<(Scores, usize), StoreError> {
        let Self { tables, inputs, held, .. } = self;
        let swaps = tables.space.layout().symmetries()[symmetry].swaps;
        let [rows, cols] = tables.space.lists(least).map(|list| list.configs.len()).0;
        let cols_here = if swaps { rows } else { cols };
        if let Some(scores) = held.get(&(least, swaps)) {
            return Ok((scores.clone(), cols_here));
        }
        let layout = tables.space.layout();
        let mut scores = inputs.slab(layout.id(least))?;
        if swaps {
            let mut turned = inputs.scratch(scores.len());
            tile::transpose(&scores, cols, &mut turned);
            scores = turned.into();
        }
        held.insert((least, swaps), scores.clone());
        Ok((scores, cols_here))
    }
}
