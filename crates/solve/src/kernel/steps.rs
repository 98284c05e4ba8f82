//! The slabs that moves at a waist lead to: as much of the tables of [`waist`](super::waist) as a graph of slabs needs.
//!
//! The lengths of boundary chains decide how many units a move fills, but not which chains it fills. So classes that
//! differ in the lengths of their chains only have the same *form*. One walk does for all pairs of classes of two forms,
//! and each half adds up its own lengths. Wide boards have millions of pairs of classes under one waist, and far fewer of
//! forms.

use dab_space::boundary_chain::BoundaryChain;
use dab_space::half_table::Class;
use dab_space::{Half, PerHalf, Space};
use rustc_hash::FxHashMap;

use super::coupling::{all_units, couples};
use super::maps::{Effect, FilledUnits};
use super::waist::{WaistMove, moves};

/// Numbers of filled units, as bits.
type Counts = u128;

/// The change of a slab key by a move: the waist it leads to, and the number of units of each half that it fills.
pub(crate) type Step = (u32, PerHalf<u8>);

/// The steps from the slabs of a waist, each with the lower counts from which it can be made, by upper count.
pub(crate) struct Steps {
    steps: FxHashMap<Step, Vec<Counts>>,
    n_upper: usize,
}

/// Classes of a half that differ in lengths only.
struct Form {
    /// One of them.
    example: usize,
    /// The units on the chains, and the numbers of filled units with which that occurs.
    classes: Vec<(Vec<FilledUnits>, Counts)>,
}

impl Steps {
    /// Works them out for a waist configuration.
    pub(crate) fn new(space: &Space, waist: u32) -> Self {
        let [uppers, lowers] = Half::BOTH.map(|half| forms(space, waist, half));
        let n_upper = space.layout().partition().sizes.upper + 1;
        let mut steps = Self { steps: FxHashMap::default(), n_upper };
        let touching = |touched: [bool; 2], [upper, lower]: [&Form; 2]| {
            let all = moves(space, waist, PerHalf([upper.example, lower.example]), [all_units(space); 2]);
            all.into_iter().filter(move |m: &WaistMove| Half::BOTH.map(|half| m.touches(half)) == touched)
        };
        // A half that a move does not touch may be any.
        let untouched = |forms: &[Form]| vec![(0, forms.iter().fold(0, |all, form| all | form.counts()))];
        let (any_upper, any_lower) = (untouched(&uppers), untouched(&lowers));
        for m in touching([false, false], [&uppers[0], &lowers[0]]) {
            steps.add(m.waist, &any_upper, &any_lower);
        }
        for upper in &uppers {
            for m in touching([true, false], [upper, &lowers[0]]) {
                steps.add(m.waist, &upper.filled(m.effects[Half::Upper]), &any_lower);
            }
        }
        for lower in &lowers {
            for m in touching([false, true], [&uppers[0], lower]) {
                steps.add(m.waist, &any_upper, &lower.filled(m.effects[Half::Lower]));
            }
        }
        if couples(space, waist) {
            for upper in &uppers {
                let mut found: FxHashMap<(u32, Effect), FxHashMap<u8, Counts>> = FxHashMap::default();
                for lower in &lowers {
                    for m in touching([true, true], [upper, lower]) {
                        let found = found.entry((m.waist, m.effects[Half::Upper])).or_default();
                        let filled = lower.filled(m.effects[Half::Lower]).into_iter();
                        filled.for_each(|(n, counts)| *found.entry(n).or_default() |= counts);
                    }
                }
                for ((waist, effect), lower) in found {
                    steps.add(waist, &upper.filled(effect), &lower.into_iter().collect::<Vec<_>>());
                }
            }
        }
        steps
    }

    /// Adds the moves that fill so many units of each half, from slabs with these counts.
    fn add(&mut self, waist: u32, uppers: &[(u8, Counts)], lowers: &[(u8, Counts)]) {
        for &(upper, upper_counts) in uppers {
            for &(lower, counts) in lowers {
                let by_upper =
                    self.steps.entry((waist, PerHalf([upper, lower]))).or_insert_with(|| vec![0; self.n_upper]);
                let from = by_upper.iter_mut().enumerate().filter(|(count, _)| upper_counts >> count & 1 == 1);
                from.for_each(|(_, known)| *known |= counts);
            }
        }
    }

    /// The steps from a slab with so many filled units.
    pub(crate) fn from(&self, filled: PerHalf<u8>) -> impl Iterator<Item = Step> {
        let PerHalf([upper, lower]) = filled;
        let is_there = move |by_upper: &[Counts]| by_upper[usize::from(upper)] >> lower & 1 == 1;
        self.steps.iter().filter(move |(_, by_upper)| is_there(by_upper)).map(|(&step, _)| step)
    }
}

impl Form {
    fn counts(&self) -> Counts {
        self.classes.iter().fold(0, |all, (_, counts)| all | counts)
    }

    /// The numbers of units that an effect fills, each with the counts of the classes where it is that number.
    fn filled(&self, effect: Effect) -> Vec<(u8, Counts)> {
        let mut filled: Vec<(u8, Counts)> = Vec::new();
        for (fills, counts) in &self.classes {
            let units = effect.units(fills).expect("classes of a form have the same chains").count_ones() as u8;
            match filled.iter_mut().find(|(n, _)| *n == units) {
                Some((_, known)) => *known |= counts,
                None => filled.push((units, *counts)),
            }
        }
        filled
    }
}

/// The forms of a half under a waist.
fn forms(space: &Space, waist: u32, half: Half) -> Vec<Form> {
    let boundary = space.boundaries(&space.layout().waists()[waist as usize])[half];
    let mut counts: Vec<Counts> = vec![0; boundary.classes.len()];
    for (count, list) in boundary.lists.iter().enumerate() {
        list.classes.iter().for_each(|&(class, _)| counts[class as usize] |= 1 << count);
    }
    let mut forms: FxHashMap<Vec<u8>, Form> = FxHashMap::default();
    for (class, Class { chains, .. }) in boundary.classes.iter().enumerate() {
        let form = forms.entry(form_of(chains)).or_insert_with(|| Form { example: class, classes: Vec::new() });
        form.classes.push((chains.iter().map(FilledUnits::of).collect(), counts[class]));
    }
    forms.into_values().collect()
}

/// A class without its lengths.
fn form_of(chains: &[Option<BoundaryChain>]) -> Vec<u8> {
    let mut form = Vec::with_capacity(4 * chains.len());
    for chain in chains.iter().flatten() {
        form.extend([u8::from(chain.boxes > 0), u8::from(chain.units != 0), chain.back.map_or(0, |back| back + 1)]);
        match chain.continuation {
            None => form.push(0),
            Some(on) => form.extend([on.joint + 1, u8::from(on.boxes > 0), u8::from(on.units != 0)]),
        }
    }
    form
}
