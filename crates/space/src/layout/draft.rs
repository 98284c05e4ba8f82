//! A cut before its slabs are listed: the waist configurations, the halves, and from these what it will cost.
//!
//! A draft takes a few bytes for each waist configuration, a layout hundreds. So all cuts are drafted, and few are laid out.

use super::cost::Cost;
use super::waist::{HalfLayout, n_waists, waist_masks};
use crate::budget::{Budget, Spent};
use crate::half::{Half, PerHalf};
use crate::half_shape::HalfShape;
use crate::parallel_classes::ParallelClasses;
use crate::partition::Partition;
use crate::symmetry::{Symmetry, symmetries};
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

    /// The cost of the layout: of each orbit of slabs one is stored.
    pub(super) fn cost(&self) -> Cost {
        let symmetries = symmetries(&self.partition);
        let strings: Vec<_> = self.partition.units.iter().map(|unit| unit.string).collect();
        let parallel_classes = ParallelClasses::new(&strings);
        let (mut positions, mut all, mut slabs, mut largest) = (0, 0, 0, 0);
        for &mask in &self.masks {
            let keeps = |symmetry: &&Symmetry| parallel_classes.canonical(symmetry.apply(mask)) == mask;
            let (swapping, plain) = symmetries.iter().filter(keeps).partition::<Vec<_>, _>(|symmetry| symmetry.swaps);
            let [rows, cols] = self.halves.each_ref().map(|half| half.counts_under(mask)).0;
            // A symmetry that exchanges the halves keeps a slab only if both have as many filled units.
            let (of_waist, square) = (Counts::all(rows, cols), Counts::square(rows, cols));
            let of_orbits = |all: u128, square: u128| all * plain.len() as u128 + square * swapping.len() as u128;
            positions += of_orbits(of_waist.positions, square.positions);
            slabs += of_orbits(of_waist.slabs, square.slabs);
            all += of_waist.positions;
            largest =
                largest.max([rows, cols].map(|counts| counts.iter().copied().max().unwrap_or(0)).iter().product());
        }
        let (n, configurations) = (symmetries.len() as u128, configurations(&self.halves));
        let inner = self.partition.n_inner();
        Cost { largest, positions: positions / n, fewest: all / n, slabs: slabs / n, configurations, inner }
    }

    /// The length of a list of configurations that is too long for numbers of 32 bits, if there is one.
    pub(super) fn too_long_list(&self) -> Option<u64> {
        let lists = self.halves.iter().flat_map(|half| half.counts.iter().flatten());
        lists.copied().find(|&configurations| configurations > u32::MAX.into())
    }
}

/// The cost of a cut; `None` if a list of it is too long.
pub(super) fn cost_of(units: &Units, partition: &Partition, budget: &Budget<'_>) -> Result<Option<Cost>, Spent> {
    let draft = Draft::new(units, partition.clone(), budget)?;
    Ok(draft.too_long_list().is_none().then(|| draft.cost()))
}

/// Numbers of the slabs of a waist configuration.
struct Counts {
    positions: u128,
    slabs: u128,
}

impl Counts {
    /// All of them, given the numbers of configurations by filled units.
    fn all(rows: &[u64], cols: &[u64]) -> Self {
        let sum = |counts: &[u64]| counts.iter().map(|&n| u128::from(n)).sum::<u128>();
        let there = |counts: &[u64]| counts.iter().filter(|&&n| n > 0).count() as u128;
        Self { positions: sum(rows) * sum(cols), slabs: there(rows) * there(cols) }
    }

    /// Those with as many filled units above as below.
    fn square(rows: &[u64], cols: &[u64]) -> Self {
        let positions = rows.iter().zip(cols).map(|(&rows, &cols)| u128::from(rows) * u128::from(cols));
        Self { positions: positions.clone().sum(), slabs: positions.filter(|&n| n > 0).count() as u128 }
    }
}

/// Configurations of both halves.
pub(super) fn configurations(halves: &PerHalf<HalfLayout>) -> u128 {
    halves.iter().flat_map(|half| half.counts.iter().flatten()).map(|&n| u128::from(n)).sum()
}
