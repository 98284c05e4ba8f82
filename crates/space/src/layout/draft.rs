//! A cut before its slabs are listed: the waist configurations, the halves, and from these the bounds of what it will cost.
//!
//! A draft takes a few bytes for each waist configuration, a layout hundreds. So all cuts are drafted, and few are laid out.

use super::best::Cost;
use super::waist::{HalfLayout, n_waists, waist_masks};
use crate::budget::{Budget, Spent};
use crate::half::{Half, PerHalf};
use crate::half_shape::HalfShape;
use crate::partition::Partition;
use crate::{UnitMask, Units};

/// A cut whose halves are counted.
pub(super) struct Draft {
    pub(super) partition: Partition,
    /// The configurations of the waist, ascending.
    pub(super) masks: Vec<UnitMask>,
    pub(super) halves: PerHalf<HalfLayout>,
}

impl Draft {
    /// Counts the halves of a cut, whose waist has at most [`MAX_WAIST`](super::MAX_WAIST) units.
    pub(super) fn new(units: &Units, partition: Partition, budget: &Budget<'_>) -> Result<Self, Spent> {
        let kind = units.kind();
        let bytes = n_waists(&partition, kind, budget)? * size_of::<UnitMask>() as u64;
        budget.check(bytes)?;
        let budget = budget.holding(bytes);
        let masks = waist_masks(&partition, kind, &budget)?;
        let upper_units = HalfShape::waist_units(&partition, Half::Upper);
        let lower_units = match partition.mirror {
            // The boundary units of the lower half in the order that makes it the image of the upper one.
            Some(mirror) => upper_units.iter().map(|&unit| partition.symmetries[mirror][unit]).collect(),
            None => HalfShape::waist_units(&partition, Half::Lower),
        };
        let upper = HalfLayout::new(&partition, Half::Upper, upper_units, &masks, kind, &budget)?;
        let budget = budget.holding(upper.byte_len());
        let lower = HalfLayout::new(&partition, Half::Lower, lower_units, &masks, kind, &budget)?;
        Ok(Self { partition, masks, halves: PerHalf([upper, lower]) })
    }

    /// Bounds of the cost of the layout, the lower one first: a slab has at least one image and at most as many as there are
    /// symmetries.
    pub(super) fn cost(&self) -> [Cost; 2] {
        let (mut positions, mut slabs, mut largest) = (0, 0, 0);
        for &mask in &self.masks {
            let counts = self.halves.each_ref().map(|half| half.counts_under(mask)).0;
            positions +=
                counts.map(|counts| counts.iter().map(|&n| u128::from(n)).sum::<u128>()).iter().product::<u128>();
            slabs += counts.map(|counts| counts.iter().filter(|&&n| n > 0).count() as u128).iter().product::<u128>();
            largest = largest.max(counts.map(|counts| counts.iter().copied().max().unwrap_or(0)).iter().product());
        }
        let configurations = configurations(&self.halves);
        let images = self.partition.symmetries.len() as u128;
        [images, 1].map(|images| Cost { largest, positions: positions / images, slabs: slabs / images, configurations })
    }

    /// The length of a list of configurations that is too long for numbers of 32 bits, if there is one.
    pub(super) fn too_long_list(&self) -> Option<u64> {
        let lists = self.halves.iter().flat_map(|half| half.counts.iter().flatten());
        lists.copied().find(|&configurations| configurations > u32::MAX.into())
    }
}

/// Configurations of both halves.
pub(super) fn configurations(halves: &PerHalf<HalfLayout>) -> u128 {
    halves.iter().flat_map(|half| half.counts.iter().flatten()).map(|&n| u128::from(n)).sum()
}
