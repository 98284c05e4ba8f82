//! The capture runs after every line of a position, worked out together.
//!
//! ```text
//!    position ─ its run, as trees ─► its end ─ chain by chain ─► for each line: the end of the run after it, boxes, decline
//! ```
//! Which lines a run draws does not depend on their order. So after a line that the run of the position draws anyway, the run leads to
//! the same end; after any other one to where the end with this line leads, and that is the same for all lines of a chain. What can be
//! declined follows from the trees of the run, but for a few lines that cut them; runs after those are walked one by one.

use super::{CaptureRun, Decline, can_fall, fallible};
use crate::{BoxIdx, Graph, LineIdx, LineSet, MAX_LINES};

/// The boxes that a line closes, and the run after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AfterLine {
    /// Boxes that the line closes.
    pub closed: u8,
    /// The run after it.
    pub run: CaptureRun,
    /// The number of the end of that run.
    pub end: usize,
}

/// The runs after all lines of a position, in memory for one position after the other.
#[derive(Debug)]
pub struct AfterLines {
    /// The quiet positions in which the runs end, each once.
    ends: Vec<LineSet>,
    /// By line; anything for those that are drawn.
    lines: Vec<AfterLine>,
    open: LineSet,
    taken: Vec<Taken>,
    /// For each box that trees lead to the lines of these; anything for the others.
    below: Vec<LineSet>,
}

/// A line that the run of the position draws.
#[derive(Clone, Copy, Debug)]
struct Taken {
    line: LineIdx,
    /// The box beyond the line, seen from the one that is taken by it.
    beyond: Option<BoxIdx>,
    /// The lines through which boxes lead to this one, itself included: one for each box.
    tree: LineSet,
}

/// The run of the position, as far as the runs after its lines depend on it.
struct Base<'a> {
    graph: &'a Graph,
    filled: LineSet,
    /// Boxes that can fall at once.
    before: LineSet,
    after: LineSet,
    boxes: u8,
    /// Boxes that stay and to which trees lead.
    fed: LineSet,
    /// Open trees of at least two boxes, and the lines of the last one.
    n_open: usize,
    open: LineSet,
    /// Whether there is a closed tree of four boxes or more.
    has_closed: bool,
    decline: Decline,
}

/// The open lines that fall with one of them, and the boxes between them.
#[derive(Default)]
struct Chain {
    lines: LineSet,
    boxes: LineSet,
    is_ring: bool,
}

impl AfterLines {
    /// Memory for positions of a graph, none of whose strings has inner boxes or both ends at one box.
    pub fn new(graph: &Graph) -> Self {
        let nothing = AfterLine { closed: 0, run: CaptureRun::none(LineSet::EMPTY), end: 0 };
        Self {
            ends: Vec::with_capacity(MAX_LINES),
            lines: vec![nothing; graph.strings().len()],
            open: LineSet::EMPTY,
            taken: Vec::with_capacity(graph.joints().len()),
            below: vec![LineSet::EMPTY; graph.joints().len()],
        }
    }

    /// The quiet positions in which the runs after lines end.
    pub fn ends(&self) -> &[LineSet] {
        &self.ends
    }

    /// Every line that may be drawn, ascending, with what follows it.
    pub fn iter(&self) -> impl Iterator<Item = (LineIdx, &AfterLine)> {
        self.open.iter().map(|line| (line, &self.lines[line]))
    }

    /// Works out what follows each line of the position `filled`; returns the quiet position in which its own run ends. The graph is
    /// the one that the memory is for.
    pub fn work_out(&mut self, graph: &Graph, filled: LineSet) -> LineSet {
        self.ends.clear();
        self.open = graph.all() - filled;
        let base = self.base(graph, filled);
        if !self.taken.is_empty() {
            self.ends.push(base.after);
        }
        for i in 0..self.taken.len() {
            let Taken { line, tree, .. } = self.taken[i];
            let closed = base.closed_by(line);
            let decline = base.decline_without(line, tree);
            let run = CaptureRun { boxes: base.boxes - closed, decline, after: base.after };
            self.lines[line] = AfterLine { closed, run, end: 0 };
        }
        let mut rest = graph.all() - base.after;
        while let Some(line) = rest.lowest() {
            let Chain { lines, boxes, is_ring } = base.chain(line);
            rest = rest - lines;
            let after = base.after | lines;
            let mut ends = lines.iter().flat_map(|line| graph.strings()[line].ends).flatten();
            if is_ring || ends.any(|joint| !boxes.has(joint) && can_fall(graph, joint, after)) {
                lines.iter().for_each(|line| self.walk(&base, line));
                continue;
            }
            let end = self.ends.len();
            self.ends.push(after);
            for line in lines.iter() {
                // A part of two boxes or more leads to an end of the chain, with the trees that lead to it.
                let is_outer =
                    || !graph.strings()[line].ends.iter().all(|end| end.is_some_and(|joint| boxes.has(joint)));
                let is_open = boxes.len() >= 3 || boxes.meets(base.fed) || boxes.len() == 2 && is_outer();
                let decline = if is_open { Decline::Two } else { base.decline };
                let run = CaptureRun { boxes: base.boxes + boxes.len() as u8, decline, after };
                self.lines[line] = AfterLine { closed: 0, run, end };
            }
        }
        base.after
    }

