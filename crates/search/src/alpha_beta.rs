//! Alpha-beta over sums of parts: tests whether a score is at least something, until the bounds meet.
//!
//! Each position is looked up before it is searched, and so are all positions that its moves lead to: mostly one of them
//! settles it. What is not settled is searched in the order of a guess: few boxes given away, and as little as possible
//! that does not come in pairs.
//!
//! *Pairs.* If every part of a position occurs an even number of times, its score is at most 0, whatever the graph.
//! The opponent answers each line that allows no decline by its twin, in the twin part, so that both capture alike; and
//! opening a run that allows one costs at least 0 by itself (K boxes and h declined: at most h - K). This is the mirror
//! strategy of narrow boards of even length (Jobson, Sledd, White and Wildstrom, Theorem 2).

use dab_board::capture::Decline;
use dab_board::{Graph, LineSet, Score};

use crate::bounds::{Bounds, window_after};
use crate::parts::{PartId, Parts};
use crate::table::{Hash, Table};

/// A search, and what it has learnt.
pub(crate) struct Search {
    parts: Parts,
    table: Table,
    penalty: Score,
    nodes: u64,
}

/// A position: its parts, ascending, with their hash and the boxes in all of them.
#[derive(Clone, Debug)]
struct Sum {
    parts: Vec<PartId>,
    hash: Hash,
    boxes: Score,
}

/// A move and what is known of it.
struct Candidate {
    boxes: Score,
    decline: Decline,
    after: Sum,
    /// Bounds of the score of the move.
    bounds: Bounds,
    /// The least is searched first.
    rank: i32,
}

impl Search {
    /// A search that remembers positions in at most `memory` bytes.
    pub(crate) fn new(penalty: Score, memory: u64) -> Self {
        Self { parts: Parts::default(), table: Table::new(memory), penalty, nodes: 0 }
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
    pub(crate) fn score(&mut self, graph: &Graph, filled: LineSet) -> Score {
        let parts = self.parts.of(graph, filled);
        let hash = parts.iter().fold(Hash::default(), |hash, &part| hash.with(part));
        let boxes = parts.iter().map(|&part| self.parts.boxes(part)).sum();
        let sum = Sum { parts, hash, boxes };
        let mut bounds = self.trivial(&sum);
        // Most scores are near 0; scores of one position all have the same parity.
        let mut wanted = if bounds.low % 2 == 0 { 0 } else { 1 };
        while bounds.low < bounds.high {
            let found = self.bounds(&sum, wanted - 1, wanted);
            bounds = Bounds { low: bounds.low.max(found.low), high: bounds.high.min(found.high) };
            wanted = if bounds.low >= wanted { bounds.low + 2 } else { bounds.high };
        }
        bounds.low
    }

    /// What is known of any position.
    fn trivial(&self, sum: &Sum) -> Bounds {
        let most = sum.boxes + self.penalty;
        let is_paired = sum.parts.chunk_by(|a, b| a == b).all(|alike| alike.len() % 2 == 0);
        match sum.parts.is_empty() {
            true => Bounds::exactly(-self.penalty),
            // Of both parities: paired parts have an even number of boxes, the penalty may be odd.
            false if is_paired => Bounds { low: -most, high: -(self.penalty & 1) },
            false => Bounds { low: -most, high: most },
        }
    }

    fn known(&self, sum: &Sum) -> Bounds {
        self.table.get(sum.hash).unwrap_or_else(|| self.trivial(sum))
    }

    /// Bounds of a score that decide whether it is at most `alpha`, at least `beta`, or what it is between them.
    fn bounds(&mut self, sum: &Sum, alpha: Score, beta: Score) -> Bounds {
        let known = self.known(sum);
        if known.decide(alpha, beta) {
            return known;
        }
        self.nodes += 1;
        let mut low = known.low;
        // The best that is left to hope for of the moves that need no search.
        let mut high = Score::MIN;
        let mut candidates = Vec::new();
        for alike in sum.parts.chunk_by(|a, b| a == b) {
            self.parts.explore(alike[0]);
            for i in 0..self.parts.moves(alike[0]).len() {
                let candidate = self.candidate(sum, alike[0], i);
                low = low.max(candidate.bounds.low);
                if candidate.bounds.high <= alpha.max(low) {
                    high = high.max(candidate.bounds.high);
                } else {
                    candidates.push(candidate);
                }
            }
        }
        candidates.sort_by_key(|candidate| candidate.rank);
        for Candidate { boxes, decline, after, bounds, .. } in candidates {
            if low >= beta {
                return self.learn(sum, Bounds { low, high: known.high });
            }
            let alpha = alpha.max(low);
            if bounds.high <= alpha {
                high = high.max(bounds.high);
                continue;
            }
            let (from, to) = window_after(boxes, decline, alpha, beta);
            let found = self.bounds(&after, from, to).of_move(boxes, decline);
            low = low.max(found.low);
            high = high.max(found.high);
        }
        // Moves that were cut off reach no more than what was reached, but only below beta are all moves counted.
        let high = if low >= beta { known.high } else { known.high.min(high.max(low)) };
        self.learn(sum, Bounds { low, high })
    }

    fn learn(&mut self, sum: &Sum, bounds: Bounds) -> Bounds {
        self.table.put(sum.hash, bounds);
        bounds
    }

    /// The `i`-th move of one of the parts `part` of a sum.
    fn candidate(&self, sum: &Sum, part: PartId, i: usize) -> Candidate {
        let m = &self.parts.moves(part)[i];
        let (boxes, decline) = (m.boxes as Score, m.decline);
        let gone = sum.parts.partition_point(|&other| other < part);
        let mut parts = Vec::with_capacity(sum.parts.len() + m.rest.len());
        parts.extend_from_slice(&sum.parts[..gone]);
        parts.extend_from_slice(&sum.parts[gone + 1..]);
        parts.extend_from_slice(&m.rest);
        parts.sort_unstable();
        let hash = m.rest.iter().fold(sum.hash.without(part), |hash, &part| hash.with(part));
        let left = parts.iter().map(|&part| self.parts.boxes(part)).sum();
        let after = Sum { parts, hash, boxes: left };
        let bounds = self.known(&after).of_move(boxes, decline);
        let unpaired = after.parts.chunk_by(|a, b| a == b).filter(|alike| alike.len() % 2 == 1);
        let unpaired: i32 = unpaired.map(|alike| i32::from(self.parts.boxes(alike[0]))).sum();
        let largest = m.rest.iter().map(|&part| i32::from(self.parts.boxes(part))).max().unwrap_or(0);
        let rank = 8 * i32::from(boxes) + 4 * unpaired + largest;
        Candidate { boxes, decline, after, bounds, rank }
    }
}
