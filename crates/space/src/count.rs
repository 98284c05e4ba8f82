//! Counting positions without listing them: a transfer matrix that sweeps over the units.
//!
//! The state of the sweep is, for each joint that has been met but not finished, how many of its lines are open: 0,
//! 1 or more. Shares nothing with the lists of the index but the order of the units.

use dab_board::graph::GraphString;
use rustc_hash::FxHashMap;

use crate::{SpaceKind, Units};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Every set of filled units.
    Sets,
    /// Sets up to the exchange of units of a corner class.
    Canonical,
}

/// Number of positions of a start by number of filled units.
pub fn positions(units: &Units, weight: Weight) -> Vec<u128> {
    let mut strings: Vec<GraphString> = units.units().iter().map(|unit| unit.string).collect();
    strings.sort_by_key(|string| units.sweep_key(string));
    fills(&strings, &vec![0; units.joints().len()], units.kind(), weight)
}

/// Number of fills of `strings` by number of filled ones, `fixed_open[j]` further lines being open at joint `j`.
///
/// Interchangeable strings must be neighbours. At most 64 joints.
pub fn fills(strings: &[GraphString], fixed_open: &[u8], kind: SpaceKind, weight: Weight) -> Vec<u128> {
    assert!(fixed_open.len() <= 64, "{} joints", fixed_open.len());
    let n = strings.len();
    let touches = |string: &GraphString, joint: usize| string.ends.contains(&Some(joint));
    let last = |joint: usize| strings.iter().rposition(|string| touches(string, joint));
    let mut finished_by = vec![Vec::new(); n];
    let mut begin: u128 = 0;
    for (joint, &open) in fixed_open.iter().enumerate() {
        match last(joint) {
            Some(string) => {
                begin |= u128::from(open.min(2)) << (2 * joint);
                finished_by[string].push(joint);
            }
            None if kind == SpaceKind::Quiet && open == 1 => return vec![0; n + 1],
            None => {}
        }
    }
    let mut states: FxHashMap<u128, Vec<u128>> = FxHashMap::default();
    states.insert(begin, vec![1]);
    let mut at = 0;
    while at < n {
        let size = strings[at..].iter().take_while(|&string| *string == strings[at]).count();
        let mut next: FxHashMap<u128, Vec<u128>> = FxHashMap::default();
        for (&state, by_filled) in &states {
            for filled in 0..=size {
                let opened = (filled..size).fold(state, |state, _| opened(state, &strings[at]));
                let Some(state) = finish(opened, &finished_by[at + size - 1], kind) else { continue };
                let ways = if weight == Weight::Sets { binomial(size, filled) } else { 1 };
                let sum = next.entry(state).or_default();
                sum.resize(sum.len().max(by_filled.len() + filled), 0);
                for (k, &count) in by_filled.iter().enumerate() {
                    sum[k + filled] += count * ways;
                }
            }
        }
        states = next;
        at += size;
    }
    let mut total = states.remove(&0).unwrap_or_default();
    total.resize(n + 1, 0);
    total
}

/// The state after one more open string.
fn opened(state: u128, string: &GraphString) -> u128 {
    string.ends.iter().flatten().fold(state, |state, &joint| {
        let open = (state >> (2 * joint) & 3).min(1) + 1;
        state & !(3 << (2 * joint)) | open << (2 * joint)
    })
}

/// The state without the finished joints, or nothing if one of them can be captured in the quiet space.
fn finish(state: u128, joints: &[usize], kind: SpaceKind) -> Option<u128> {
    let capturable = |&joint: &usize| state >> (2 * joint) & 3 == 1;
    if kind == SpaceKind::Quiet && joints.iter().any(capturable) {
        return None;
    }
    Some(joints.iter().fold(state, |state, &joint| state & !(3 << (2 * joint))))
}

fn binomial(n: usize, k: usize) -> u128 {
    (0..k).fold(1, |ways, i| ways * (n - i) as u128 / (i + 1) as u128)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        // Four corner classes of two: three states instead of four.
        let canonical = positions(&units(2, 3, SpaceKind::Full), Weight::Canonical);
        assert_eq!(canonical.iter().sum::<u128>(), (1 << 9) * 81);
    }
}
