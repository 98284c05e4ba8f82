//! Sums of summands in normal form, without the summands that change no score.
//!
//! ```text
//!    stack    … | summands of one sum, ascending | summands of the next | …
//!    sum          first .. end, its hash, and what a search asks of it
//! ```
//! s is the score of a quiet position for the player to move, with any last-move penalty. A move turns the score x of
//! the position that it leads to into -(K + x), or into -(K - h + |x + h|) if h of its K boxes can be declined; where two
//! such x differ by d, so do these at most by d. Hence, by induction over the moves of H:
//!
//! *Short chains.* s(H + n + n) = s(H) for n = 1, 2. Opening n gives -n - s(H + n), which is at most s(H) because
//! s(H + n) is at least -n - s(H) by the same move. All else is move for move alike, and if H is empty the one move gives
//! -n - (-n - s(H)).
//!
//! *Longer by one.* s(H + n) and s(H + (n+1)) differ by 1 for n ≥ 3, and s(H + n) and s(H + m) by |n - m| at most.
//!
//! *Long chains.* s(H + n + m) = s(H + q) for n, m ≥ 4 and q = n + m - 4. Let a = s(H + m). Opening n gives
//! -(n - 2 + |a + 2|), opening q gives b = -(q - 2 + |s(H) + 2|).
//! - The left side is at least b. If a ≤ -2, then a ≥ -(m - 2 + |s(H) + 2|), that is opening m, makes opening n give b at
//!   least. If a ≥ -1, it is got by a move in H. That move gives a - (n - 4) at least in H + q, so by induction in
//!   H + n + m, and that is not below 3 - n > b.
//! - The right side is at least what opening n gives. It is at least a - (n - 4), and -(n - 2 + |a + 2|) is not more:
//!   it is equal for a ≤ -2 and -n - a otherwise.
//!
//! *Pairs.* If every summand of a sum occurs an even number of times, isolated chains of three boxes or more aside, its score
//! is at most 0. The opponent answers each line that allows no decline by its twin, in the twin summand, so that both
//! capture alike; and opening a run of K boxes that allows a decline of h costs at least K - h, which is not negative.
//! This is the mirror strategy of narrow boards of even length (Jobson, Sledd, White and Wildstrom, Theorem 2), for any
//! graph.

use crate::bounds::Bounds;
use crate::summands::{Facts, SummandId, Summands};
use crate::table::Hash;

/// Least boxes of an isolated chain whose opening allows a decline.
const LONG: i8 = 3;
/// Least boxes of the isolated chains that merge into one.
const MERGED: i8 = 4;

/// A sum of summands in normal form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    first: usize,
    end: usize,
    pub(crate) hash: Hash,
    boxes: i8,
    /// Whether all summands but isolated chains of [`LONG`] boxes or more come in pairs.
    is_paired: bool,
    /// A guess of the work to find the score: summands in pairs cost nothing, large ones more than small ones.
    pub(crate) hardness: i32,
}

impl Sum {
    /// Bounds of the score that need no search.
    pub(crate) fn bounds(&self, penalty: i8) -> Bounds {
        let most = self.boxes + penalty;
        match self.first == self.end {
            true => Bounds::exactly(-penalty),
            // The score has the parity of `most`.
            false if self.is_paired => Bounds { low: -most, high: -(most & 1) },
            false => Bounds { low: -most, high: most },
        }
    }
}

/// The summands of sums, one sum after the other.
#[derive(Debug, Default)]
pub(crate) struct Stack(Vec<SummandId>);

impl Stack {
    /// Length of the stack, the place where the next sum begins.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets all sums from `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The summands of a sum, ascending.
    pub(crate) fn summands(&self, sum: &Sum) -> &[SummandId] {
        &self.0[sum.first..sum.end]
    }

    /// The sum of some summands.
    pub(crate) fn push(&mut self, sum: &[SummandId], summands: &mut Summands) -> Sum {
        let first = self.len();
        self.0.extend_from_slice(sum);
        self.settle(first, summands)
    }

    /// A sum with one of its summands, the `at`-th, replaced by the result of that summand's `i`-th move.
    pub(crate) fn push_after(&mut self, sum: &Sum, at: usize, i: usize, summands: &mut Summands) -> Sum {
        let first = self.len();
        let summand = self.summands(sum)[at];
        self.0.extend_from_within(sum.first..sum.first + at);
        self.0.extend_from_within(sum.first + at + 1..sum.end);
        self.0.extend_from_slice(&summands.moves(summand)[i].rest);
        self.settle(first, summands)
    }

    /// Brings the summands from `first` on into normal form.
    fn settle(&mut self, first: usize, summands: &mut Summands) -> Sum {
        let is_merged = |facts: Facts| facts.is_chain && facts.boxes >= MERGED;
        let merged = self.0[first..].iter().map(|&summand| summands.facts(summand)).filter(|&facts| is_merged(facts));
        let (n_merged, boxes) = merged.fold((0, 0), |(n, boxes), facts| (n + 1, boxes + facts.boxes));
        if n_merged > 1 {
            let mut others = first;
            for i in first..self.0.len() {
                if !is_merged(summands.facts(self.0[i])) {
                    self.0[others] = self.0[i];
                    others += 1;
                }
            }
            self.0.truncate(others);
            self.0.push(summands.chain(boxes - MERGED * (n_merged - 1)));
        }
        self.0[first..].sort_unstable();
        self.sum_up(first, summands)
    }

    /// Takes pairs of short chains out of the summands from `first` on, and sums up the rest.
    fn sum_up(&mut self, first: usize, summands: &Summands) -> Sum {
        let (mut end, mut next) = (first, first);
        let (mut hash, mut total, mut hardness) = (Hash::default(), 0, 0);
        let mut is_paired = true;
        while let Some(&summand) = self.0.get(next) {
            let n = self.0[next..].iter().take_while(|&&other| other == summand).count();
            next += n;
            let Facts { hash: one, boxes, is_chain } = summands.facts(summand);
            let n = if is_chain && boxes < LONG { n % 2 } else { n };
            for _ in 0..n {
                self.0[end] = summand;
                end += 1;
                hash = hash.and(one);
                total += boxes;
            }
            if n % 2 == 1 {
                is_paired &= is_chain && boxes >= LONG;
                hardness += i32::from(boxes) * (20 + i32::from(boxes));
            }
        }
        self.0.truncate(end);
        Sum { first, end, hash, boxes: total, is_paired, hardness }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chains in normal form, by their boxes, and the highest score that is possible.
    #[track_caller]
    fn check(chains: &[i8], expect: &[i8], high: i8) {
        let mut summands = Summands::default();
        let ids: Vec<SummandId> = chains.iter().map(|&boxes| summands.chain(boxes)).collect();
        let mut stack = Stack::default();
        let sum = stack.push(&ids, &mut summands);
        let mut boxes: Vec<i8> = stack.summands(&sum).iter().map(|&summand| summands.facts(summand).boxes).collect();
        boxes.sort_unstable();
        assert_eq!((&boxes[..], sum.bounds(0).high), (expect, high));
    }

    #[test]
    fn short_chains_go_in_pairs() {
        check(&[1, 2, 1, 2, 1], &[1], 1);
        check(&[2, 2], &[], 0);
    }

    #[test]
    fn three_chains_stay() {
        check(&[3, 3, 3], &[3, 3, 3], -1);
        check(&[3, 3], &[3, 3], 0);
    }

    #[test]
    fn long_chains_make_one() {
        check(&[4, 6, 4, 3], &[3, 6], -1);
        check(&[4, 4, 1], &[1, 4], 5);
    }
}
