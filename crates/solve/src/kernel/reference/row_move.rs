//! The same move in many columns of a row.

use std::sync::Arc;

use dab_space::{Half, UnitMask};

use super::batch::Target;
use super::moves::Outcome;

/// Max-assigns each score to that of a move, `after` being the scores of the positions it leads to.
#[inline]
pub(super) fn max_assign(scores: &mut [i8], outcome: Outcome, after: impl Iterator<Item = i8>) {
    for (score, after) in scores.iter_mut().zip(after) {
        *score = outcome.score(after).max(*score);
    }
}

/// Moves from many columns of a row into one row of a slab.
pub(super) struct RowMove<'a> {
    pub(super) target: Arc<Target<'a>>,
    /// Units of the upper half that are filled.
    upper: UnitMask,
    outcome: Outcome,
    /// The columns, and the places of the lower configurations that they lead to: neighbours that go to neighbours
    /// together.
    stretches: Vec<Stretch>,
}

/// So many columns from `col` on, which lead to as many places from `to` on.
struct Stretch {
    col: u32,
    to: u32,
    len: u32,
}

impl<'a> RowMove<'a> {
    /// The number of such moves in `all`, where they are added if there are none.
    pub(super) fn find(all: &mut Vec<Self>, target: &Arc<Target<'a>>, upper: UnitMask, outcome: Outcome) -> usize {
        let is_alike = |m: &Self| (m.target.key, m.upper, m.outcome) == (target.key, upper, outcome);
        all.iter().position(is_alike).unwrap_or_else(|| {
            all.push(Self { target: target.clone(), upper, outcome, stretches: Vec::new() });
            all.len() - 1
        })
    }

    /// One more column; they come in ascending order.
    pub(super) fn add(&mut self, col: usize, to: usize) {
        let (col, to) = (col as u32, to as u32);
        match self.stretches.last_mut() {
            Some(run) if (run.col + run.len, run.to + run.len) == (col, to) => run.len += 1,
            _ => self.stretches.push(Stretch { col, to, len: 1 }),
        }
    }

    /// Max-assigns the scores of a row, that of the upper configuration `upper`.
    pub(super) fn max_assign(&self, upper: UnitMask, scores: &mut [i8]) {
        let from = &self.target.scores[self.target.offset(Half::Upper, upper | self.upper)..];
        let stride = self.target.strides[Half::Lower];
        for &Stretch { col, to, len } in &self.stretches {
            let scores = &mut scores[col as usize..][..len as usize];
            let from = &from[to as usize * stride..];
            match stride {
                1 => max_assign(scores, self.outcome, from.iter().copied()),
                _ => max_assign(scores, self.outcome, from.iter().step_by(stride).copied()),
            }
        }
    }
}
