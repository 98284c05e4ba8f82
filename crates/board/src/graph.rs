//! Strings and coins: the shape on which all rules are written.
//!
//! ```text
//!    ground ──string── joint ══string══ joint ──string── ground
//!                        │      (with two inner boxes)
//!                      string
//! ```
//! A joint is a box; a string is an undrawn line, or a whole chain (a pseudo-line) that carries inner boxes of its
//! own. In the graph of a board every box is a joint and no string has inner boxes. A position of a graph is the
//! set of *filled* strings. [`crate::contract`] makes graphs with pseudo-lines.

use crate::{BoxIdx, LineSet};

/// A string of a graph: its two ends and its inner boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GraphString {
    /// The joints at both ends, lower first; `None` is the ground.
    pub ends: [Option<BoxIdx>; 2],
    /// Boxes that lie inside the string.
    pub boxes: u8,
    /// An isolated loop: a ring of boxes without any end.
    pub ring: bool,
}

impl GraphString {
    /// A string between two ends with `boxes` inner boxes.
    pub fn new(a: Option<BoxIdx>, b: Option<BoxIdx>, boxes: u8) -> Self {
        Self { ends: if a <= b { [a, b] } else { [b, a] }, boxes, ring: false }
    }

    /// An isolated loop of `boxes` boxes.
    pub fn ring(boxes: u8) -> Self {
        Self { ends: [None, None], boxes, ring: true }
    }

    /// The end that is not `from`; the other copy of `from` if both ends are alike.
    #[inline]
    pub fn other_end(&self, from: Option<BoxIdx>) -> Option<BoxIdx> {
        if self.ends[0] == from { self.ends[1] } else { self.ends[0] }
    }
}

/// The strings around a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Joint {
    /// Strings with at least one end here.
    pub strings: LineSet,
    /// Strings with both ends here.
    pub twice: LineSet,
}

/// A strings-and-coins graph; see the module text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Graph {
    strings: Vec<GraphString>,
    joints: Vec<Joint>,
}

impl Graph {
    /// The graph of `n_joints` joints with the given strings.
    ///
    /// # Panics
    /// If a string names a joint that does not exist, or there are more than [`crate::MAX_LINES`] strings.
    pub fn new(n_joints: usize, strings: Vec<GraphString>) -> Self {
        assert!(strings.len() <= crate::MAX_LINES, "{} strings", strings.len());
        let mut joints = vec![Joint::default(); n_joints];
        for (i, string) in strings.iter().enumerate() {
            for joint in string.ends.into_iter().flatten() {
                let around = &mut joints[joint];
                if around.strings.has(i) {
                    around.twice = around.twice.with(i);
                }
                around.strings = around.strings.with(i);
            }
        }
        Self { strings, joints }
    }

    /// The strings in order.
    #[inline]
    pub fn strings(&self) -> &[GraphString] {
        &self.strings
    }

    /// The joints in order.
    #[inline]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The set of all strings.
    #[inline]
    pub fn all(&self) -> LineSet {
        LineSet::first(self.strings.len())
    }

    /// String ends at `joint` that are not filled: its valence.
    #[inline]
    pub fn valence(&self, joint: BoxIdx, filled: LineSet) -> usize {
        let around = &self.joints[joint];
        let here = (around.strings - filled).len();
        if around.twice.is_empty() { here } else { here + (around.twice - filled).len() }
    }

    /// Boxes not yet closed when `filled` is filled: joints with an open string and boxes inside open strings.
    pub fn open_boxes(&self, filled: LineSet) -> usize {
        let joints = self.joints.iter().filter(|joint| !joint.strings.is_subset(filled)).count();
        let inner: usize = (self.all() - filled).iter().map(|s| usize::from(self.strings[s].boxes)).sum();
        joints + inner
    }

    /// Whether no joint has exactly one open string end, so that nothing can be captured.
    pub fn is_quiet(&self, filled: LineSet) -> bool {
        (0..self.joints.len()).all(|joint| self.valence(joint, filled) != 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valence_counts_ends_not_strings() {
        // A loop of three boxes hanging on joint 0, and a stick to the ground.
        let graph = Graph::new(1, vec![GraphString::new(Some(0), Some(0), 3), GraphString::new(None, Some(0), 0)]);
        assert_eq!(graph.valence(0, LineSet::EMPTY), 3);
        assert_eq!(graph.valence(0, LineSet::one(0)), 1);
        assert_eq!(graph.open_boxes(LineSet::EMPTY), 4);
        assert_eq!(graph.open_boxes(LineSet::one(0)), 1);
        assert!(!graph.is_quiet(LineSet::one(0)));
    }
}
