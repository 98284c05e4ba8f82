//! The partition of the units around a waist.
//!
//! The *waist* is a separator of the graph: a set of units, and of the joints all of whose units belong to it, whose
//! removal leaves two sides without a unit between them, the upper and the lower *half*. Once the waist is decided, the
//! halves do not know of each other, except for capture runs that pass through it. Either half may be empty.
//! ```text
//!    upper boxes      upper units: both ends at upper boxes or the ground
//!    ──── waist ────  waist units: between the halves, or at a box of the waist
//!    lower boxes      lower units
//! ```
//! Some units inside the halves may belong to the waist as well: then slabs are smaller, and there are more of them.
//!
//! If a symmetry exchanges the halves, the lower half is numbered as the image of the upper one, so that both halves
//! have the same lists.

use std::fmt;

use dab_board::contract::Unit;
use dab_board::graph::GraphString;
use dab_board::{Graph, LineSet};

use crate::Units;
use crate::half::Half;

/// The part of the board to which a joint or a unit belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The separator.
    Waist,
    /// On one side.
    Upper,
    /// On the other side.
    Lower,
}

impl From<Half> for Group {
    fn from(half: Half) -> Self {
        match half {
            Half::Upper => Self::Upper,
            Half::Lower => Self::Lower,
        }
    }
}

/// Number of units in each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupSizes {
    /// Units of the waist: the low bits of a mask.
    pub waist: usize,
    /// Units of the upper half: the bits above.
    pub upper: usize,
    /// Units of the lower half: the highest bits.
    pub lower: usize,
}

crate::json_fields!(GroupSizes { waist, upper, lower });

/// Units in group order, and the graph they make.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The units: waist, upper, lower.
    pub units: Vec<Unit>,
    /// Their graph; joints as in [`Units::joints`].
    pub graph: Graph,
    /// The group of each joint.
    pub joints: Vec<Group>,
    /// Numbers of units by group.
    pub sizes: GroupSizes,
    /// Symmetries that keep the groups, or exchange upper and lower, on the reordered units.
    pub symmetries: Vec<Vec<usize>>,
    /// The symmetry by which the lower half is numbered, if one exchanges the halves.
    pub mirror: Option<usize>,
}

impl fmt::Display for GroupSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "waist {}, upper {}, lower {}", self.waist, self.upper, self.lower)
    }
}

impl Partition {
    /// The partition that follows from a group for each joint. A joint all of whose units cross the cut lies on it.
    pub fn new(units: &Units, joints: Vec<Group>) -> Self {
        Self::with_waist(units, joints, LineSet::EMPTY)
    }

    /// The same partition with a wider waist: some units of the halves belong to it, too, by their numbers in `units`. Parallel units
    /// have to stay together.
    pub(crate) fn widened(&self, units: &Units, more: LineSet) -> Self {
        let number = |inner: &Unit| units.units().iter().position(|unit| unit == inner);
        Self::with_waist(units, self.joints.clone(), self.inner().filter_map(number).fold(more, LineSet::with))
    }