    /// The run of the position. Each box is taken by its last line, so boxes whose other lines lead to it are taken before.
    fn base<'a>(&mut self, graph: &'a Graph, filled: LineSet) -> Base<'a> {
        let before = fallible(graph, filled);
        let (mut after, mut pending, mut fallen, mut fed) = (filled, before, LineSet::EMPTY, LineSet::EMPTY);
        let mut has_closed = false;
        self.taken.clear();
        while let Some(joint) = pending.lowest() {
            pending = pending - LineSet::one(joint);
            fallen = fallen.with(joint);
            // It may have fallen with another one.
            let Some(line) = (graph.joints()[joint].strings - after).lowest() else { continue };
            after = after.with(line);
            let here = if fed.has(joint) { self.below[joint] } else { LineSet::EMPTY };
            let (tree, beyond) = (here.with(line), graph.strings()[line].other_end(Some(joint)));
            self.taken.push(Taken { line, beyond, tree });
            let Some(other) = beyond else { continue };
            let below = if fed.has(other) { self.below[other] | tree } else { tree };
            (self.below[other], fed) = (below, fed.with(other));
            if graph.joints()[other].strings.is_subset(after) {
                fallen = fallen.with(other);
                // There is one box more than lines.
                has_closed |= below.len() >= 3;
            } else if can_fall(graph, other, after) {
                pending = pending.with(other);
            }
        }
        let (mut n_open, mut open) = (0, LineSet::EMPTY);
        for taken in &self.taken {
            if taken.tree.len() >= 2 && taken.beyond.is_none_or(|joint| !fallen.has(joint)) {
                (n_open, open) = (n_open + 1, taken.tree);
            }
        }
        let decline = match (n_open, has_closed) {
            (1.., _) => Decline::Two,
            (0, false) => Decline::None,
            (0, true) => CaptureRun::from_fallible(graph, filled, before).decline,
        };
        let boxes = fallen.len() as u8;
        Base { graph, filled, before, after, boxes, fed: fed - fallen, n_open, open, has_closed, decline }
    }

    /// Walks the run after a line.
    fn walk(&mut self, base: &Base<'_>, line: LineIdx) {
        let (closed, run) = base.run_after(line);
        let end = self.ends.iter().rposition(|&end| end == run.after).unwrap_or_else(|| {
            self.ends.push(run.after);
            self.ends.len() - 1
        });
        self.lines[line] = AfterLine { closed, run, end };
    }
}

impl Base<'_> {
    fn closed_by(&self, line: LineIdx) -> u8 {
        self.graph.strings()[line].ends.iter().flatten().filter(|&&joint| self.before.has(joint)).count() as u8
    }

    /// The run after a line, walked. A line changes only at its own ends which boxes can fall.
    fn run_after(&self, line: LineIdx) -> (u8, CaptureRun) {
        let (after, mut pending) = (self.filled.with(line), self.before);
        for &joint in self.graph.strings()[line].ends.iter().flatten() {
            if self.before.has(joint) {
                pending = pending - LineSet::one(joint);
            } else if can_fall(self.graph, joint, after) {
                pending = pending.with(joint);
            }
        }
        (self.closed_by(line), CaptureRun::from_fallible(self.graph, after, pending))
    }

    /// The decline after a line that the run of the position draws, and through which the boxes of `tree` lead.
    fn decline_without(&self, line: LineIdx, tree: LineSet) -> Decline {
        let is_cut = self.n_open == 1 && self.open.has(line);
        // One box of an open tree that is cut is no longer enough. What is cut off is closed.
        match () {
            () if self.n_open > usize::from(is_cut) || is_cut && self.open.len() - tree.len() >= 2 => Decline::Two,
            () if self.has_closed || is_cut && tree.len() >= 4 => self.run_after(line).1.decline,
            () => Decline::None,
        }
    }

    /// The chain of a line that is open in the end.
    fn chain(&self, line: LineIdx) -> Chain {
        let mut chain = Chain { lines: LineSet::one(line), ..Chain::default() };
        for joint in self.graph.strings()[line].ends {
            if !chain.is_ring {
                self.follow(&mut chain, line, joint);
            }
        }
        chain
    }

    /// Follows a chain over a box with no other open line than one more.
    fn follow(&self, chain: &mut Chain, mut line: LineIdx, mut joint: Option<BoxIdx>) {
        while let Some(at) = joint {
            let next = self.graph.joints()[at].strings - self.after - LineSet::one(line);
            if !next.0.is_power_of_two() {
                return;
            }
            chain.boxes = chain.boxes.with(at);
            line = next.0.trailing_zeros() as LineIdx;
            if chain.lines.has(line) {
                chain.is_ring = true;
                return;
            }
            chain.lines = chain.lines.with(line);
            joint = self.graph.strings()[line].other_end(Some(at));
        }
    }
}
