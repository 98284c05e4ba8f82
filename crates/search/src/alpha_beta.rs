//! Alpha-beta over sums: tests whether a score is at least some number, until the bounds meet.
//!
//! Before a position is searched, the position and all positions that its moves lead to are looked up: mostly one of
//! them settles it. The other moves are searched in the order of a guess. Moves come first that give few boxes away and
//! leave few boxes in summands that do not come in pairs.

use dab_board::capture::Decline;
use dab_board::{Graph, LineSet};

use crate::bounds::{Bounds, window_after};
use crate::sum::{Stack, Sum};
use crate::summands::Summands;
use crate::table::Table;

/// Weight of a box given away in the order of moves, in units of [`Sum::hardness`].
const BOX: i32 = 40;

/// A search, with the bounds that it has found so far.
pub(crate) struct Search {
    summands: Summands,
    table: Table,
    penalty: i8,
    nodes: u64,
    /// The sums of all candidates, those of deeper positions above.
    stack: Stack,
    candidates: Vec<Candidate>,
}

/// A move, and bounds of its score.
#[derive(Clone, Copy)]
struct Candidate {
    boxes: i8,
    decline: Decline,
    after: Sum,
    /// Bounds of the score of the move.
    bounds: Bounds,
}

impl Candidate {
    /// Place in the order of the search: the least first.
    fn rank(&self) -> i32 {
        BOX * i32::from(self.boxes) + self.after.hardness
    }
}

impl Search {
    /// A search that remembers positions in at most `memory` bytes.
    pub(crate) fn new(penalty: i8, memory: u64) -> Self {
        let (summands, table) = (Summands::default(), Table::new(memory));
        Self { summands, table, penalty, nodes: 0, stack: Stack::default(), candidates: Vec::new() }
    }

    /// Positions whose moves were looked at.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Different summands that were met.
    pub(crate) fn n_summands(&self) -> usize {
        self.summands.len()
    }

    /// The score of the quiet position `filled`.
    pub(crate) fn score(&mut self, graph: &Graph, filled: LineSet) -> i8 {
        let summands = self.summands.of(graph, filled);
        let sum = self.stack.push(&summands, &mut self.summands);
        let mut bounds = sum.bounds(self.penalty);
        // Most scores are near 0; scores of one position all have the same parity.
        let mut wanted = if bounds.low % 2 == 0 { 0 } else { 1 };
        while bounds.low < bounds.high {
            let found = self.bounds(sum, wanted - 1, wanted);
            bounds = Bounds { low: bounds.low.max(found.low), high: bounds.high.min(found.high) };
            wanted = if bounds.low >= wanted { bounds.low + 2 } else { bounds.high };
        }
        bounds.low
    }

    fn known(&self, sum: &Sum) -> Bounds {
        self.table.get(sum.hash).unwrap_or_else(|| sum.bounds(self.penalty))
    }

    /// Bounds of the score of `sum` that suffice to tell whether it is at most `alpha` or at least `beta`, and give it
    /// exactly if it lies between them.
    fn bounds(&mut self, sum: Sum, alpha: i8, beta: i8) -> Bounds {
        let known = self.known(&sum);
        if known.decide(alpha, beta) {
            return known;
        }
        self.nodes += 1;
        let (stack, first, nodes) = (self.stack.len(), self.candidates.len(), self.nodes);
        self.push_moves(&sum);
        let bounds = self.best(first, known, alpha, beta);
        self.candidates.truncate(first);
        self.stack.truncate(stack);
        self.table.put(sum.hash, bounds, self.nodes - nodes);
        bounds
    }

    /// Makes every move of a sum a candidate, with bounds from the table.
    fn push_moves(&mut self, sum: &Sum) {
        let first = self.candidates.len();
        let mut last = None;
        for at in 0..self.stack.summands(sum).len() {
            let summand = self.stack.summands(sum)[at];
            if last.replace(summand) == Some(summand) {
                continue;
            }
            self.summands.explore(summand);
            for i in 0..self.summands.moves(summand).len() {
                let after = self.stack.push_after(sum, at, i, &mut self.summands);
                let m = &self.summands.moves(summand)[i];
                let (boxes, decline) = (m.boxes as i8, m.decline);
                self.candidates.push(Candidate { boxes, decline, after, bounds: after.bounds(self.penalty) });
            }
        }
        // All look-ups in a row: each one waits for memory, several wait at once.
        for candidate in &mut self.candidates[first..] {
            let known = self.table.get(candidate.after.hash).unwrap_or(candidate.bounds);
            candidate.bounds = known.of_move(candidate.boxes, candidate.decline);
        }
    }

    /// Bounds of the score of the position whose moves are the candidates from `first` on, given the bounds `known`
    /// before the search.
    fn best(&mut self, first: usize, known: Bounds, alpha: i8, beta: i8) -> Bounds {
        let mut low = self.candidates[first..].iter().fold(known.low, |low, candidate| low.max(candidate.bounds.low));
        // The greatest score that a move dealt with so far may still have.
        let mut high = i8::MIN;
        if low < beta {
            self.candidates[first..].sort_by_cached_key(Candidate::rank);
        }
        for i in first..self.candidates.len() {
            if low >= beta {
                return Bounds { low, high: known.high };
            }
            let Candidate { boxes, decline, after, bounds } = self.candidates[i];
            let alpha = alpha.max(low);
            if bounds.high <= alpha {
                high = high.max(bounds.high);
                continue;
            }
            let (from, to) = window_after(boxes, decline, alpha, beta);
            let found = self.bounds(after, from, to).of_move(boxes, decline);
            low = low.max(found.low);
            high = high.max(found.high);
        }
        // Moves that were cut off reach no more than what was reached, but only below beta are all moves counted.
        let high = if low >= beta { known.high } else { known.high.min(high.max(low)) };
        Bounds { low, high }
    }
}
