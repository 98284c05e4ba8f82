//! The part of a large slab that is decoded for a slab that reads it: its tiles that hold a row and a column to which a move leads.
//!
//! Few positions have a move that fills many units. So the moves of some slabs are followed, and what they read is averaged by the number of
//! units that they fill.

use dab_space::{Budget, SlabId, Space, Spent};
use dab_store::BLOCK_POSITIONS;
use rayon::prelude::*;

use crate::kernel::Kernel;

/// Slabs whose moves are followed, at equal distances among all positions.
const SAMPLES: u64 = 32;

/// Scores that are decoded, and all scores of the slabs that they are of.
type Scores = (f64, f64);

/// The parts of the slabs of a space.
pub(super) struct Parts<'a> {
    kernel: &'a Kernel<'a>,
    space: &'a Space,
    budget: &'a Budget<'a>,
    /// By number of units that a move fills, inside a half and at the waist; made when first needed.
    means: Option<[Vec<f64>; 2]>,
}

impl<'a> Parts<'a> {
    /// Nothing is followed yet.
    pub(super) fn new((kernel, space): (&'a Kernel<'a>, &'a Space), budget: &'a Budget<'a>) -> Self {
        Self { kernel, space, budget, means: None }
    }

    /// The part of a slab that is decoded for a reader.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(super) fn decoded(&mut self, reader: SlabId, read: SlabId) -> Result<f64, Spent> {
        if !self.is_large(read) {
            return Ok(1.0);
        }
        if self.means.is_none() {
            self.means = Some(self.means()?);
        }
        let (at_waist, filled) = self.kind(reader, read);
        // A kind of move that no sample has is rare, and so are the positions that have it.
        let part = self.means.as_ref().and_then(|means| means[at_waist].get(filled).or(means[at_waist].last()));
        Ok(part.copied().unwrap_or(1.0))
    }

    /// Whether moves from a slab to another are at the waist, and the units that they fill.
    fn kind(&self, reader: SlabId, read: SlabId) -> (usize, usize) {
        let waist = |id: SlabId| self.space.layout().key(id).waist;
        (usize::from(waist(read) != waist(reader)), read.layer.0 - reader.layer.0)
    }

    /// Whether a slab is not decoded as a whole in any case.
    fn is_large(&self, id: SlabId) -> bool {
        self.positions(id) >= u64::from(BLOCK_POSITIONS)
    }

    fn positions(&self, id: SlabId) -> u64 {
        self.space.layout().positions(self.space.layout().key(id))
    }

    fn means(&self) -> Result<[Vec<f64>; 2], Spent> {
        let follow = |reader: SlabId| {
            self.budget.check(0)?;
            Ok((reader, self.kernel.parts(self.space.layout().key(reader))))
        };
        let followed: Vec<_> = samples(self.space).into_par_iter().map(follow).collect::<Result<_, Spent>>()?;
        let mut sums: [Vec<Scores>; 2] = Default::default();
        for (reader, reads) in followed {
            // The more positions a slab has, the more samples it stands for.
            let weight = 1.0 / self.positions(reader) as f64;
            for (read, part) in reads.into_iter().filter(|&(read, _)| self.is_large(read)) {
                let (at_waist, filled) = self.kind(reader, read);
                let sums = &mut sums[at_waist];
                sums.resize(sums.len().max(filled + 1), (0.0, 0.0));
                let scores = self.positions(read) as f64 * weight;
                sums[filled].0 += part * scores;
                sums[filled].1 += scores;
            }
        }
        Ok(sums
            .map(|sums| sums.into_iter().map(|(decoded, all)| if all > 0.0 { decoded / all } else { 1.0 }).collect()))
    }
}

/// The slabs in which every so many positions one lies.
fn samples(space: &Space) -> Vec<SlabId> {
    let layout = space.layout();
    let step = layout.total_positions() as f64 / SAMPLES as f64;
    let (mut end, mut next) = (0.0, 0.0);
    let mut is_due = |&id: &SlabId| {
        end += layout.positions(layout.key(id)) as f64;
        let is_due = next < end;
        while next < end {
            next += step;
        }
        is_due
    };
    let slabs = layout
        .listed_layers()
        .flat_map(|layer| (0..layout.layers()[layer.0].len()).map(move |slab| SlabId { layer, slab }));
    slabs.filter(|id| is_due(id)).collect()
}
