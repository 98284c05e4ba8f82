//! Counting positions without listing them: a transfer matrix that sweeps over the units.
//!
//! The sweep goes from one set of `JointStates` to the next and keeps, for each of them, the number of ways that lead
//! there by the number of filled units. It shares the steps and their states with the lists of the index, and nothing else; golden counts and a look at every set check it on their own.

use dab_board::graph::GraphString;
use rustc_hash::FxHashMap;

use crate::Units;
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
    let mut strings: Vec<GraphString> = units.units().iter().map(|unit| unit.string).collect();
    strings.sort_by_key(|string| units.sweep_key(string));
    configs(&Steps::new(&strings, &vec![0; units.joints().len()], units.kind()), weight)
}

/// Number of admissible sets of filled strings by their size.
pub(crate) fn configs(steps: &Steps, weight: Weight) -> Vec<u128> {
    let mut states: FxHashMap<JointStates, Vec<u128>> = steps.begin.map(|begin| (begin, vec![1])).into_iter().collect();
    let mut n = 0;
    for (at, step) in steps.steps.iter().enumerate() {
        let size = step.members.len();
        let mut next: FxHashMap<JointStates, Vec<u128>> = FxHashMap::default();
        for (&state, by_filled) in &states {
            for filled in 0..=size {
                let Some(state) = steps.after(at, filled, state) else { continue };
                let ways = if weight == Weight::Sets { binomial(size, filled) } else { 1 };
                let sum = next.entry(state).or_default();
                sum.resize(sum.len().max(by_filled.len() + filled), 0);
                for (k, &count) in by_filled.iter().enumerate() {
                    sum[k + filled] += count * ways;
                }
            }
        }
        states = next;
        n += size;
    }
    let mut total = states.remove(&JointStates::default()).unwrap_or_default();
    total.resize(n + 1, 0);
    total
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
