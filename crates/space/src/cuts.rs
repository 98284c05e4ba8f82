//! The cuts of a board: a group for each joint.
//!
//! A straight cut runs along a row or column of lines, or takes one or two rows or columns of boxes into the waist.
//! A graph is arranged along a line and cut across that, between two joints or through those next to the gap. Beside each
//! cut stands the one that shares out the components it misses.

use dab_board::BoardKind;
use dab_board::graph::GraphString;

use crate::Units;
use crate::partition::Group;
use crate::shared_out::with_shared_out;

/// Every cut from which the layout chooses: a group for each joint.
pub fn cuts(units: &Units) -> Vec<Vec<Group>> {
    let mut cuts = straight_cuts(units);
    if units.start().board().kind() == BoardKind::Graph {
        for cut in separators(units) {
            if !cuts.contains(&cut) {
                cuts.push(cut);
            }
        }
    }
    with_shared_out(units, cuts)
}

/// Every straight cut: a group for each joint.
pub fn straight_cuts(units: &Units) -> Vec<Vec<Group>> {
    let places = units.places();
    let mut cuts: Vec<Vec<Group>> = Vec::new();
    for along in [|place: (usize, usize)| place.0, |place: (usize, usize)| place.1] {
        let length = places.iter().map(|&place| along(place) + 1).max().unwrap_or(0);
        for thickness in 0..=2 {
            for first in 0..=length {
                let side = |&place: &(usize, usize)| match along(place) {
                    at if at < first => Group::Upper,
                    at if at < first + thickness => Group::Waist,
                    _ => Group::Lower,
                };
                let cut: Vec<Group> = places.iter().map(side).collect();
                if !cuts.contains(&cut) {
                    cuts.push(cut);
                }
            }
        }
    }
    cuts
}

/// For each gap of an arranged graph the two cuts through the joints next to it: those before the gap that have a
/// unit over it are the waist, or those behind.
fn separators(units: &Units) -> impl Iterator<Item = Vec<Group>> {
    let place = |joint: usize| units.places()[joint].1;
    let n = units.joints().len();
    let cut = move |gap: usize, waist_is_before: bool| -> Vec<Group> {
        let crosses = |joint: usize| {
            let over = |string: &GraphString| match string.ends {
                [Some(a), Some(b)] => (a == joint || b == joint) && (place(a) < gap) != (place(b) < gap),
                _ => false,
            };
            units.units().iter().any(|unit| over(&unit.string))
        };
        let group = |joint: usize| match place(joint) < gap {
            before if before == waist_is_before && crosses(joint) => Group::Waist,
            true => Group::Upper,
            false => Group::Lower,
        };
        (0..n).map(group).collect()
    };
    (1..n).flat_map(move |gap| [true, false].map(|waist_is_before| cut(gap, waist_is_before)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpaceKind;

    #[test]
    fn cuts_are_distinct() {
        let cuts = straight_cuts(&Units::new("2x2".parse().unwrap(), SpaceKind::Quiet).unwrap());
        assert!(cuts.iter().enumerate().all(|(i, cut)| !cuts[..i].contains(cut)));
        assert!(cuts.len() >= 4);
    }
}
