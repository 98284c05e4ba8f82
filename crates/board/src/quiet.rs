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
    /// The part of them that the opponent may decline.
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
        visit(chain.filled(graph, filled));
    }
}

/// Calls `visit` with every move of the quiet position `filled` that fills a string of `through`, each once.
///
/// The moves are the chains through such strings, and the loops whose sticks they are.
#[inline]
pub fn for_each_move_through(graph: &Graph, filled: LineSet, through: LineSet, mut visit: impl FnMut(QuietMove)) {
    let mut rest = through - filled;
    while let Some(string) = rest.lowest() {
        let chain = Chain::through(graph, filled, string);
        rest = rest - chain.strings;
        visit(chain.filled(graph, filled));
        if chain.ring || chain.ends[0] == chain.ends[1] {
            continue;
        }
        // A loop may hang on the chain; opening it runs on along the chain. One that meets `through` itself is among
        // the chains.
        for joint in chain.ends.into_iter().flatten().filter(|&joint| has_valence(graph, joint, filled, 3)) {
            let others = graph.joints()[joint].strings - filled - chain.strings;
            let Some(next) = others.lowest() else { continue };
            let hanging = Chain::through(graph, filled, next);
            let is_loop = hanging.ends == [Some(joint); 2] && !hanging.ring;
            if is_loop && !hanging.strings.meets(through) {
                visit(hanging.opened(graph, filled));
            }
        }
    }
}

/// A maximal run of open strings through boxes with two open lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// Its strings.
    pub(crate) strings: LineSet,
    /// Boxes with two open lines on it.
    pub(crate) boxes: u8,
    /// The joints, with at least three open lines, at both ends; `None` is the ground.
    pub(crate) ends: [Option<BoxIdx>; 2],
    /// An isolated loop.
    pub(crate) ring: bool,
}

impl Chain {
    /// The chain on which the open string `string` lies.
    #[inline]
    pub(crate) fn through(graph: &Graph, filled: LineSet, string: usize) -> Self {
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
            if !has_valence(graph, joint, filled, 2) {
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

    /// The move that fills this chain: a safe line, if it has no boxes.
    #[inline]
    fn filled(&self, graph: &Graph, filled: LineSet) -> QuietMove {
        match self.boxes {
            0 => QuietMove { boxes: 0, decline: Decline::None, after: filled | self.strings },
            _ => self.opened(graph, filled),
        }
    }

    /// The move that opens this chain of at least one box.
    #[inline]
    pub(crate) fn opened(&self, graph: &Graph, filled: LineSet) -> QuietMove {
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

/// Whether the valence of `joint` is `n`, at least 1. Spelled out because counting bits takes longer.
#[inline]
fn has_valence(graph: &Graph, joint: BoxIdx, filled: LineSet, n: usize) -> bool {
    let around = &graph.joints()[joint];
    let mut open = (around.strings - filled).0;
    if open & around.twice.0 != 0 {
        return graph.valence(joint, filled) == n;
    }
    for _ in 1..n {
        open &= open.wrapping_sub(1);
    }
    open.is_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contraction;
    use crate::{Board, Position, Start};

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

    /// On all quiet positions of the graph, for single strings and for some sets of them.
    fn check_moves_through(graph: &Graph) {
        let n = graph.strings().len();
        let halves = [LineSet::EMPTY, graph.all(), LineSet::first(n / 2), graph.all() - LineSet::first(n / 2)];
        let thirds = [0, 1, 2].map(|i| (0..n).filter(|string| string % 3 == i).collect());
        let sets: Vec<LineSet> = (0..n).map(LineSet::one).chain(halves).chain(thirds).collect();
        let sorted = |mut moves: Vec<QuietMove>| {
            moves.sort_unstable_by_key(|m| m.after);
            moves
        };
        for filled in (0..1 << n).map(LineSet).filter(|&filled| graph.is_quiet(filled)) {
            let all = sorted(moves(graph, filled));
            for &through in &sets {
                let mut found = Vec::new();
                for_each_move_through(graph, filled, through, |m| found.push(m));
                let expected = all.iter().filter(|m| (m.after - filled).meets(through));
                assert_eq!(sorted(found), expected.copied().collect::<Vec<_>>(), "{filled:?} through {through:?}");
            }
        }
    }

    #[test]
    fn moves_through_strings_are_those_that_fill_one() {
        for (rows, cols) in [(1, 1), (1, 2), (1, 4), (2, 2), (2, 3)] {
            check_moves_through(Board::grid(rows, cols).unwrap().graph());
        }
        // Pseudo-lines: strings with boxes of their own, that may end twice at a joint.
        for (rows, cols, start) in [(3, 3, Start::Swedish), (3, 4, Start::Swedish), (3, 3, Start::Icelandic)] {
            let start = Position::start(Board::grid(rows, cols).unwrap(), start);
            let Contraction { units, joints } =
                Contraction::by_chains(start.board().graph(), start.capture_run().after);
            let strings = units.iter().map(|unit| unit.string).collect();
            check_moves_through(&Graph::new(joints.len(), strings));
        }
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
