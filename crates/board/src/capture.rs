//! Capture runs: a player takes every box that can be taken.
//!
//! The boxes of a run form trees. A tree with an exit leads to a box that stays open or to the ground; a tree
//! without one is closed on both sides:
//! ```text
//!    open:    [3-sided] ── box ── box ── (joint or ground)      decline: leave the last two boxes
//!    closed:  [3-sided] ── box ── box ── [3-sided]              decline: leave four as two pairs
//! ```
//! The player who makes the run either takes all of it and moves on, or *declines* the last boxes and hands the turn
//! over.
//! This holds for any graph whose strings carry no inner boxes.

use crate::score::clamped;
use crate::{BoxIdx, Graph, LineIdx, LineSet, Score};

mod after_lines;

pub use after_lines::{AfterLine, AfterLines};

/// The part of a run that can be left to the opponent, who then has to move on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decline {
    /// Everything must be taken.
    None,
    /// Four boxes as two pairs, from a loop.
    Four,
    /// Two boxes: a hard-hearted handout.
    Two,
}

impl Decline {
    /// Boxes that are left to the opponent.
    #[inline]
    pub const fn boxes(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// Score for the player who makes a run of `boxes` boxes that leads to a position of score `after`.
    #[inline]
    pub fn score(self, boxes: u8, after: Score) -> Score {
        let take_all = boxes + after;
        match self {
            Self::None => take_all,
            Self::Two | Self::Four => {
                take_all.max(clamped(i16::from(boxes) - 2 * i16::from(self.boxes()) - i16::from(after.0)))
            }
        }
    }
}

/// A whole capture run from one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureRun {
    /// Boxes that fall.
    pub boxes: u8,
    /// The part that may be declined.
    pub decline: Decline,
    /// The quiet position in which the run ends.
    pub after: LineSet,
}

impl CaptureRun {
    /// The run that starts from `filled`; an empty one if the position is quiet.
    pub fn new(graph: &Graph, filled: LineSet) -> Self {
        Self::from_fallible(graph, filled, fallible(graph, filled))
    }

    /// No run at all: where boxes that can be captured stay.
    pub fn none(filled: LineSet) -> Self {
        Self { boxes: 0, decline: Decline::None, after: filled }
    }

    /// The run that starts from `filled`, where the boxes `pending` can fall.
    fn from_fallible(graph: &Graph, filled: LineSet, mut pending: LineSet) -> Self {
        debug_assert!(graph.strings().iter().all(|string| string.boxes == 0), "a run is walked box by box");
        let mut after = filled;
        let mut taken = LineSet::EMPTY; // boxes, not lines; so are all sets of boxes below
        let (mut has_grown, mut has_closed) = (false, false);
        while let Some(joint) = pending.lowest() {
            pending = pending - LineSet::one(joint);
            // A box that shared its last line with a box taken before has fallen with it.
            taken = taken.with(joint);
            let Some(line) = (graph.joints()[joint].strings - after).lowest() else { continue };
            after = after.with(line);
            if let Some(other) = graph.strings()[line].other_end(Some(joint)) {
                if graph.joints()[other].strings.is_subset(after) {
                    taken = taken.with(other);
                    has_closed = true;
                } else if can_fall(graph, other, after) {
                    pending = pending.with(other);
                    has_grown = true;
                }
            }
        }
        // Unless the run grows, every tree is a single box or a closed pair; unless one line closes two boxes, every
        // tree is open.
        let decline = match (has_grown, has_closed) {
            (false, _) => Decline::None,
            (true, false) => Decline::Two,
            (true, true) => decline(graph, filled, taken),
        };
        Self { boxes: taken.len() as u8, decline, after }
    }

    /// Score of the position in which the run starts, `after` being that of the quiet position in which it ends.
    pub fn score(&self, after: Score) -> Score {
        self.decline.score(self.boxes, after)
    }
}

/// The number of boxes, 0 to 2, that filling the open string `line` closes: the one definition of closing.
pub fn closed_by(graph: &Graph, filled: LineSet, line: LineIdx) -> u8 {
    let ends = graph.strings()[line].ends;
    ends.iter().flatten().filter(|&&joint| can_fall(graph, joint, filled)).count() as u8
}

/// Whether just one string end is open at `joint`. Spelled out because counting bits takes longer, and every probe asks
/// this of every box.
#[inline]
fn can_fall(graph: &Graph, joint: BoxIdx, filled: LineSet) -> bool {
    let around = &graph.joints()[joint];
    let open = around.strings - filled;
    open.0.is_power_of_two() && !open.meets(around.twice)
}

/// All boxes that can fall. No branch is taken on the answers, which are hard to foresee.
#[inline]
fn fallible(graph: &Graph, filled: LineSet) -> LineSet {
    let all = graph.joints().iter().rev();
    LineSet(all.fold(0, |boxes, around| {
        let open = around.strings - filled;
        boxes << 1 | u128::from(open.0.is_power_of_two() & !open.meets(around.twice))
    }))
}

/// The part of the run through the boxes `taken` that can be declined: two boxes iff an open tree has two, four iff a
/// closed tree contains a path of four.
fn decline(graph: &Graph, filled: LineSet, taken: LineSet) -> Decline {
    let mut best = Decline::None;
    let mut unseen = taken;
    while let Some(root) = unseen.lowest() {
        let walk = Walk::from(graph, filled, taken, root);
        unseen = unseen - walk.tree;
        if walk.has_exit && walk.length >= 2 {
            return Decline::Two;
        }
        // The box farthest from any other is an end of a longest path.
        if !walk.has_exit && Walk::from(graph, filled, taken, walk.farthest).length >= 4 {
            best = Decline::Four;
        }
    }
    best
}

