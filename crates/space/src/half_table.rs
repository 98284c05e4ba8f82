//! The configurations of one half, listed by the state of its boundary.
//!
//! ```text
//!    filled boundary units ─► number of filled units ─► list of admissible configurations, by class and then by mask
//!        (BoundaryState)                                    (List)
//! ```
//! The place of a configuration in its list is the row or column of a slab.

use bitvec::vec::BitVec;
#[cfg(feature = "parallel")]
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::boundary_chain::{BoundaryChain, BoundaryChains, Signature, signature};
use crate::budget::{Budget, Spent};
use crate::half_shape::HalfShape;
use crate::ordinals::Ordinals;
use crate::parallel_classes::ParallelClasses;
use crate::{SpaceKind, UnitMask};

/// Configurations of a half under one boundary state, with the same number of filled units.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The configurations, by class and then by mask.
    pub configs: Vec<UnitMask>,
    /// The classes in order: number of the class within its boundary state, and its first place in the list.
    pub classes: Vec<(u32, u32)>,
    /// For each configuration whether the half has an odd number of open boxes, and the opposite.
    parity: [BitVec; 2],
}

impl List {
    /// The parity of open boxes of each configuration, plus `base`.
    pub(crate) fn parity(&self, base: bool) -> &BitVec {
        &self.parity[usize::from(base)]
    }
}

/// All lists of a half for one set of filled boundary units.
#[derive(Clone, Debug)]
pub struct BoundaryState {
    /// The filled boundary units.
    pub filled: u64,
    /// One list for each number of filled units.
    pub lists: Vec<List>,
    /// The classes by their numbers.
    pub classes: Vec<Class>,
    ranks: Ordinals,
}

/// Configurations whose boundary chains have the same [`Signature`]: they differ at the waist only in which units the
/// chains consist of.
#[derive(Clone, Debug)]
pub struct Class {
    /// One of them.
    pub example: UnitMask,
    /// Its boundary chains, one for each boundary unit; `None` where that is filled.
    pub chains: Vec<Option<BoundaryChain>>,
}

impl BoundaryState {
    fn new(shape: &HalfShape, kind: SpaceKind, filled: u64, budget: &Budget<'_>) -> Result<Self, Spent> {
        let n = shape.graph.strings().len();
        let mut chains = BoundaryChains::new(shape, kind, filled);
        let mut numbers: FxHashMap<Signature, usize> = FxHashMap::default();
        let mut shown = Signature::new();
        let mut number_of = |config: UnitMask| {
            signature(chains.find(config), &mut shown);
            numbers.get(&shown).copied().unwrap_or_else(|| {
                numbers.insert(shown.clone(), numbers.len());
                numbers.len() - 1
            })
        };
        let admissible = shape.admissible(kind, filled, budget)?;
        let numbered: Vec<usize> = admissible.iter().map(|&config| number_of(config)).collect();
        // Signatures by their bytes, not as they came up.
        let mut by_bytes: Vec<(Signature, usize)> = numbers.into_iter().collect();
        by_bytes.sort_unstable();
        let mut order = vec![0; by_bytes.len()];
        by_bytes.iter().enumerate().for_each(|(place, &(_, number))| order[number] = place);
        // By number of filled units and by signature. The masks ascend, and stay in their order.
        let mut sorted: Vec<Vec<UnitMask>> = vec![Vec::new(); (n + 1) * order.len()];
        for (&config, number) in admissible.iter().zip(numbered) {
            sorted[config.count_ones() as usize * order.len() + order[number]].push(config);
        }
        let mut lists: Vec<List> = vec![List::default(); n + 1];
        let mut ranks = Vec::with_capacity(admissible.len());
        let mut class_of: Vec<Option<u32>> = vec![None; order.len()];
        let mut classes: Vec<Class> = Vec::new();
        let sorted = sorted.into_iter().enumerate().flat_map(|(of, configs)| configs.into_iter().map(move |c| (of, c)));
        for (of, config) in sorted {
            let (list, signature) = (&mut lists[of / order.len()], of % order.len());
            let class = *class_of[signature].get_or_insert_with(|| {
                classes.push(Class { example: config, chains: chains.find(config).to_vec() });
                classes.len() as u32 - 1
            });
            let place = list.configs.len() as u32;
            if list.classes.last().is_none_or(|&(last, _)| last != class) {
                list.classes.push((class, place));
            }
            let odd = chains.open_boxes(config) % 2 == 1;
            list.parity[0].push(odd);
            list.parity[1].push(!odd);
            list.configs.push(config);
            ranks.push((config, place));
        }
        Ok(Self { filled, lists, classes, ranks: Ordinals::new(&ranks) })
    }

    /// The place of a configuration in the list for its number of filled units.
    ///
    /// # Panics
    /// If the configuration is not admissible.
    #[inline]
    pub fn rank(&self, config: UnitMask) -> usize {
        self.ranks.get(config) as usize
    }

    /// As [`BoundaryState::rank`], or `None` if the configuration is not admissible.
    #[inline]
    pub fn find(&self, config: UnitMask) -> Option<usize> {
        self.ranks.find(config).map(|rank| rank as usize)
    }
}

/// The lists of a half for every boundary state that occurs.
#[derive(Debug)]
pub struct HalfTable {
    /// The graph of the half.
    pub shape: HalfShape,
    /// The lists by the number of the boundary state.
    pub boundaries: Vec<BoundaryState>,
    /// The classes of parallel units of the half.
    pub parallel_classes: ParallelClasses,
    kind: SpaceKind,
}

impl HalfTable {
    /// Lists every configuration under the given sets of filled boundary units.
    ///
    /// # Errors
    /// If that takes longer than the budget allows.
    pub(crate) fn new(
        shape: HalfShape,
        kind: SpaceKind,
        boundaries_filled: &[u64],
        budget: &Budget<'_>,
    ) -> Result<Self, Spent> {
        #[cfg(feature = "parallel")]
        let filled = boundaries_filled.par_iter();
        #[cfg(not(feature = "parallel"))]
        let filled = boundaries_filled.iter();
        let states = filled.map(|&filled| BoundaryState::new(&shape, kind, filled, budget));
        let boundaries = states.collect::<Result<_, _>>()?;
        let parallel_classes = ParallelClasses::new(shape.graph.strings());
        Ok(Self { shape, boundaries, parallel_classes, kind })
    }

    /// Finds the boundary chains of configurations under one state of the boundary.
    pub fn chains(&self, boundary: &BoundaryState) -> BoundaryChains<'_> {
        BoundaryChains::new(&self.shape, self.kind, boundary.filled)
    }
}
