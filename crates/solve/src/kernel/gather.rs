//! One move at the waist, made ready for many rows.

use std::ops::Range;
use std::sync::Arc;

use dab_store::Scores;

use super::isa::Isa;
use super::maps::{Map, Stretch};
use super::op::Op;

/// A move at the waist that leads from some columns of any row into a slab.
pub(super) struct Gather {
    op: Op,
    from: Scores,
    from_cols: usize,
    rows: Arc<Map>,
    cols: Columns,
}

/// The columns to which a move applies, and the columns that they go to.
enum Columns {
    /// Neighbours go to neighbours.
    Stretches(Vec<Stretch>),
    /// Each for itself, in some ranges.
    Mixed(Arc<Map>, Vec<Range<usize>>),
}

impl Gather {
    /// The move for the columns in `ranges`, out of a slab `from` with `from_cols` columns.
    pub(super) fn new(
        op: Op,
        (from, from_cols): (Scores, usize),
        [rows, cols]: [Arc<Map>; 2],
        ranges: &[Range<usize>],
    ) -> Self {
        let cols = match cols.keeps_neighbours {
            true => Columns::Stretches(cols.stretches(ranges)),
            false => Columns::Mixed(cols, ranges.to_vec()),
        };
        Self { op, from, from_cols, rows, cols }
    }

    /// Max-assigns a row to the move.
    pub(super) fn max_assign(&self, isa: Isa, row: usize, scores: &mut [i8]) {
        let from = &self.from[self.rows.places[row] as usize * self.from_cols..][..self.from_cols];
        match &self.cols {
            Columns::Stretches(stretches) => isa.max_assign_stretches(self.op, scores, from, stretches),
            Columns::Mixed(map, ranges) => {
                for range in ranges {
                    isa.max_assign_gathered(self.op, &mut scores[range.clone()], from, &map.places[range.clone()]);
                }
            }
        }
    }
}

/// The same places in as few ascending ranges as possible.
pub(super) fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|range, last| {
        let adjoins = last.end == range.start;
        if adjoins {
            last.end = range.end;
        }
        adjoins
    });
    ranges
}
