//! The moves that fill units of one half only.

use std::sync::Arc;

use dab_board::LineSet;
use dab_space::partition::Group;
use dab_space::{Half, SlabKey, Space, UnitMask};
use dab_store::StoreError;
use rayon::prelude::*;

use super::batch::{Batch, Target};
use super::moves::{Outcome, for_each_move};
use super::row_move::RowMove;

/// The moves inside a half.
pub(super) struct HalfMoves<'a> {
    /// By row or column.
    pub(super) moves: Vec<Vec<Inside>>,
    /// The slabs that they lead to, by number of units that they fill.
    pub(super) targets: Vec<Option<Arc<Target<'a>>>>,
}

/// A move inside a half.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Inside {
    /// The offset of the configuration to which it leads.
    pub(super) offset: usize,
    /// Number of units that it fills.
    pub(super) filled: u8,
    pub(super) outcome: Outcome,
}

impl<'a> HalfMoves<'a> {
    pub(super) fn new(space: &'a Space, batch: &Batch<'_>, key: SlabKey, half: Half) -> Result<Self, StoreError> {
        let partition = space.layout().partition();
        let group = Group::from(half);
        let (shift, len) = (partition.shift(group), partition.len(group));
        let units = LineSet(LineSet::first(len).0 << shift);
        // Any configuration of the other half will do.
        let here = |i: usize| {
            let (row, col) = if half == Half::Upper { (i, 0) } else { (0, i) };
            LineSet(space.mask_at(key, row, col).into())
        };
        let walk = |i: usize| {
            let mut found = Vec::new();
            for_each_move(space, here(i), None, |after, outcome| {
                if (after - here(i)).is_subset(units) {
                    found.push(((after - here(i)).len(), ((after & units).0 >> shift) as UnitMask, outcome));
                }
            });
            found
        };
        let walked: Vec<_> =
            (0..space.lists(key)[half].configs.len()).into_par_iter().with_min_len(256).map(walk).collect();
        let most = walked.iter().flatten().map(|&(filled, ..)| filled).max().unwrap_or(0);
        let mut targets: Vec<Option<Arc<Target<'a>>>> = vec![None; most + 1];
        let mut moves = Vec::with_capacity(walked.len());
        for walked in walked {
            let mut found = Vec::with_capacity(walked.len());
            for (filled, after, outcome) in walked {
                if targets[filled].is_none() {
                    let mut target = key;
                    target.filled[half] += filled as u8;
                    targets[filled] = Target::new(space, batch, target)?;
                }
                let Some(target) = &targets[filled] else { continue };
                let m = Inside { offset: target.offset(half, after), filled: filled as u8, outcome };
                // Alike lines of a corner lead to the same place.
                if !found.contains(&m) {
                    found.push(m);
                }
            }
            moves.push(found);
        }
        Ok(Self { moves, targets })
    }

    pub(super) fn target(&self, m: &Inside) -> &Arc<Target<'a>> {
        self.targets[usize::from(m.filled)].as_ref().expect("a move leads to a position")
    }

    /// The moves of the lower half, those that fill alike together.
    pub(super) fn row_moves(&self) -> Vec<RowMove<'a>> {
        let mut all: Vec<RowMove<'a>> = Vec::new();
        for (col, moves) in self.moves.iter().enumerate() {
            for m in moves {
                let target = self.target(m);
                let i = RowMove::find(&mut all, target, 0, m.outcome);
                all[i].add(col, m.offset / target.strides[Half::Lower]);
            }
        }
        all
    }
}
