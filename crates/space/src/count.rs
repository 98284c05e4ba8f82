//! Counting positions without listing them: a transfer matrix that sweeps over the units.
//!
//! The sweep goes from one set of `JointStates` to the next, and then back: from each of them it knows the number of ways to the
//! end by the number of filled units. Many beginnings share what lies before them, so they are counted together. It shares the
//! steps and their states with the lists of the index, and nothing else; golden counts and a look at every set check it on
//! their own.

use std::time::Duration;

use dab_board::graph::GraphString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Units;
use crate::budget::{Budget, Spent};
use crate::joint_states::{JointStates, Steps};

/// Unit of counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Every set of filled units.
    Sets,
    /// Sets up to the exchange of parallel units.
    Canonical,
}

/// Number of positions of a start by number of filled units.
pub fn positions(units: &Units, weight: Weight) -> Vec<u128> {
    configs(&all_steps(units), weight, &Budget::unbounded()).expect("nothing bounds it")
}

/// The least number of positions that a layout of a start stores: exact if no symmetry but the identity keeps the start. `None` if counting takes
/// much more than a board within the index does.
pub fn least_stored(units: &Units) -> Option<u128> {
    let moment = Budget::new(MOMENT.0, MOMENT.1);
    let all: u128 = configs(&all_steps(units), Weight::Canonical, &moment).ok()?.iter().sum();
    Some(all / units.symmetries().len() as u128)
}

/// The most bytes and time of that. The largest boards that can be indexed take some 10 milliseconds, in a browser that has just begun ten
/// times as long: what is refused must not depend on the machine.
const MOMENT: (u64, Duration) = (64 << 20, Duration::from_secs(2));

/// A sweep over all units.
fn all_steps(units: &Units) -> Steps {
    let mut strings: Vec<GraphString> = units.units().iter().map(|unit| unit.string).collect();
    strings.sort_by_key(|string| units.sweep_key(string));
    Steps::new(&strings, &vec![0; units.joints().len()], units.kind())
}

/// States of the sweep between two looks at the budget.
const OFTEN: usize = 1 << 10;

/// The ways to the end from each state, by the number of units that they fill.
type Ways = FxHashMap<JointStates, Vec<u128>>;

/// Bytes of states with the ways that lead on from them, which fill up to `n` units.
fn ways_bytes(n_states: usize, n: usize) -> u64 {
    // A table has up to twice as many places as entries.
    n_states as u64 * (2 * size_of::<(JointStates, Vec<u128>)>() + size_of::<u128>() * (n + 1)) as u64
}

/// Number of admissible sets of filled strings by their size.
pub(crate) fn configs(steps: &Steps, weight: Weight, budget: &Budget<'_>) -> Result<Vec<u128>, Spent> {
    let counts = configs_from(steps, &[steps.begin], weight, budget)?;
    Ok(counts.into_iter().next().unwrap_or_default())
}

/// The same for several beginnings; there are no sets from one at which a joint can be captured.
pub(crate) fn configs_from(
    steps: &Steps,
    begins: &[Option<JointStates>],
    weight: Weight,
    budget: &Budget<'_>,
) -> Result<Vec<Vec<u128>>, Spent> {
    let mut reached: Vec<FxHashSet<JointStates>> = vec![begins.iter().flatten().copied().collect()];
    let mut n_reached = 0;
    for (at, step) in steps.steps.iter().enumerate() {
        let mut next = FxHashSet::default();
        for (i, &state) in reached[at].iter().enumerate() {
            if i.is_multiple_of(OFTEN) {
                budget.check((n_reached + next.len()) as u64 * 2 * size_of::<JointStates>() as u64)?;
            }
            next.extend((0..=step.members.len()).filter_map(|filled| steps.after(at, filled, state)));
        }
        n_reached += next.len();
        reached.push(next);
    }
    let (mut n, mut ways) = (0, Ways::from_iter([(JointStates::default(), vec![1])]));
    for (at, step) in steps.steps.iter().enumerate().rev() {
        reached.pop();
        let size = step.members.len();
        let mut before = Ways::default();
        for (i, &state) in reached[at].iter().enumerate() {
            if i.is_multiple_of(OFTEN) {
                let of_sets = n_reached as u64 * 2 * size_of::<JointStates>() as u64;
                budget.check(of_sets + ways_bytes(ways.len() + before.len(), n + size))?;
            }
            let mut sum = vec![0; n + size + 1];
            for filled in 0..=size {
                let Some(on) = steps.after(at, filled, state).and_then(|after| ways.get(&after)) else { continue };
                let times = if weight == Weight::Sets { binomial(size, filled) } else { 1 };
                for (k, &count) in on.iter().enumerate() {
                    sum[k + filled] += count * times;
                }
            }
            before.insert(state, sum);
        }
        ways = before;
        n += size;
    }
    let none = vec![0; n + 1];
    Ok(begins.iter().map(|begin| begin.and_then(|begin| ways.get(&begin)).unwrap_or(&none).clone()).collect())
}

fn binomial(n: usize, k: usize) -> u128 {
    (0..k).fold(1, |ways, i| ways * (n - i) as u128 / (i + 1) as u128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpaceKind;
    use dab_board::{Board, LineSet, Position, Start};

    fn units(rows: usize, cols: usize, kind: SpaceKind) -> Units {
        Units::new(Position::start(Board::grid(rows, cols).unwrap(), Start::American), kind).unwrap()
    }

    #[test]
    fn counts_what_scanning_counts() {
        let units = units(2, 2, SpaceKind::Quiet);
        let mut scanned = vec![0; 13];
        for drawn in (0..1 << 12).map(LineSet) {
            if units.start().board().graph().is_quiet(drawn) {
                scanned[drawn.len()] += 1;
            }
        }
        assert_eq!(positions(&units, Weight::Sets), scanned);
    }

    #[test]
    fn the_full_space_has_every_set() {
        let counts = positions(&units(2, 3, SpaceKind::Full), Weight::Sets);
        assert_eq!(counts.iter().sum::<u128>(), 1 << 17);
        assert_eq!(counts[8], binomial(17, 8));
        // Four classes of two parallel units: three states instead of four.
        let canonical = positions(&units(2, 3, SpaceKind::Full), Weight::Canonical);
        assert_eq!(canonical.iter().sum::<u128>(), (1 << 9) * 81);
    }
}
