//! The moves of a quiet position: safe lines, and chains that are opened and filled at once.
//!
//! A chain is a maximal run of boxes with two open lines. Opening it starts a capture run in which everything falls
//! that becomes capturable on the way; the opponent makes that run. Three shapes are all there is:
//! ```text
//!    joint ─○─○─○─ joint      a chain with two ends, which stay quiet
//!    joint ─○─○─○┐            a loop on a stick: the joint has just three lines, so the run goes on through it
//!      └─────────┘            and along the stick
//!    ┌─○─○─┐
//!    └─○─○─┘                  an isolated loop
//! ```
//! Verified against the rules of single lines on every position of small boards.

use crate::capture::Decline;
use crate::graph::GraphString;
use crate::{BoxIdx, Graph, LineSet, Score};

/// One move of a quiet position that ends in another quiet position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietMove {
    /// Boxes that the opponent may capture; 0 for a safe line.
    pub boxes: u8,
    /// What the opponent may decline of them.
    pub decline: Decline,
    /// Filled strings afterwards.
    pub after: LineSet,
}

impl QuietMove {
    /// Score of the move for the player who makes it, `after` being the score of the position it leads to.
    #[inline]
    pub fn score(&self, after: Score) -> Score {
        -self.decline.score(self.boxes, after)
    }
}

/// Calls `visit` with every move of the quiet position `filled`, each chain once.
#[inline]
pub fn for_each_move(graph: &Graph, filled: LineSet, mut visit: impl FnMut(QuietMove)) {
    let mut rest = graph.all() - filled;
    while let Some(string) = rest.lowest() {
        let chain = Chain::through(graph, filled, string);
        rest = rest - chain.strings;
        if chain.boxes == 0 {
            visit(QuietMove { boxes: 0, decline: Decline::None, after: filled | chain.strings });
        } else {
            visit(chain.opened(graph, filled));
        }
    }
}

/// A maximal run of open strings through boxes with two open lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Its strings.
    pub strings: LineSet,
    /// Boxes with two open lines on it.
    pub boxes: u8,
    /// The joints, with at least three open lines, at both ends; `None` is the ground.
    pub ends: [Option<BoxIdx>; 2],
    /// An isolated loop.
    pub ring: bool,
}

impl Chain {
    /// The chain on which the open string `string` lies.
    #[inline]
    pub fn through(graph: &Graph, filled: LineSet, string: usize) -> Self {
        let GraphString { ends, boxes, ring } = graph.strings()[string];
        let mut chain = Self { strings: LineSet::one(string), boxes, ends, ring };
        if !ring {
            chain.extend(graph, filled, 1);
            if !chain.ring {
                chain.extend(graph, filled, 0);
            }
        }
        chain
    }

    /// Walks on from end `side` as long as boxes have two open lines.
    #[inline]
    fn extend(&mut self, graph: &Graph, filled: LineSet, side: usize) {
        while let Some(joint) = self.ends[side] {
            if graph.valence(joint, filled) != 2 {
                return;
            }
            self.boxes += 1;
            // The other string at the joint, unless the chain has come round to where it began.
            let Some(next) = (graph.joints()[joint].strings - filled - self.strings).lowest() else {
                self.ring = true;
                return;
            };
            self.strings = self.strings.with(next);
            self.boxes += graph.strings()[next].boxes;
            self.ends[side] = graph.strings()[next].other_end(Some(joint));
        }
    }

    /// The move that opens this chain of at least one box.
    #[inline]
    pub fn opened(&self, graph: &Graph, filled: LineSet) -> QuietMove {
        let after = filled | self.strings;
        if self.ring {
            let decline = if self.boxes >= 4 { Decline::Four } else { Decline::None };
            return QuietMove { boxes: self.boxes, decline, after };
        }
        if let [Some(joint), Some(same)] = self.ends
            && joint == same
            && let 1 = graph.valence(joint, after)
            && let Some(next) = (graph.joints()[joint].strings - after).lowest()
        {
            let stick = Self::through(graph, after, next);
            // Walking from the stick counts neither the joint nor anything beyond the stick's far end.
            let boxes = self.boxes + 1 + stick.boxes;
            return QuietMove { boxes, decline: Decline::Two, after: after | stick.strings };
        }
        let decline = if self.boxes >= 3 { Decline::Two } else { Decline::None };
        QuietMove { boxes: self.boxes, decline, after }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    fn moves(graph: &Graph, filled: LineSet) -> Vec<QuietMove> {
        let mut all = Vec::new();
        for_each_move(graph, filled, |quiet_move| all.push(quiet_move));
        all
    }

    #[test]
    fn every_first_line_is_safe() {
        let board = Board::grid(3, 3).unwrap();
        let all = moves(board.graph(), LineSet::EMPTY);
        assert_eq!(all.len(), 24);
        assert!(all.iter().all(|m| m.boxes == 0 && m.after.len() == 1));
    }

    #[test]
    fn an_isolated_loop_leaves_four() {
        // 2x2 with all sides drawn.
        let board = Board::grid(2, 2).unwrap();
        let all = moves(board.graph(), LineSet(0xb73));
        assert_eq!(all, [QuietMove { boxes: 4, decline: Decline::Four, after: board.all() }]);
    }

    #[test]
    fn a_loop_on_a_stick_is_no_isolated_loop() {
        // One safe line after the smallest position of 2x3 that this mistake gets wrong.
        let board = Board::grid(2, 3).unwrap();
        let all = moves(board.graph(), LineSet(0x1b2c7));
        assert!(all.iter().any(|m| m.decline == Decline::Two && m.boxes >= 4));
        assert!(all.iter().all(|m| m.decline != Decline::Four));
    }

    #[test]
    fn every_move_ends_quiet() {
        let board = Board::grid(2, 2).unwrap();
        for drawn in (0..1 << 12).map(LineSet).filter(|&drawn| board.graph().is_quiet(drawn)) {
            for m in moves(board.graph(), drawn) {
                assert!(board.graph().is_quiet(m.after));
                let closed = board.graph().open_boxes(drawn) - board.graph().open_boxes(m.after);
                assert_eq!(usize::from(m.boxes), closed);
            }
        }
    }
}
