//! How many bytes scores take on disk, foretold from the shape of the board.
//!
//! Measured on solved boards, a position of the quiet space takes 1.0 bits on boards one box wide, 1.4 on 2x6 and 2x7,
//! 1.6 to 1.9 on 3x4 to 3x6 and 2.15 on 4x4: what counts is how thick the board is. A position of the full space takes
//! 1.23 to 1.29 bits on all of them. A slab takes some 200 bytes beside its scores.

use dab_board::Graph;
use dab_space::{Layout, SpaceKind};

/// Bits of a position of the quiet space on a board without thickness, and for each box of it.
const QUIET: (f64, f64) = (0.60, 0.38);
/// Bits of a position of the full space.
const FULL: f64 = 1.27;
/// Bytes of a slab beside its scores: its headers, and its place in the directory.
const SLAB: f64 = 200.0;

/// Foretells the bytes of scores of one space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Density {
    bits: f64,
}

impl Density {
    pub(crate) fn new(layout: &Layout) -> Self {
        let bits = match layout.units().kind() {
            SpaceKind::Quiet => QUIET.0 + QUIET.1 * thickness(&layout.partition().graph),
            SpaceKind::Full => FULL,
        };
        Self { bits }
    }

    /// Bytes of so many positions in so many slabs.
    pub(crate) fn bytes(self, positions: u128, slabs: usize) -> u128 {
        (positions as f64 * self.bits / 8.0 + slabs as f64 * SLAB).ceil() as u128
    }
}

/// The shorter side of a rectangle that has as many joints, and as far from corner to corner, as the graph.
fn thickness(graph: &Graph) -> f64 {
    let (joints, longest) = (graph.joints().len() as f64, longest_path(graph) as f64);
    // R * C joints, R + C - 2 steps
    let sum = longest + 2.0;
    (sum - (sum * sum - 4.0 * joints).max(0.0).sqrt()) / 2.0
}

/// The most steps that any joint is from another one that can be reached from it.
fn longest_path(graph: &Graph) -> usize {
    let n = graph.joints().len();
    let mut longest = 0;
    for from in 0..n {
        let mut steps = vec![usize::MAX; n];
        let mut reached = vec![from];
        steps[from] = 0;
        let mut next = 0;
        while let Some(&joint) = reached.get(next) {
            next += 1;
            for string in graph.joints()[joint].strings.iter() {
                if let Some(other) = graph.strings()[string].other_end(Some(joint))
                    && steps[other] == usize::MAX
                {
                    steps[other] = steps[joint] + 1;
                    reached.push(other);
                }
            }
        }
        longest = reached.into_iter().map(|joint| steps[joint]).max().unwrap_or(0).max(longest);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::Units;

    #[test]
    fn rectangles_are_as_thick_as_they_are() {
        for (board, expected) in [("1x7", 1.0), ("2x2", 2.0), ("3x5", 3.0), ("4x4", 4.0), ("5x3", 3.0)] {
            let layout = Layout::new(Units::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
            assert_eq!(thickness(&layout.partition().graph), expected, "{board}");
        }
    }
}
