//! Bytes of scores on disk, from the shape of the board.
//!
//! The thickness of the board decides where nothing is drawn. After other starts a position takes the more bits the fewer
//! units lead out of the board and the more chains are to be filled. The full space takes the same on all boards.

use dab_board::Graph;
use dab_space::{Layout, SpaceKind};

use super::constants::{DRAWN, EMPTY, FULL, LAYER, SLAB};

/// Bits of a score in a file, of one space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Density {
    bits: f64,
}

impl Density {
    pub(crate) fn new(layout: &Layout) -> Self {
        let graph = &layout.partition().graph;
        let bits = match layout.units().kind() {
            SpaceKind::Full => FULL,
            SpaceKind::Quiet if layout.units().root().is_empty() => EMPTY.0 + EMPTY.1 * thickness(graph),
            SpaceKind::Quiet => {
                let joints = graph.joints().iter().filter(|joint| !joint.strings.is_empty()).count().max(1);
                let ways_out = graph.strings().iter().filter(|string| string.ends.contains(&None)).count();
                let chains = layout.units().units().iter().filter(|unit| unit.lines.len() > 1).count();
                DRAWN.0 + DRAWN.1 * ways_out as f64 / joints as f64 + DRAWN.2 * chains as f64
            }
        };
        // No board has so many ways out, but a graph may.
        Self { bits: bits.max(0.3) }
    }

    /// Bytes of a layer of so many positions in so many slabs.
    pub(crate) fn bytes(self, positions: u128, slabs: usize) -> u128 {
        (positions as f64 * self.bits / 8.0 + slabs as f64 * SLAB + LAYER).ceil() as u128
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
