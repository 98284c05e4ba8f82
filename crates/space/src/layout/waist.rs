//! Configurations of the waist, and how the halves are attached to them.

use std::collections::BTreeSet;

use crate::count::{self, Weight};
use crate::fills::Fills;
use crate::half::HalfShape;
use crate::partition::{Group, Partition};
use crate::{SpaceKind, UnitMask};

/// A configuration of the waist.
#[derive(Clone, Debug)]
pub struct Waist {
    /// Its filled units.
    pub filled: UnitMask,
    /// Ordinal of the filled stubs that the upper half sees, in [`HalfLayout::patterns`].
    pub upper: u32,
    /// Ordinal of the filled stubs that the lower half sees.
    pub lower: u32,
    /// Whether boxes of the waist itself that are open are odd in number.
    pub odd: bool,
    /// Ordinal of the image under each symmetry.
    pub(super) images: Vec<u32>,
    /// The first symmetry that leads to the stored slab of a key with as many filled units above as below or more, and
    /// of one with fewer.
    pub(super) to_least: [usize; 2],
}

/// How a half is attached to the waist, and how many configurations it has.
#[derive(Clone, Debug)]
pub struct HalfLayout {
    /// The half on its own.
    pub shape: HalfShape,
    /// The waist unit of each stub.
    pub waist_units: Vec<usize>,
    /// The sets of filled stubs that occur.
    pub patterns: Vec<u64>,
    /// For each pattern the number of configurations by filled units.
    pub counts: Vec<Vec<u64>>,
}

impl HalfLayout {
    pub(super) fn new(
        partition: &Partition,
        half: Group,
        waist_units: Vec<usize>,
        waists: &[UnitMask],
        kind: SpaceKind,
    ) -> Self {
        let shape = HalfShape::new(partition, half, &waist_units);
        let patterns: BTreeSet<u64> = waists.iter().map(|&filled| stubs_filled(&waist_units, filled)).collect();
        let patterns: Vec<u64> = patterns.into_iter().collect();
        let counts = patterns.iter().map(|&filled| shape.counts(kind, filled)).collect();
        Self { shape, waist_units, patterns, counts }
    }

    pub(super) fn pattern_of(&self, filled: UnitMask) -> u32 {
        let stubs = stubs_filled(&self.waist_units, filled);
        self.patterns.binary_search(&stubs).expect("every pattern of the waist is listed") as u32
    }
}

/// The filled stubs of a half, given the filled units of the waist.
fn stubs_filled(waist_units: &[usize], filled: UnitMask) -> u64 {
    waist_units.iter().enumerate().fold(0, |stubs, (stub, &unit)| stubs | (filled >> unit & 1) << stub)
}

/// Number of waist configurations, without listing them.
pub(super) fn n_waists(partition: &Partition, kind: SpaceKind) -> u128 {
    let strings: Vec<_> = partition.units[..partition.sizes.waist].iter().map(|unit| unit.string).collect();
    // Joints of the halves never are in the way.
    let of_waist = |&group: &Group| if group == Group::Waist { 0 } else { 2 };
    let open: Vec<u8> = partition.joints.iter().map(of_waist).collect();
    count::fills(&strings, &open, kind, Weight::Canonical).iter().sum()
}

/// Canonical waist configurations under which no box of the waist can be captured, ascending.
pub(super) fn waist_masks(partition: &Partition, kind: SpaceKind) -> Vec<UnitMask> {
    let strings: Vec<_> = partition.units[..partition.sizes.waist].iter().map(|unit| unit.string).collect();
    // A joint of a half never is in the way.
    let of_waist = |&group: &Group| if group == Group::Waist { 0 } else { 2 };
    let open: Vec<u8> = partition.joints.iter().map(of_waist).collect();
    Fills::new(&strings, &open, kind).list()
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
