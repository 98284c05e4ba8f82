//! Parts that the waist leaves apart, and which half each of them goes to.
//!
//! ```text
//!    straight cut        shared out
//!    A A │ B B            A A │ C C
//!    A   │ B              A   │ D
//!        │ C C            B B │
//!        │ D              B   │
//! ```
//! Boxes of the waist taken away, parts without a unit between them may lie in either half, wherever they are on the
//! board. A part through which a straight cut runs stays as it is cut; the others are shared out so that both halves
//! have about as many units: halves of the same size have the fewest configurations and slabs.

use std::cmp::Reverse;

use crate::Units;
use crate::partition::Group;

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

/// The cut with every part on one side of it given to the emptier half, those with the most units first.
fn shared_out(units: &Units, cut: &[Group]) -> Vec<Group> {
    let part_of = parts(units, cut);
    // Units of each part in the upper and in the lower half; those at or across the waist belong to neither.
    let mut sizes = vec![[0; 2]; cut.len()];
    for unit in units.units() {
        let mut ends = unit.string.ends.into_iter().flatten();
        if let Some(joint) = ends.next()
            && ends.all(|other| cut[other] == cut[joint])
            && let Some(half) = half_of(cut[joint])
        {
            sizes[part_of[joint]][half] += 1;
        }
    }
    let lies_in = |part: usize, group: Group| (0..cut.len()).any(|joint| part_of[joint] == part && cut[joint] == group);
    let is_cut = |part: usize| lies_in(part, Group::Upper) && lies_in(part, Group::Lower);
    let mut totals = [0; 2];
    for part in (0..cut.len()).filter(|&part| is_cut(part)) {
        totals = [0, 1].map(|half| totals[half] + sizes[part][half]);
    }
    let is_part = |&part: &usize| part_of[part] == part && cut[part] != Group::Waist && !is_cut(part);
    let mut free: Vec<usize> = (0..cut.len()).filter(is_part).collect();
    free.sort_by_key(|&part| Reverse(sizes[part].iter().sum::<usize>()));
    let mut shared = cut.to_vec();
    for part in free {
        let half = usize::from(totals[1] < totals[0]);
        totals[half] += sizes[part].iter().sum::<usize>();
        for joint in (0..cut.len()).filter(|&joint| part_of[joint] == part) {
            shared[joint] = [Group::Upper, Group::Lower][half];
        }
    }
    shared
}

/// The part of each joint, named by its lowest joint; a joint of the waist is a part of its own.
fn parts(units: &Units, cut: &[Group]) -> Vec<usize> {
    let mut part_of: Vec<usize> = (0..cut.len()).collect();
    for unit in units.units() {
        if let [Some(a), Some(b)] = unit.string.ends
            && cut[a] != Group::Waist
            && cut[b] != Group::Waist
        {
            let (keep, drop) = (part_of[a].min(part_of[b]), part_of[a].max(part_of[b]));
            part_of.iter_mut().filter(|part| **part == drop).for_each(|part| *part = keep);
        }
    }
    part_of
}

fn half_of(group: Group) -> Option<usize> {
    [Group::Upper, Group::Lower].into_iter().position(|half| half == group)
}

fn other_half(group: Group) -> Group {
    match group {
        Group::Waist => Group::Waist,
        Group::Upper => Group::Lower,
        Group::Lower => Group::Upper,
    }
}
