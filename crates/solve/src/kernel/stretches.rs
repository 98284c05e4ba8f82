//! One move at the waist that takes neighbours to neighbours, made ready for many rows.

use std::ops::Range;
use std::sync::Arc;

use dab_store::Scores;

use super::isa::{self, Isa};
use super::maps::{Map, Stretch};
use super::op::Op;

/// A move at the waist that leads from some columns of any row into a slab, neighbours to neighbours.
pub(super) struct StretchMove {
    op: Op,
    from: Scores,
    from_cols: usize,
    rows: Arc<Map>,
    stretches: Vec<Stretch>,
}

impl StretchMove {
    /// The move for the columns in `ranges`, out of a slab `from` with `from_cols` columns.
    pub(super) fn new(
        op: Op,
        (from, from_cols): (Scores, usize),
        [rows, cols]: [Arc<Map>; 2],
        ranges: &[Range<usize>],
    ) -> Self {
        Self { op, from, from_cols, rows, stretches: cols.stretches(ranges) }
    }

    /// Max-assigns a row to the move.
    pub(super) fn max_assign(&self, isa: Isa, row: usize, scores: &mut [i8]) {
        let from = &self.from[self.rows.places[row] as usize * self.from_cols..][..self.from_cols];
        isa::max_assign_stretches(isa, self.op, scores, from, &self.stretches);
    }
}
