//! One half of the partition: its configurations, listed by what the waist leaves open.
//!
//! ```text
//!    stubs filled (pattern) ─► units filled (count) ─► list of configurations, by class and then by mask
//! ```
//! A configuration is *admissible* if no box of the half has exactly three sides (in the full space: always) and it
//! is canonical in the corner classes. The place in the list is the row or column of a slab.

use bitvec::vec::BitVec;
use dab_board::Graph;
use dab_board::graph::GraphString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::corner::Corners;
use crate::count::{self, Weight};
use crate::fills::Fills;
use crate::ordinals::Ordinals;
use crate::partition::{Group, Partition};
use crate::stub::{Signature, Stub, Stubs, signature};
use crate::{SpaceKind, UnitMask};

/// The graph of a half, in numbers of its own: joints in the order in which the units meet them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfShape {
    /// Units of the half; strings 0.. of the graph.
    pub graph: Graph,
    /// The joint at which each waist unit at this half ends.
    pub stubs: Vec<usize>,
}

impl HalfShape {
    /// The shape of a half, with the waist units that end in it in the given order.
    pub fn new(partition: &Partition, half: Group, waist_units: &[usize]) -> Self {
        let mut joints: Vec<usize> = Vec::new();
        let mut local = |joint: usize| {
            joints.iter().position(|&known| known == joint).unwrap_or_else(|| {
                joints.push(joint);
                joints.len() - 1
            })
        };
        let first = partition.shift(half);
        let units = &partition.units[first..first + partition.len(half)];
        let strings: Vec<GraphString> = units
            .iter()
            .map(|unit| {
                let [a, b] = unit.string.ends.map(|end| end.map(&mut local));
                let string = GraphString::new(a, b, unit.string.boxes);
                GraphString { ring: unit.string.ring, ..string }
            })
            .collect();
        let stubs = waist_units
            .iter()
            .filter_map(|&unit| {
                partition.units[unit].string.ends.into_iter().flatten().find(|&j| partition.joints[j] == half)
            })
            .map(local)
            .collect();
        Self { graph: Graph::new(joints.len(), strings), stubs }
    }

    /// Waist units that end in a half, ascending.
    pub fn waist_units(partition: &Partition, half: Group) -> Vec<usize> {
        let ends_here = |&unit: &usize| {
            partition.units[unit].string.ends.into_iter().flatten().any(|joint| partition.joints[joint] == half)
        };
        (0..partition.sizes.waist).filter(ends_here).collect()
    }

    /// Number of admissible configurations by number of filled units, without listing them.
    pub fn counts(&self, kind: SpaceKind, stubs_filled: u64) -> Vec<u64> {
        let open = self.open_stubs(stubs_filled);
        let counts = count::fills(self.graph.strings(), &open, kind, Weight::Canonical);
        counts.into_iter().map(|count| count as u64).collect()
    }

    /// Open waist units at each joint.
    pub(crate) fn open_stubs(&self, stubs_filled: u64) -> Vec<u8> {
        let mut open = vec![0; self.graph.joints().len()];
        for (stub, &joint) in self.stubs.iter().enumerate() {
            open[joint] += u8::from(stubs_filled >> stub & 1 == 0);
        }
        open
    }

    /// The admissible configurations in ascending order.
    fn admissible(&self, kind: SpaceKind, stubs_filled: u64) -> Vec<UnitMask> {
        Fills::new(self.graph.strings(), &self.open_stubs(stubs_filled), kind).list()
    }
}

/// Configurations of a half with the same stubs and the same number of filled units.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The configurations, by class and then by mask.
    pub configs: Vec<UnitMask>,
    /// The classes in order: number of the class within its pattern, and its first place in the list.
    pub classes: Vec<(u32, u32)>,
    /// For each configuration whether the half has an odd number of open boxes, and the opposite.
    parity: [BitVec<u64>; 2],
}

impl List {
    /// The parity of open boxes of each configuration, plus `base`.
    pub fn parity(&self, base: bool) -> &BitVec<u64> {
        &self.parity[usize::from(base)]
    }
}

