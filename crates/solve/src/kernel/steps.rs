//! The slabs that moves at a waist lead to: as much of the tables of [`waist`](super::waist) as a graph of slabs needs.
//!
//! The lengths of boundary chains decide how many units a move fills, but not which chains it fills. So classes that
//! differ in the lengths of their chains only have the same *form*, and forms that show the same chains where a move goes through
//! are a set of their own, as classes are in the tables ([`coupling`](super::coupling)). One walk does for all pairs of classes of two such
//! sets, and each half adds up its own lengths. Wide boards have millions of pairs of classes under one waist, and far fewer of sets.

use dab_space::boundary_chain::{Signature, signature};
use dab_space::half_table::Class;
use dab_space::{Half, PerHalf, Rules, Space};
use rustc_hash::FxHashMap;

use super::coupling::Couplings;
use super::maps::{Effect, FilledUnits};
use super::walk::Walk;

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
struct Form<'a> {
    /// One of them.
    example: &'a Class,
    /// The units on the chains, and the numbers of filled units with which that occurs.
    classes: Vec<(Vec<FilledUnits>, Counts)>,
}

impl Steps {
    /// Works them out for a waist configuration.
    pub(crate) fn new(space: &Space, waist: u32) -> Self {
        let [uppers, lowers] = Half::BOTH.map(|half| forms(space, waist, half));
        let n_upper = space.layout().partition().sizes.upper + 1;
        let mut steps = Self { steps: FxHashMap::default(), n_upper };
        let walk = Walk::new((space, Rules::default()), waist);
        // A half that a move does not touch may be any.
        let [any_upper, any_lower] = [&uppers, &lowers].map(|forms| filled_by(forms, Effect::default()));
        let (upper, lower) = (&uppers[0], &lowers[0]);
        for m in walk.touching([false, false], [upper.example, lower.example]) {
            steps.add(m.waist, &any_upper, &any_lower);
        }
        for upper in &uppers {
            for m in walk.touching([true, false], [upper.example, lower.example]) {
                steps.add(m.waist, &filled_by([upper], m.effects[Half::Upper]), &any_lower);
            }
        }
        for lower in &lowers {
            for m in walk.touching([false, true], [upper.example, lower.example]) {
                steps.add(m.waist, &any_upper, &filled_by([lower], m.effects[Half::Lower]));
            }
        }
        let shortest = [&uppers, &lowers].map(|forms| forms.iter().map(Form::shortest).collect::<Vec<_>>());
        let couplings = Couplings::new(space, waist, PerHalf(shortest.each_ref().map(|classes| &classes[..])));
        let mut of_set = vec![Vec::new(); couplings.n_sets()];
        for (number, upper) in (0..).zip(&uppers) {
            couplings.sets_of(number).for_each(|set| of_set[set].push(upper));
        }
        for (set, of_set) in of_set.into_iter().enumerate() {
            let mut found: FxHashMap<(u32, Effect), FxHashMap<u8, Counts>> = FxHashMap::default();
            couplings.for_each_pair(set, |[upper, alike], through, lower| {
                for m in walk.coupling([uppers[upper].example, lowers[alike].example], through) {
                    let found = found.entry((m.waist, m.effects[Half::Upper])).or_default();
                    let lower = lower.iter().map(|&number| &lowers[number as usize]);
                    for (n, counts) in filled_by(lower, m.effects[Half::Lower]) {
                        *found.entry(n).or_default() |= counts;
                    }
                }
            });
            for ((waist, effect), lower) in found {
                let upper = filled_by(of_set.iter().copied(), effect);
                steps.add(waist, &upper, &lower.into_iter().collect::<Vec<_>>());
            }
        }
        steps
    }

    /// Adds moves by the units that they fill in each half and the counts of the slabs that have them.
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

    /// The steps from a slab with these filled units.
    pub(crate) fn from(&self, filled: PerHalf<u8>) -> impl Iterator<Item = Step> {
        let PerHalf([upper, lower]) = filled;
        let is_there = move |by_upper: &[Counts]| by_upper[usize::from(upper)] >> lower & 1 == 1;
        self.steps.iter().filter(move |(_, by_upper)| is_there(by_upper)).map(|(&step, _)| step)
    }
}

impl Form<'_> {
    /// The class with all lengths cut down to 1: of two forms that look alike at some runs it shows the same chains there.
    fn shortest(&self) -> Class {
        let mut class = self.example.clone();
        for chain in class.chains.iter_mut().flatten() {
            (chain.boxes, chain.units) = (chain.boxes.min(1), chain.units.min(1));
            if let Some(on) = &mut chain.continuation {
                (on.boxes, on.units) = (on.boxes.min(1), on.units.min(1));
            }
        }
        class
    }
}

/// The numbers of units that an effect fills of some forms, each with the counts of the classes where it is that number.
fn filled_by<'a>(forms: impl IntoIterator<Item = &'a Form<'a>>, effect: Effect) -> Vec<(u8, Counts)> {
    let mut filled: Vec<(u8, Counts)> = Vec::new();
    for (fills, counts) in forms.into_iter().flat_map(|form| &form.classes) {
        let units = effect.units(fills).expect("classes of a form have the same chains").count_ones() as u8;
        match filled.iter_mut().find(|(n, _)| *n == units) {
            Some((_, known)) => *known |= counts,
            None => filled.push((units, *counts)),
        }
    }
    filled
}

/// The forms of a half under a waist.
fn forms(space: &Space, waist: u32, half: Half) -> Vec<Form<'_>> {
    let boundary = space.boundaries(&space.layout().waists()[waist as usize])[half];
    let mut counts: Vec<Counts> = vec![0; boundary.classes.len()];
    for (count, list) in boundary.lists.iter().enumerate() {
        list.classes.iter().for_each(|&(class, _)| counts[class as usize] |= 1 << count);
    }
    let mut forms: FxHashMap<Signature, Form<'_>> = FxHashMap::default();
    let mut shown = Signature::new();
    for (example, counts) in boundary.classes.iter().zip(counts) {
        let form = Form { example, classes: Vec::new() };
        signature(&form.shortest().chains, &mut shown);
        let units = example.chains.iter().map(FilledUnits::new).collect();
        forms.entry(shown.clone()).or_insert(form).classes.push((units, counts));
    }
    forms.into_values().collect()
}