    /// The partition with these groups of joints and these units in the waist, whatever their ends are.
    fn with_waist(units: &Units, mut joints: Vec<Group>, inner: LineSet) -> Self {
        let crossing = unit_groups(units.units(), &joints, inner);
        for (joint, group) in joints.iter_mut().enumerate() {
            let mut around =
                units.units().iter().zip(&crossing).filter(|(unit, _)| unit.string.ends.contains(&Some(joint)));
            if around.all(|(_, &of_unit)| of_unit == Group::Waist) {
                *group = Group::Waist;
            }
        }
        let groups = unit_groups(units.units(), &joints, inner);
        let image_of = |group: Group, swap: bool| match (group, swap) {
            (Group::Upper, true) => Group::Lower,
            (Group::Lower, true) => Group::Upper,
            _ => group,
        };
        let around: Vec<LineSet> = (0..joints.len())
            .map(|joint| (0..groups.len()).filter(|&i| units.units()[i].string.ends.contains(&Some(joint))).collect())
            .collect();
        let keeps = |map: &&Vec<usize>, swap: bool| {
            let image = |units: LineSet| units.iter().map(|unit| map[unit]).collect::<LineSet>();
            let units_fit = (0..groups.len()).all(|unit| groups[map[unit]] == image_of(groups[unit], swap));
            units_fit
                && (0..joints.len()).all(|joint| {
                    let (around_image, wanted) = (image(around[joint]), image_of(joints[joint], swap));
                    (0..joints.len()).any(|to| around[to] == around_image && joints[to] == wanted)
                })
        };
        let members = |wanted: Group| -> Vec<usize> {
            let mut members: Vec<usize> = (0..groups.len()).filter(|&unit| groups[unit] == wanted).collect();
            // Ends at the same joints lie together, so that a search through a list is cut off early.
            members.sort_by_key(|&unit| (units.sweep_key(&units.units()[unit].string), unit));
            members
        };
        let (waist, upper, mut lower) = (members(Group::Waist), members(Group::Upper), members(Group::Lower));
        // A half without units has nothing to exchange.
        let mirror_map = units.symmetries().iter().find(|map| !upper.is_empty() && keeps(map, true));
        if let Some(map) = mirror_map {
            lower = upper.iter().map(|&unit| map[unit]).collect();
        }
        let sizes = GroupSizes { waist: waist.len(), upper: upper.len(), lower: lower.len() };
        let order: Vec<usize> = [waist, upper, lower].concat();
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = new;
        }
        let renumbered = |map: &Vec<usize>| order.iter().map(|&old| place[map[old]]).collect::<Vec<usize>>();
        // Symmetries that exchange the halves come last: of two ways to the same slab the plain one is taken.
        let plain = units.symmetries().iter().filter(|map| keeps(map, false));
        let swapping = units.symmetries().iter().filter(|map| !keeps(map, false) && keeps(map, true));
        let symmetries: Vec<Vec<usize>> = plain.chain(swapping).map(renumbered).collect();
        let mirror = mirror_map.map(renumbered).and_then(|map| symmetries.iter().position(|other| *other == map));
        let units: Vec<Unit> = order.iter().map(|&old| units.units()[old]).collect();
        let strings: Vec<GraphString> = units.iter().map(|unit| unit.string).collect();
        Self { graph: Graph::new(joints.len(), strings), units, joints, sizes, symmetries, mirror }
    }

    /// The partition whose units come in the given order, the first ones in the waist, then those of the upper and of the lower half;
    /// `None` if no cut makes it.
    pub fn in_order(units: &Units, order: &[LineSet], sizes: GroupSizes) -> Option<Self> {
        let n_units = sizes.waist.checked_add(sizes.upper)?.checked_add(sizes.lower)?;
        if order.len() != n_units {
            return None;
        }
        let numbers: Vec<usize> = order
            .iter()
            .map(|lines| units.units().iter().position(|unit| unit.lines == *lines))
            .collect::<Option<_>>()?;
        // A joint that is not in the waist has a unit in its half.
        let mut joints = vec![Group::Waist; units.joints().len()];
        for (at, &unit) in numbers.iter().enumerate().skip(sizes.waist) {
            let half = if at < sizes.waist + sizes.upper { Group::Upper } else { Group::Lower };
            units.units()[unit].string.ends.into_iter().flatten().for_each(|joint| joints[joint] = half);
        }
        let partition = Self::with_waist(units, joints, numbers[..sizes.waist].iter().copied().collect());
        let is_same =
            partition.sizes == sizes && partition.units.iter().map(|unit| unit.lines).eq(order.iter().copied());
        is_same.then_some(partition)
    }

    /// The units of the waist whose ends lie in the same half.
    fn inner(&self) -> impl Iterator<Item = &Unit> {
        let is_inner = |unit: &&Unit| group_by_ends(unit, &self.joints).is_some_and(|group| group != Group::Waist);
        self.units[..self.sizes.waist].iter().filter(is_inner)
    }

    /// The number of units of the waist whose ends lie in the same half.
    pub fn n_inner(&self) -> usize {
        self.inner().count()
    }

    /// Bit of the first unit of a group.
    pub fn shift(&self, group: Group) -> usize {
        match group {
            Group::Waist => 0,
            Group::Upper => self.sizes.waist,
            Group::Lower => self.sizes.waist + self.sizes.upper,
        }
    }

    /// Number of units of a group.
    pub fn len(&self, group: Group) -> usize {
        match group {
            Group::Waist => self.sizes.waist,
            Group::Upper => self.sizes.upper,
            Group::Lower => self.sizes.lower,
        }
    }
}

/// The group in which the ends of a unit lie, the waist if they lie in several; `None` if it ends at no joint.
fn group_by_ends(unit: &Unit, joints: &[Group]) -> Option<Group> {
    let mut ends = unit.string.ends.iter().flatten().map(|&joint| joints[joint]);
    let first = ends.next()?;
    Some(if ends.all(|other| other == first) { first } else { Group::Waist })
}

