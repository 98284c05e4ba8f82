//! Contraction: the graph of the undrawn lines, optionally with every chain as one pseudo-line.
//!
//! In a quiet position a chain of the start is always either entirely open or entirely filled: drawing one of its
//! lines makes the rest capturable. So in the quiet space one bit a chain is enough.

use crate::graph::GraphString;
use crate::quiet::Chain;
use crate::{Graph, LineSet};

/// One bit of a position encoder: an undrawn line, or all lines of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The lines of the original graph that it stands for.
    pub lines: LineSet,
    /// Its ends in the contracted graph, whose joints are [`Contraction::joints`].
    pub string: GraphString,
}

/// The rest of a graph once some lines are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contraction {
    /// The units in the order of their lowest lines.
    pub units: Vec<Unit>,
    /// For each joint the box of the original graph that it is.
    pub joints: Vec<usize>,
}

impl Contraction {
    /// Every undrawn line a unit of its own, every open box a joint.
    pub fn by_lines(graph: &Graph, drawn: LineSet) -> Self {
        let open = |&joint: &usize| graph.valence(joint, drawn) > 0;
        let joints: Vec<usize> = (0..graph.joints().len()).filter(open).collect();
        let units = (graph.all() - drawn).iter().map(|line| {
            let GraphString { ends, boxes, ring } = graph.strings()[line];
            (LineSet::one(line), Chain { strings: LineSet::one(line), boxes, ends, ring })
        });
        Self::from_chains(joints, units)
    }

    /// Every chain of the quiet position `drawn` one unit, every box with at least three open lines a joint.
    pub fn by_chains(graph: &Graph, drawn: LineSet) -> Self {
        debug_assert!(graph.is_quiet(drawn));
        let joints: Vec<usize> = (0..graph.joints().len()).filter(|&j| graph.valence(j, drawn) >= 3).collect();
        let mut rest = graph.all() - drawn;
        let units = std::iter::from_fn(|| {
            let chain = Chain::through(graph, drawn, rest.lowest()?);
            rest = rest - chain.strings;
            Some((chain.strings, chain))
        });
        Self::from_chains(joints, units)
    }

    fn from_chains(joints: Vec<usize>, chains: impl Iterator<Item = (LineSet, Chain)>) -> Self {
        let joint = |at: usize| joints.binary_search(&at).expect("the end of an open line is open");
        let units = chains
            .map(|(lines, chain)| Unit {
                lines,
                string: match chain.ring {
                    true => GraphString::ring(chain.boxes),
                    false => {
                        let [a, b] = chain.ends.map(|end| end.map(joint));
                        GraphString::new(a, b, chain.boxes)
                    }
                },
            })
            .collect();
        Self { units, joints }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Start};

    #[test]
    fn lines_stay_lines() {
        let board = Board::grid(2, 2).unwrap();
        let left = Contraction::by_lines(board.graph(), LineSet::EMPTY);
        assert_eq!((left.units.len(), left.joints.len()), (12, 4));
    }

    #[test]
    fn chains_become_pseudo_lines() {
        // Swedish 3x3: four corner boxes are chains of one, the sides and the centre are joints.
        let board = Board::grid(3, 3).unwrap();
        let left = Contraction::by_chains(board.graph(), board.start_lines(Start::Swedish).unwrap());
        assert_eq!((left.units.len(), left.joints.len()), (8, 5));
        assert_eq!(left.units.iter().filter(|unit| unit.string.boxes == 1).count(), 4);
    }

    #[test]
    fn an_isolated_loop_is_one_ring() {
        let board = Board::grid(2, 2).unwrap();
        let left = Contraction::by_chains(board.graph(), board.start_lines(Start::Swedish).unwrap());
        assert_eq!(left.units.len(), 1);
        assert_eq!(left.units[0].string, GraphString::ring(4));
        assert!(left.joints.is_empty());
    }
}
