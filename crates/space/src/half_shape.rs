//! The graph of one half, and how many configurations it has.
//!
//! Each end of a waist unit in the half is one of its *boundary units*, numbered 0.. in an order that the layout
//! chooses. A configuration is *admissible* if no box of the half has exactly three sides (in the full space: always)
//! and it is canonical in the classes of parallel units.

use dab_board::Graph;
use dab_board::graph::GraphString;

use crate::budget::{Budget, Spent};
use crate::config_enumerator::ConfigEnumerator;
use crate::count::{self, Weight};
use crate::half::Half;
use crate::joint_states::Steps;
use crate::partition::{Group, Partition};
use crate::{SpaceKind, UnitMask};

/// The graph of a half, in numbers of its own: joints in the order in which the units meet them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfShape {
    /// Units of the half; strings 0.. of the graph.
    pub graph: Graph,
    /// The joint at which each boundary unit ends.
    pub boundary_joints: Vec<usize>,
}

impl HalfShape {
    /// The shape of a half, with its boundary units in the order of `waist_units`.
    pub(crate) fn new(partition: &Partition, half: Half, waist_units: &[usize]) -> Self {
        let group = Group::from(half);
        let mut joints: Vec<usize> = Vec::new();
        let mut local = |joint: usize| {
            joints.iter().position(|&known| known == joint).unwrap_or_else(|| {
                joints.push(joint);
                joints.len() - 1
            })
        };
        let first = partition.shift(group);
        let units = &partition.units[first..first + partition.len(group)];
        let strings: Vec<GraphString> = units
            .iter()
            .map(|unit| {
                let [a, b] = unit.string.ends.map(|end| end.map(&mut local));
                let string = GraphString::new(a, b, unit.string.boxes);
                GraphString { ring: unit.string.ring, ..string }
            })
            .collect();
        // A unit that comes twice has both its ends here. Numbers of joints are the same in a half and its mirror image; which end of a unit
        // is its first may differ.
        let boundary_joints = waist_units
            .iter()
            .enumerate()
            .filter_map(|(at, &unit)| {
                let ends = partition.units[unit].string.ends.into_iter().flatten();
                let mut here: Vec<usize> = ends.filter(|&j| partition.joints[j] == group).map(&mut local).collect();
                here.sort_unstable();
                here.get(waist_units[..at].iter().filter(|&&before| before == unit).count()).copied()
            })
            .collect();
        Self { graph: Graph::new(joints.len(), strings), boundary_joints }
    }

    /// Waist units that end in a half, ascending: each as often as it ends there.
    pub(crate) fn waist_units(partition: &Partition, half: Half) -> Vec<usize> {
        let ends = |unit: usize| partition.units[unit].string.ends.into_iter().flatten();
        let is_here = |&joint: &usize| partition.joints[joint] == half.into();
        (0..partition.sizes.waist).flat_map(|unit| ends(unit).filter(is_here).map(move |_| unit)).collect()
    }

    /// Number of admissible configurations by number of filled units, without listing them, for each of some sets of filled
    /// boundary units. Bit `i` of a set says whether boundary unit `i` is filled.
    ///
    /// # Errors
    /// If that takes more than the budget.
    pub(crate) fn counts(
        &self,
        kind: SpaceKind,
        boundaries: &[u64],
        budget: &Budget<'_>,
    ) -> Result<Vec<Vec<u64>>, Spent> {
        let steps = self.steps(kind, 0);
        let begins: Vec<_> = boundaries.iter().map(|&filled| steps.begin_with(&self.open_at_joints(filled))).collect();
        // Many of these sets leave as many units open at every joint: each of the others is counted once.
        let mut distinct = begins.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let counts = count::configs_from(&steps, &distinct, Weight::Canonical, budget)?;
        let counts: Vec<Vec<u64>> =
            counts.into_iter().map(|counts| counts.into_iter().map(|count| count as u64).collect()).collect();
        let of = |begin| distinct.binary_search(begin).map(|i| counts[i].clone()).unwrap_or_default();
        Ok(begins.iter().map(of).collect())
    }

    /// Number of open boundary units at each joint.
    pub(crate) fn open_at_joints(&self, boundary_filled: u64) -> Vec<u8> {
        let mut open = vec![0; self.graph.joints().len()];
        for (i, &joint) in self.boundary_joints.iter().enumerate() {
            open[joint] += u8::from(boundary_filled >> i & 1 == 0);
        }
        open
    }

    /// The admissible configurations in ascending order.
    pub(crate) fn admissible(
        &self,
        kind: SpaceKind,
        boundary_filled: u64,
        budget: &Budget<'_>,
    ) -> Result<Vec<UnitMask>, Spent> {
        ConfigEnumerator::new(self.steps(kind, boundary_filled)).list(budget)
    }

    fn steps(&self, kind: SpaceKind, boundary_filled: u64) -> Steps {
        Steps::new(self.graph.strings(), &self.open_at_joints(boundary_filled), kind)
    }
}
