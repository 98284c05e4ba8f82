//! Configurations of the waist, and how the halves are attached to them.

use std::collections::BTreeSet;

use crate::budget::{Budget, Spent};
use crate::config_enumerator::ConfigEnumerator;
use crate::count::{self, Weight};
use crate::half::{Half, PerHalf};
use crate::half_shape::HalfShape;
use crate::joint_states::Steps;
use crate::partition::{Group, Partition};
use crate::{SpaceKind, UnitMask};

/// Widest waist that is listed.
pub(crate) const MAX_WAIST: usize = 20;

/// A configuration of the waist.
#[derive(Clone, Copy, Debug)]
pub struct Waist {
    /// Its filled units.
    pub filled: UnitMask,
    /// The boundary state that each half has under it: ordinal in [`HalfLayout::boundaries`].
    pub boundary: PerHalf<u32>,
    /// Whether the number of open boxes of the waist itself is odd.
    pub odd: bool,
    /// The first symmetry that leads to the stored slab of a key with as many filled units above as below or more, and
    /// of one with fewer.
    pub(super) to_least: [u8; 2],
}

/// The ties of a half to the waist, and the numbers of its configurations.
#[derive(Clone, Debug)]
pub struct HalfLayout {
    /// The half on its own.
    pub shape: HalfShape,
    /// The waist unit that is each boundary unit.
    pub waist_units: Vec<usize>,
    /// The sets of filled boundary units that occur, ascending.
    pub boundaries: Vec<u64>,
    /// For each of these sets the number of configurations by filled units.
    pub counts: Vec<Vec<u64>>,
}

impl HalfLayout {
    pub(super) fn new(
        partition: &Partition,
        half: Half,
        waist_units: Vec<usize>,
        waists: &[UnitMask],
        kind: SpaceKind,
        budget: &Budget<'_>,
    ) -> Result<Self, Spent> {
        let shape = HalfShape::new(partition, half, &waist_units);
        let boundaries: BTreeSet<u64> = waists.iter().map(|&filled| boundary_filled(&waist_units, filled)).collect();
        let boundaries: Vec<u64> = boundaries.into_iter().collect();
        let budget = budget.holding(boundaries.len() as u64 * boundary_bytes(partition.len(half.into())));
        let counts = shape.counts(kind, &boundaries, &budget)?;
        Ok(Self { shape, waist_units, boundaries, counts })
    }

    /// Bytes that it takes, roughly.
    pub(super) fn byte_len(&self) -> u64 {
        self.boundaries.len() as u64 * boundary_bytes(self.shape.graph.strings().len())
    }

    /// Configurations under a waist configuration, by filled units.
    pub(super) fn counts_under(&self, waist: UnitMask) -> &[u64] {
        &self.counts[self.boundary_of(waist) as usize]
    }

    pub(super) fn boundary_of(&self, filled: UnitMask) -> u32 {
        let boundary = boundary_filled(&self.waist_units, filled);
        self.boundaries.binary_search(&boundary).expect("every boundary of the waist is listed") as u32
    }
}

/// Bytes of a boundary state of a half of `n` units, its counts included.
fn boundary_bytes(n: usize) -> u64 {
    (size_of::<(u64, Vec<u64>)>() + size_of::<u64>() * (n + 1)) as u64
}

/// The filled boundary units of a half, given the filled units of the waist.
fn boundary_filled(waist_units: &[usize], filled: UnitMask) -> u64 {
    waist_units.iter().enumerate().fold(0, |boundary, (i, &unit)| boundary | (filled >> unit & 1) << i)
}

/// Number of waist configurations, without listing them.
pub(super) fn n_waists(partition: &Partition, kind: SpaceKind, budget: &Budget<'_>) -> Result<u64, Spent> {
    let counts = count::configs(&steps(partition, kind), Weight::Canonical, budget)?;
    // At most 2^20.
    Ok(counts.iter().sum::<u128>() as u64)
}

/// Canonical waist configurations under which no box of the waist can be captured, ascending.
pub(super) fn waist_masks(partition: &Partition, kind: SpaceKind, budget: &Budget<'_>) -> Result<Vec<UnitMask>, Spent> {
    ConfigEnumerator::new(steps(partition, kind)).list(budget)
}

/// The steps in which the waist is decided.
fn steps(partition: &Partition, kind: SpaceKind) -> Steps {
    let strings: Vec<_> = partition.units[..partition.sizes.waist].iter().map(|unit| unit.string).collect();
    // A joint of a half is never captured here: two lines more are open at it.
    let of_waist = |&group: &Group| if group == Group::Waist { 0 } else { 2 };
    let open: Vec<u8> = partition.joints.iter().map(of_waist).collect();
    Steps::new(&strings, &open, kind)
}

/// Open boxes that no half counts: joints of the waist, and boxes inside waist units.
pub(super) fn open_boxes_of_waist(partition: &Partition, filled: UnitMask) -> usize {
    let open = |joint: &usize| {
        partition.joints[*joint] == Group::Waist
            && partition.graph.joints()[*joint].strings.0 as UnitMask & !filled != 0
    };
    let joints = (0..partition.joints.len()).filter(open).count();
    let inner = (0..partition.sizes.waist).filter(|unit| filled >> unit & 1 == 0);
    joints + inner.map(|unit| usize::from(partition.units[unit].string.boxes)).sum::<usize>()
}
