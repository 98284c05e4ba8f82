//! Alpha-beta over sums of parts: tests whether a score is at least something, until the bounds meet.
//!
//! Each position is looked up before it is searched, and so are all positions that its moves lead to: mostly one of them
//! settles it. What is not settled is searched in the order of a guess: few boxes given away, and as little as possible
//! that does not come in pairs.

use dab_board::capture::Decline;
use dab_board::{Graph, LineSet};

use crate::bounds::{Bounds, window_after};
use crate::parts::Parts;
use crate::sum::{Stack, Sum};
use crate::table::Table;

/// What giving a box away weighs in the order of moves, in units of [`Sum::hardness`].
const BOX: i32 = 40;

/// A search, and what it has learnt.
pub(crate) struct Search {
    parts: Parts,
    table: Table,
    penalty: i8,
    nodes: u64,
    /// The sums of all candidates, those of deeper positions above.
    stack: Stack,
    candidates: Vec<Candidate>,
}

/// A move and what is known of it.
#[derive(Clone, Copy)]
struct Candidate {
    boxes: i8,
    decline: Decline,
    after: Sum,
    /// Bounds of the score of the move.
    bounds: Bounds,
}

impl Candidate {
    /// The least is searched first.
    fn rank(&self) -> i32 {
        BOX * i32::from(self.boxes) + self.after.hardness
    }
}

impl Search {
    /// A search that remembers positions in at most `memory` bytes.
    pub(crate) fn new(penalty: i8, memory: u64) -> Self {
        let (parts, table) = (Parts::default(), Table::new(memory));
        Self { parts, table, penalty, nodes: 0, stack: Stack::default(), candidates: Vec::new() }
    }

    /// Positions whose moves were looked at.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Different parts that were met.
    pub(crate) fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// The score of the quiet position `filled`.
    pub(crate) fn score(&mut self, graph: &Graph, filled: LineSet) -> i8 {
        let parts = self.parts.of(graph, filled);
        let sum = self.stack.push(&parts, &mut self.parts);
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

    /// Bounds of a score that decide whether it is at most `alpha`, at least `beta`, or what it is between them.
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

    /// Makes every move of a sum a candidate, with what is known of it.
    fn push_moves(&mut self, sum: &Sum) {
        let first = self.candidates.len();
        let mut last = None;
        for at in 0..self.stack.parts(sum).len() {
            let part = self.stack.parts(sum)[at];
            if last.replace(part) == Some(part) {
                continue;
            }
            self.parts.explore(part);
            for i in 0..self.parts.moves(part).len() {
                let after = self.stack.push_after(sum, at, i, &mut self.parts);
                let m = &self.parts.moves(part)[i];
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

    /// Bounds of the score of the position whose moves are the candidates from `first` on; `known` are those known
    /// before.
    fn best(&mut self, first: usize, known: Bounds, alpha: i8, beta: i8) -> Bounds {
        let mut low = self.candidates[first..].iter().fold(known.low, |low, candidate| low.max(candidate.bounds.low));
        // The best that is left to hope for of the moves that have been dealt with.
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
