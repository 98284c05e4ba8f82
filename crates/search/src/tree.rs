//! The canonical form of summands that are trees: isomorphic ones have the same strings.
//!
//! Each joint of a tree, seen from a root, is described by the strings that lead away from the root and what they lead
//! to, in sorted order (Aho, Hopcroft and Ullman). The root is the centre of the tree, or whichever end of the middle
//! string gives the lesser description. Joints are then numbered in the order of the description.

use dab_board::graph::GraphString;

/// The strings of a summand with its joints renumbered, or `None` if it has a cycle. A summand without joints is a tree.
pub(crate) fn canonical(strings: &[GraphString]) -> Option<Vec<GraphString>> {
    let joints = strings.iter().flat_map(|string| string.ends).flatten().max().map_or(0, |last| last + 1);
    if joints == 0 {
        return Some(strings.to_vec());
    }
    let mut around: Vec<Vec<(u8, Option<usize>)>> = vec![Vec::new(); joints];
    let mut n_inner = 0;
    for string in strings {
        let [a, b] = string.ends;
        if let Some(a) = a {
            n_inner += 1;
            around[a].push((string.boxes, b));
        }
        if let Some(b) = b {
            around[b].push((string.boxes, a));
        }
    }
    let used: Vec<usize> = (0..joints).filter(|&joint| !around[joint].is_empty()).collect();
    // A connected graph is a tree when it has one edge less than vertices.
    if n_inner + 1 != used.len() {
        return None;
    }
    let describe = |root: usize| describe(&around, root, None);
    let best = centres(&around, &used).into_iter().map(describe).min()?;
    Some(build(&best))
}

/// The strings that lead away from a joint, sorted: inner boxes of each, and the branch at its end unless that is the
/// ground.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Branch(Vec<(u8, Option<Branch>)>);

fn describe(around: &[Vec<(u8, Option<usize>)>], joint: usize, from: Option<usize>) -> Branch {
    let onward = around[joint].iter().filter(|(_, end)| end.is_none() || *end != from);
    let mut branches: Vec<(u8, Option<Branch>)> =
        onward.map(|&(boxes, end)| (boxes, end.map(|end| describe(around, end, Some(joint))))).collect();
    branches.sort_unstable();
    Branch(branches)
}

/// The one or two joints that are left when leaves are taken away again and again.
fn centres(around: &[Vec<(u8, Option<usize>)>], used: &[usize]) -> Vec<usize> {
    let mut left = used.to_vec();
    while left.len() > 2 {
        let is_inner = |&joint: &usize| {
            around[joint].iter().filter(|(_, end)| end.is_some_and(|end| left.contains(&end))).count() > 1
        };
        left = left.iter().copied().filter(is_inner).collect();
    }
    left
}

fn build(root: &Branch) -> Vec<GraphString> {
    let mut strings = Vec::new();
    let mut pending = vec![(root, 0)];
    let mut n_joints = 1;
    while let Some((Branch(branches), joint)) = pending.pop() {
        for (boxes, branch) in branches {
            let end = branch.as_ref().map(|branch| {
                pending.push((branch, n_joints));
                n_joints += 1;
                n_joints - 1
            });
            strings.push(GraphString::new(Some(joint), end, *boxes));
        }
    }
    strings.sort_unstable();
    strings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(ends: &[(Option<usize>, Option<usize>, u8)]) -> Vec<GraphString> {
        ends.iter().map(|&(a, b, boxes)| GraphString::new(a, b, boxes)).collect()
    }

    /// A path of joints, each with a string of the given inner boxes to the ground and one to the next joint.
    fn path(legs: &[u8], names: &[usize]) -> Vec<GraphString> {
        let mut all: Vec<_> = legs.iter().zip(names).map(|(&leg, &name)| (None, Some(name), leg)).collect();
        all.extend(names.windows(2).map(|pair| (Some(pair[0]), Some(pair[1]), 0)));
        all.extend([names[0], names[names.len() - 1]].map(|end| (None, Some(end), 1)));
        strings(&all)
    }

    #[test]
    fn mirror_images_and_other_numbers_make_no_difference() {
        for n in [2, 3, 4, 5] {
            let legs: Vec<u8> = (0..n).map(|i| (i % 3) as u8).collect();
            let backwards: Vec<u8> = legs.iter().rev().copied().collect();
            let names: Vec<usize> = (0..n).map(|i| (i * 3 + 2) % 7).collect();
            let plain: Vec<usize> = (0..n).collect();
            assert_eq!(canonical(&path(&legs, &names)), canonical(&path(&backwards, &plain)));
            let mut other = legs.clone();
            other[0] += 1;
            assert_ne!(canonical(&path(&legs, &plain)), canonical(&path(&other, &plain)));
        }
    }

    #[test]
    fn a_tree_is_rebuilt_with_all_its_strings() {
        let tree = path(&[0, 2, 1], &[4, 0, 2]);
        let again = canonical(&tree).unwrap();
        assert_eq!(again.len(), tree.len());
        assert_eq!(canonical(&again), Some(again));
    }

    #[test]
    fn cycles_are_no_trees() {
        let parallel = strings(&[(Some(0), Some(1), 0), (Some(0), Some(1), 1), (None, Some(0), 0)]);
        assert_eq!(canonical(&parallel), None);
        let hanging = strings(&[(Some(0), Some(0), 2), (None, Some(0), 0)]);
        assert_eq!(canonical(&hanging), None);
        assert!(canonical(&[GraphString::ring(4)]).is_some());
    }
}