/// The group of each unit; those of `inner` belong to the waist. Units without joints (isolated chains and loops) go to the emptier half,
/// alike ones together.
fn unit_groups(units: &[Unit], joints: &[Group], inner: LineSet) -> Vec<Group> {
    let of_unit = |(number, unit): (usize, &Unit)| {
        if inner.has(number) { Some(Group::Waist) } else { group_by_ends(unit, joints) }
    };
    let mut groups: Vec<Option<Group>> = units.iter().enumerate().map(of_unit).collect();
    for unit in 0..units.len() {
        if groups[unit].is_none() {
            let size = |half: Group| groups.iter().filter(|&&group| group == Some(half)).count();
            let emptier = if size(Group::Lower) < size(Group::Upper) { Group::Lower } else { Group::Upper };
            for alike in (unit..units.len()).filter(|&other| units[other].string == units[unit].string) {
                groups[alike] = Some(emptier);
            }
        }
    }
    groups.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpaceKind;
    use crate::cuts::cuts;
    use dab_board::{Board, Position, Start};

    fn units(rows: usize, cols: usize) -> Units {
        Units::new(Position::start(Board::grid(rows, cols).unwrap(), Start::American), SpaceKind::Quiet).unwrap()
    }

    #[test]
    fn four_by_four_along_its_middle() {
        let units = units(4, 4);
        let half = (0..16).map(|at| if at < 8 { Group::Upper } else { Group::Lower }).collect();
        let partition = Partition::new(&units, half);
        assert_eq!(partition.sizes, GroupSizes { waist: 4, upper: 18, lower: 18 });
        assert_eq!(partition.symmetries.len(), 4);
        // The lower half is numbered as the mirror image of the upper one.
        let mirror = &partition.symmetries[partition.mirror.unwrap()];
        assert!((4..22).all(|unit| mirror[unit] == unit + 18));
    }

    #[test]
    fn four_by_five_across_its_middle_column() {
        let units = units(4, 5);
        let side = |at: usize| [Group::Upper, Group::Upper, Group::Waist, Group::Lower, Group::Lower][at % 5];
        let partition = Partition::new(&units, (0..20).map(side).collect());
        assert_eq!(partition.sizes, GroupSizes { waist: 13, upper: 18, lower: 18 });
    }

    #[test]
    fn the_order_of_the_units_tells_the_cut() {
        let kite = "coin a\ncoin b\ncoin c\nstring a b\nstring b c\nstring c a\nstring c ground\nstring a ground\n";
        let kite = Position::start(Board::from_graph_file("kite", kite).unwrap(), Start::American);
        let starts = ["3x3", "2x5:3", "4x4:8421", "5x5:510264066c84442"].map(|start| start.parse().unwrap());
        for (start, kind) in
            starts.into_iter().chain([kite]).zip([SpaceKind::Quiet, SpaceKind::Full].into_iter().cycle())
        {
            let units = Units::new(start, kind).unwrap();
            for cut in cuts(&units) {
                let partition = Partition::new(&units, cut);
                let mut order: Vec<LineSet> = partition.units.iter().map(|unit| unit.lines).collect();
                let same = Partition::in_order(&units, &order, partition.sizes).unwrap();
                assert_eq!((&same.joints, &same.symmetries), (&partition.joints, &partition.symmetries));
                let GroupSizes { waist, upper, lower } = partition.sizes;
                for wrong in [(waist + 1, upper, lower), (waist, usize::MAX, lower), (waist, upper, lower + 1)] {
                    let (waist, upper, lower) = wrong;
                    assert!(Partition::in_order(&units, &order, GroupSizes { waist, upper, lower }).is_none());
                }
                if let Some(unit) = partition.units[waist..].iter().find(|unit| unit.string.ends != [None, None]) {
                    let alike = |&other: &usize| units.units()[other].string == unit.string;
                    let wider = partition.widened(&units, (0..units.units().len()).filter(alike).collect());
                    let order: Vec<LineSet> = wider.units.iter().map(|unit| unit.lines).collect();
                    let same = Partition::in_order(&units, &order, wider.sizes).unwrap();
                    assert_eq!((&same.joints, &same.symmetries), (&wider.joints, &wider.symmetries));
                    assert!(wider.sizes.waist > waist);
                }
                if waist >= 2 {
                    order.swap(0, 1);
                    assert!(Partition::in_order(&units, &order, partition.sizes).is_none());
                }
            }
        }
    }
}