/// All lists for one set of filled stubs.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The filled stubs.
    pub stubs_filled: u64,
    /// One list for each number of filled units.
    pub lists: Vec<List>,
    /// By number of the class.
    pub classes: Vec<Class>,
    ranks: Ordinals,
}

/// Configurations that show the same at the waist, but for which units they are.
#[derive(Clone, Debug)]
pub struct Class {
    /// One of them.
    pub example: UnitMask,
    /// What it shows.
    pub stubs: Vec<Option<Stub>>,
}

impl Pattern {
    fn new(shape: &HalfShape, kind: SpaceKind, stubs_filled: u64) -> Self {
        let n = shape.graph.strings().len();
        let mut stubs = Stubs::new(shape, kind, stubs_filled);
        let mut numbers: FxHashMap<Signature, usize> = FxHashMap::default();
        let mut shown = Signature::new();
        let mut number_of = |config: UnitMask| {
            signature(stubs.of(config), &mut shown);
            numbers.get(&shown).copied().unwrap_or_else(|| {
                numbers.insert(shown.clone(), numbers.len());
                numbers.len() - 1
            })
        };
        let admissible = shape.admissible(kind, stubs_filled).into_iter();
        let mut entries: Vec<(u32, usize, UnitMask)> =
            admissible.map(|config| (config.count_ones(), number_of(config), config)).collect();
        // Signatures by their bytes, not as they came up.
        let mut by_bytes: Vec<(Signature, usize)> = numbers.into_iter().collect();
        by_bytes.sort_unstable();
        let mut order = vec![0; by_bytes.len()];
        by_bytes.iter().enumerate().for_each(|(place, &(_, number))| order[number] = place);
        entries.iter_mut().for_each(|(_, signature, _)| *signature = order[*signature]);
        entries.sort_unstable();
        let mut lists: Vec<List> = vec![List::default(); n + 1];
        let mut ranks = Vec::with_capacity(entries.len());
        let mut class_of: Vec<Option<u32>> = vec![None; order.len()];
        let mut classes: Vec<Class> = Vec::new();
        for (count, signature, config) in entries {
            let list = &mut lists[count as usize];
            let class = *class_of[signature].get_or_insert_with(|| {
                classes.push(Class { example: config, stubs: stubs.of(config).to_vec() });
                classes.len() as u32 - 1
            });
            let place = list.configs.len() as u32;
            if list.classes.last().is_none_or(|&(last, _)| last != class) {
                list.classes.push((class, place));
            }
            let odd = stubs.open_boxes(config) % 2 == 1;
            list.parity[0].push(odd);
            list.parity[1].push(!odd);
            list.configs.push(config);
            ranks.push((config, place));
        }
        Self { stubs_filled, lists, classes, ranks: Ordinals::new(&ranks) }
    }

    /// The place of a configuration in the list for its number of filled units.
    ///
    /// # Panics
    /// If the configuration is not admissible.
    #[inline]
    pub fn rank(&self, config: UnitMask) -> usize {
        self.ranks.of(config) as usize
    }

    /// As [`Pattern::rank`], or `None` if the configuration is not admissible.
    #[inline]
    pub fn find(&self, config: UnitMask) -> Option<usize> {
        self.ranks.find(config).map(|rank| rank as usize)
    }
}

/// The lists of a half for every pattern of filled stubs that occurs.
#[derive(Debug)]
pub struct HalfTable {
    /// The graph of the half.
    pub shape: HalfShape,
    /// Its lists.
    pub patterns: Vec<Pattern>,
    /// Its corner classes.
    pub corners: Corners,
    kind: SpaceKind,
}

impl HalfTable {
    /// Lists every configuration under the given sets of filled stubs.
    pub fn new(shape: HalfShape, kind: SpaceKind, stubs_filled: &[u64]) -> Self {
        let patterns = stubs_filled.par_iter().map(|&stubs_filled| Pattern::new(&shape, kind, stubs_filled)).collect();
        let corners = Corners::new(shape.graph.strings());
        Self { shape, patterns, corners, kind }
    }

    /// What configurations show at the waist.
    pub fn stubs(&self, pattern: &Pattern) -> Stubs<'_> {
        Stubs::new(&self.shape, self.kind, pattern.stubs_filled)
    }
}
