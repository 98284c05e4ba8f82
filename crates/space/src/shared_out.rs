//! The components that the waist leaves apart, each given to a half.
//!
//! ```text
//!    straight cut        shared out
//!    A A │ B B            A A │ C C
//!    A   │ B              A   │ D
//!        │ C C            B B │
//!        │ D              B   │
//! ```
//! Without the boxes of the waist, a component may lie in either half, wherever it is on the board. A component through
//! which a straight cut runs stays as it is cut. The others are shared out so that both halves have about as many
//! units: halves of the same size have the fewest configurations and slabs.

use std::cmp::Reverse;

use dab_board::connected;
use dab_board::contract::Unit;

use crate::partition::Group;
use crate::{Half, PerHalf, Units};

/// The cuts, and after them those that sharing out makes of them.
pub(crate) fn with_shared_out(units: &Units, mut cuts: Vec<Vec<Group>>) -> Vec<Vec<Group>> {
    let shared: Vec<Vec<Group>> = cuts.iter().map(|cut| shared_out(units, cut)).collect();
    for cut in shared {
        // A cut turned over is the same cut.
        let turned: Vec<Group> = cut.iter().map(|&group| other_half(group)).collect();
        if !cuts.contains(&cut) && !cuts.contains(&turned) {
            cuts.push(cut);
        }
    }
    cuts
}

/// The cut with every component on one side of it given to the emptier half, those with the most units first.
fn shared_out(units: &Units, cut: &[Group]) -> Vec<Group> {
    let ends = |unit: &Unit| unit.string.ends.map(|end| end.filter(|&joint| cut[joint] != Group::Waist));
    // Units at or across the waist belong to neither half.
    let lies_in = |unit: &Unit, half: Group| unit.string.ends.into_iter().flatten().all(|joint| cut[joint] == half);
    let mut totals = PerHalf([0; 2]);
    let mut free = Vec::new();
    for component in connected(units.units(), ends) {
        let joints: Vec<usize> = component.iter().flat_map(ends).flatten().collect();
        let Some(&lowest) = joints.iter().min() else { continue };
        let sizes = PerHalf::from_fn(|half| component.iter().filter(|unit| lies_in(unit, half.into())).count());
        if Half::BOTH.into_iter().all(|half| joints.iter().any(|&joint| cut[joint] == half.into())) {
            Half::BOTH.into_iter().for_each(|half| totals[half] += sizes[half]);
        } else {
            free.push((Reverse(sizes[Half::Upper] + sizes[Half::Lower]), lowest, joints));
        }
    }
    free.sort();
    let mut shared = cut.to_vec();
    for (Reverse(size), _, joints) in free {
        let half = if totals[Half::Lower] < totals[Half::Upper] { Half::Lower } else { Half::Upper };
        totals[half] += size;
        joints.into_iter().for_each(|joint| shared[joint] = half.into());
    }
    shared
}

fn other_half(group: Group) -> Group {
    match group {
        Group::Waist => Group::Waist,
        Group::Upper => Group::Lower,
        Group::Lower => Group::Upper,
    }
}
