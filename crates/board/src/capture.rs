//! Capture runs: what falls when a player takes everything that can be taken.
//!
//! The boxes of a run form trees. A tree with an exit leads to a box that stays open or to the ground; a tree
//! without one is closed on both sides:
//! ```text
//!    open:    [3-sided] ── box ── box ── (joint or ground)      decline: leave the last two boxes
//!    closed:  [3-sided] ── box ── box ── [3-sided]              decline: leave four as two pairs
//! ```
//! Whoever makes the run either takes all of it and moves on, or *declines* the last boxes and hands the turn over.
//! This holds for any graph whose strings carry no inner boxes.

use crate::{BoxIdx, Graph, LineSet, Score};

/// How much of a run can be left to the opponent, who then has to move on.
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
        let take_all = boxes as Score + after;
        match self {
            Self::None => take_all,
            Self::Two | Self::Four => take_all.max(boxes as Score - 2 * self.boxes() as Score - after),
        }
    }
}

/// A whole capture run from one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureRun {
    /// Boxes that fall.
    pub boxes: u8,
    /// What may be declined.
    pub decline: Decline,
    /// The quiet position in which the run ends.
    pub after: LineSet,
}

impl CaptureRun {
    /// The run that starts from `filled`; an empty one if the position is quiet.
    pub fn of(graph: &Graph, filled: LineSet) -> Self {
        debug_assert!(graph.strings().iter().all(|string| string.boxes == 0), "a run is walked box by box");
        let mut after = filled;
        let mut taken = LineSet::EMPTY; // boxes, not lines
        let mut pending: Vec<BoxIdx> =
            (0..graph.joints().len()).filter(|&joint| graph.valence(joint, filled) == 1).collect();
        while let Some(joint) = pending.pop() {
            // A box that shared its last line with a box taken before has fallen with it.
            taken = taken.with(joint);
            let Some(line) = (graph.joints()[joint].strings - after).lowest() else { continue };
            after = after.with(line);
            if let Some(other) = graph.strings()[line].other_end(Some(joint)) {
                match graph.valence(other, after) {
                    0 => taken = taken.with(other),
                    1 => pending.push(other),
                    _ => {}
                }
            }
        }
        Self { boxes: taken.len() as u8, decline: decline(graph, filled, taken), after }
    }

    /// Score of the position in which the run starts, `after` being that of the quiet position in which it ends.
    pub fn score(&self, after: Score) -> Score {
        self.decline.score(self.boxes, after)
    }
}

/// What can be declined of the run that takes the boxes `taken`: two iff an open tree has two boxes, four iff a
/// closed tree contains a path of four boxes.
fn decline(graph: &Graph, filled: LineSet, taken: LineSet) -> Decline {
    let mut best = Decline::None;
    let mut unseen = taken;
    while let Some(root) = unseen.lowest() {
        let (far, tree, has_exit) = walk(graph, filled, taken, root);
        unseen = unseen - tree;
        let found = if has_exit {
            if tree.len() >= 2 { Decline::Two } else { Decline::None }
        } else if longest_path(graph, filled, taken, far) >= 4 {
            Decline::Four
        } else {
            Decline::None
        };
        best = best.max(found);
    }
    best
}

/// Breadth first through the tree of taken boxes around `root`: its farthest box, all its boxes, and whether a line
/// leads out of it.
fn walk(graph: &Graph, filled: LineSet, taken: LineSet, root: BoxIdx) -> (BoxIdx, LineSet, bool) {
    let mut tree = LineSet::one(root);
    let mut has_exit = false;
    let mut queue = vec![root];
    let mut next = 0;
    while let Some(&joint) = queue.get(next) {
        next += 1;
        for line in (graph.joints()[joint].strings - filled).iter() {
            match graph.strings()[line].other_end(Some(joint)) {
                Some(other) if taken.has(other) => {
                    if !tree.has(other) {
                        tree = tree.with(other);
                        queue.push(other);
                    }
                }
                _ => has_exit = true,
            }
        }
    }
    (queue[queue.len() - 1], tree, has_exit)
}

/// Boxes on the longest path of a closed tree, one end of which is `end`.
fn longest_path(graph: &Graph, filled: LineSet, taken: LineSet, end: BoxIdx) -> usize {
    let mut reached = LineSet::one(end);
    let mut front = reached;
    let mut length = 0;
    while !front.is_empty() {
        length += 1;
        let mut beyond = LineSet::EMPTY;
        for joint in front.iter() {
            for line in (graph.joints()[joint].strings - filled).iter() {
                if let Some(other) = graph.strings()[line].other_end(Some(joint)).filter(|&other| taken.has(other)) {
                    beyond = beyond.with(other);
                }
            }
        }
        front = beyond - reached;
        reached |= front;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    #[track_caller]
    fn check(rows: usize, cols: usize, drawn: u128, boxes: u8, declined: Decline) {
        let board = Board::grid(rows, cols).unwrap();
        let run = CaptureRun::of(board.graph(), LineSet(drawn));
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
}