/// A walk through one tree of taken boxes, breadth first.
struct Walk {
    /// Its boxes.
    tree: LineSet,
    /// Boxes on the longest path from the first one.
    length: usize,
    /// A box at the end of that path.
    farthest: BoxIdx,
    /// Whether a line leads out of the tree.
    has_exit: bool,
}

impl Walk {
    fn from(graph: &Graph, filled: LineSet, taken: LineSet, root: BoxIdx) -> Self {
        let mut walk = Self { tree: LineSet::EMPTY, length: 0, farthest: root, has_exit: false };
        let mut front = LineSet::one(root);
        while let Some(joint) = front.lowest() {
            walk.tree |= front;
            walk.length += 1;
            walk.farthest = joint;
            let mut beyond = LineSet::EMPTY;
            for joint in front.iter() {
                for line in (graph.joints()[joint].strings - filled).iter() {
                    match graph.strings()[line].other_end(Some(joint)).filter(|&other| taken.has(other)) {
                        Some(other) => beyond = beyond.with(other),
                        None => walk.has_exit = true,
                    }
                }
            }
            front = beyond - walk.tree;
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::graph::GraphString;
    use crate::{Board, Position};

    #[track_caller]
    fn check(rows: usize, cols: usize, drawn: u128, boxes: u8, declined: Decline) {
        let board = Board::grid(rows, cols).unwrap();
        let run = CaptureRun::new(board.graph(), LineSet(drawn));
        assert_eq!((run.boxes, run.decline), (boxes, declined));
        assert!(board.graph().is_quiet(run.after));
    }

    #[test]
    fn quiet_positions_have_an_empty_run() {
        check(3, 3, 0, 0, Decline::None);
    }

    #[test]
    fn a_single_box_cannot_be_declined() {
        check(1, 1, 0b0111, 1, Decline::None);
    }

    #[test]
    fn an_open_pair_can() {
        // 1x3: all but the two inner lines and the right end.
        check(1, 3, 0x3f | 1 << 6, 3, Decline::Two);
    }

    #[test]
    fn a_closed_chain_of_four_leaves_four() {
        check(1, 4, 0xff | 1 << 8 | 1 << 12, 4, Decline::Four);
        check(1, 3, 0x3f | 1 << 6 | 1 << 9, 3, Decline::None);
    }

    /// Holds the runs after all lines of positions against runs of the positions that the lines lead to.
    #[track_caller]
    fn check_lines(board: &str, graph: &Graph, drawn: impl Iterator<Item = u128>) {
        let mut lines = AfterLines::new(graph);
        for drawn in drawn.map(LineSet) {
            assert_eq!(lines.work_out(graph, drawn), CaptureRun::new(graph, drawn).after, "{board} {drawn:?}");
            let expected = (graph.all() - drawn)
                .iter()
                .map(|line| (line, closed_by(graph, drawn, line), CaptureRun::new(graph, drawn.with(line))));
            let found = lines.iter().map(|(line, after)| {
                assert_eq!(lines.ends()[after.end], after.run.after);
                (line, after.closed, after.run)
            });
            assert!(found.eq(expected), "{board} {drawn:?}");
            let ends: HashSet<LineSet> = lines.iter().map(|(_, after)| after.run.after).collect();
            assert_eq!(ends.len(), lines.ends().len(), "each end once: {board} {drawn:?}");
        }
    }

    #[test]
    fn runs_after_lines_are_those_of_the_positions_that_they_lead_to() {
        for (board, n_lines) in [("2x2", 12), ("1x5", 16), ("5x1", 16), ("2x3", 17), ("triangles:open:5", 11)] {
            let position: Position = board.parse().unwrap();
            check_lines(board, position.board().graph(), 0..1 << n_lines);
        }
        let mut state = 1_u64;
        let mut random = || {
            // splitmix64
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            u128::from(z ^ z >> 31)
        };
        for (board, n_lines) in [("3x3", 24), ("3x4", 31), ("5x5", 60), ("4x8", 76), ("1x30", 91)] {
            let drawn: Vec<u128> = (0..100_000)
                .map(|i| {
                    let [one, other, third] = [(); 3].map(|()| random() << 64 | random());
                    // A half of the lines, three quarters of them, or all but an eighth.
                    ([one, one | other, one | other | third][i % 3]) & ((1 << n_lines) - 1)
                })
                .collect();
            let position: Position = board.parse().unwrap();
            check_lines(board, position.board().graph(), drawn.into_iter());
        }
        // Graphs with several lines between two boxes.
        for n_boxes in [3, 5].repeat(50) {
            let mut end = |other: Option<BoxIdx>| loop {
                let end = Some(random() as usize % (n_boxes + 1)).filter(|&joint| joint < n_boxes);
                if end != other {
                    break end;
                }
            };
            let mut string = || {
                let one = end(Some(n_boxes));
                GraphString::new(one, end(one), 0)
            };
            let strings: Vec<GraphString> = (0..10).map(|_| string()).collect();
            check_lines(&format!("{strings:?}"), &Graph::new(n_boxes, strings), 0..1 << 10);
        }
    }
}
