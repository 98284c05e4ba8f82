//! The reference kernel: the rules of [`scalar`](super::scalar) for every position of a slab, and no other arithmetic.
//!
//! The rows and columns of a slab, and of every slab that a move leads to, are configurations of the halves. So a
//! move is walked where all that it depends on is known, and no sooner:
//! ```text
//!    fills units of the upper half only    once for each row        leads to the same columns, in order
//!    fills units of the lower half only    once for each column     leads to the same rows
//!    fills a unit of the waist             once for all rows and columns that do not differ in anything that the walk
//!                                          from this unit looked at
//! ```
//! All moves are walked several times if the slabs that they lead to do not fit in memory together. Each walk is for the
//! moves into some of the slabs (a batch): the best of several batches is the best of all.
//!
//! Nothing is shared with the row kernel but the rules of [`quiet`](dab_board::quiet) and the index.

mod batch;
mod footprint;
mod half;
mod moves;
mod row_move;

use std::sync::Arc;

use dab_board::LineSet;
use dab_space::{Half, Rules, SlabKey, Space};
use dab_store::{Buffer, StoreError};
use rayon::prelude::*;

use self::batch::{Batch, Target};
use self::footprint::Footprints;
use self::half::HalfMoves;
use self::row_move::{RowMove, max_assign};
use crate::kernel::source::SlabSource;

/// Positions that are worth a task of their own.
const TASK: usize = 1 << 17;

/// Whether a slab is worked on by all threads at a time.
pub(crate) fn is_shared_out(positions: u64) -> bool {
    positions > TASK as u64
}

/// The scores of a slab, row-major. A batch of the slabs that it reads may take `batch_bytes`.
///
/// # Errors
/// If an input cannot be read.
pub fn slab(
    space: &Space,
    rules: Rules,
    inputs: &dyn SlabSource,
    batch_bytes: u64,
    key: SlabKey,
) -> Result<Buffer, StoreError> {
    let mut scores = inputs.buffer(space.shape(key).positions());
    scores.fill(i8::MIN);
    let mut batch = Batch::first(inputs, batch_bytes);
    loop {
        let slab = Slab::new(space, &batch, key)?;
        let rows = scores.par_chunks_mut(slab.cols).with_min_len(slab.rows_of_task()).enumerate();
        rows.try_for_each_init(Footprints::default, |footprints, (row, scores)| slab.row(row, footprints, scores))?;
        drop(slab);
        if !batch.go_on() {
            break;
        }
    }
    // No score is as low as that: nothing is left to draw.
    scores.iter_mut().filter(|score| **score == i8::MIN).for_each(|score| *score = -rules.penalty);
    Ok(scores)
}

/// A slab, and the moves inside its halves.
struct Slab<'a> {
    space: &'a Space,
    batch: &'a Batch<'a>,
    key: SlabKey,
    cols: usize,
    upper: HalfMoves<'a>,
    /// For each slab that moves inside the upper half lead to, where the columns lie; `None` if they lie as here.
    columns: Vec<Option<Vec<usize>>>,
    lower: Vec<RowMove<'a>>,
    /// The open units of the waist.
    open: Vec<LineSet>,
}

impl<'a> Slab<'a> {
    fn new(space: &'a Space, batch: &'a Batch<'a>, key: SlabKey) -> Result<Self, StoreError> {
        let lower = &space.lists(key)[Half::Lower].configs;
        let upper = HalfMoves::new(space, batch, key, Half::Upper)?;
        let columns = |target: &Option<Arc<Target<'_>>>| {
            let columns =
                target.iter().flat_map(|target| lower.iter().map(|&config| target.offset(Half::Lower, config)));
            let columns: Vec<usize> = columns.collect();
            let keep_places = columns.iter().zip(0..).all(|(&place, col)| place == col);
            (!keep_places).then_some(columns)
        };
        let columns = upper.targets.iter().map(columns).collect();
        let waist = LineSet::first(space.layout().partition().sizes.waist);
        let filled = LineSet(space.layout().waists()[key.waist as usize].filled.into());
        let open = (waist - filled).iter().map(LineSet::one).collect();
        let cols = lower.len();
        let lower = HalfMoves::new(space, batch, key, Half::Lower)?.row_moves();
        Ok(Self { space, batch, key, cols, upper, columns, lower, open })
    }

    /// Rows that are worth a task.
    fn rows_of_task(&self) -> usize {
        TASK.div_ceil(self.cols)
    }

    /// Max-assigns the scores of a row.
    fn row(&self, row: usize, footprints: &mut Footprints<'a>, scores: &mut [i8]) -> Result<(), StoreError> {
        for m in &self.upper.moves[row] {
            let from = &self.upper.target(m).scores[m.offset..];
            match &self.columns[usize::from(m.filled)] {
                None => max_assign(scores, m.outcome, from.iter().copied()),
                Some(columns) => max_assign(scores, m.outcome, columns.iter().map(|&col| from[col])),
            }
        }
        let upper = self.space.lists(self.key)[Half::Upper].configs[row];
        self.lower.iter().for_each(|m| m.max_assign(upper, scores));
        for &unit in &self.open {
            footprints.moves(self, unit, row, upper)?.for_each(|m| m.max_assign(upper, scores));
        }
        Ok(())
    }
}
