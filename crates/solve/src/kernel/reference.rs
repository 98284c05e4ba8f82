//! The reference kernel: the definition of [`scalar`](super::scalar) applied to every position of a slab.
//!
//! ```text
//!    for each position:            score = -penalty if nothing is left to draw
//!       for each move:             score = max(score, move.value(score of the position that the move leads to))
//! ```
//! A move that fills units of one half only depends on the configuration of that half alone. So these moves are listed
//! once for each row and each column. The moves that fill a unit of the waist are walked anew at every position.
//!
//! The slabs that moves lead to may not fit in memory together. Then the slab is walked several times, each time for the
//! moves into some of the slabs (a batch): the best of several batches is the best of all.
//!
//! Nothing is shared with the row kernel but the rules of [`quiet`](dab_board::quiet) and the index.

use std::sync::{Mutex, PoisonError};

use dab_board::LineSet;
use dab_space::{Half, PerHalf, Rules, SlabId, SlabKey, Space, Stored, UnitMask};
use dab_store::{Buffer, Scores, StoreError, Wanted};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::scalar::{Move, for_each_move};
use super::source::SlabSource;

/// Positions that are worth a task of their own.
const TASK: usize = 1 << 15;

/// Whether a slab is worked on by all threads at a time.
pub(crate) fn is_shared_out(positions: u64) -> bool {
    positions > TASK as u64
}

/// The scores of a slab, row-major. A batch of the slabs that it reads may take `batch_bytes`.
///
/// # Errors
/// If an input cannot be read.
pub(crate) fn slab(
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
        let slab = Slab::new((space, rules), &batch, key)?;
        let rows = scores.par_chunks_mut(slab.cols).with_min_len(TASK.div_ceil(slab.cols)).enumerate();
        rows.try_for_each_init(
            || Targets { space, batch: &batch, known: Vec::new() },
            |targets, (row, scores)| slab.row(row, targets, scores),
        )?;
        drop(slab);
        if !batch.go_on() {
            break;
        }
    }
    // No score is as low as that: nothing is left to draw.
    scores.iter_mut().filter(|score| **score == i8::MIN).for_each(|score| *score = rules.finished());
    Ok(scores)
}

/// A slab, and the moves inside its halves.
struct Slab<'a> {
    space: &'a Space,
    rules: Rules,
    key: SlabKey,
    cols: usize,
    waist: LineSet,
    inside: PerHalf<Inside<'a>>,
}

/// The moves that fill units of one half only, as far as they lead into the batch.
struct Inside<'a> {
    /// The moves of each row of the upper half, or of each column of the lower half: the outcome, the number of units
    /// that the move fills, and the offset of the configuration that it leads to.
    moves: Vec<Vec<(Move, u8, usize)>>,
    /// By number of filled units: the slab that moves lead to, and the offset of each configuration of the other half.
    targets: FxHashMap<u8, (Target<'a>, Vec<usize>)>,
}

impl<'a> Slab<'a> {
    fn new((space, rules): (&'a Space, Rules), batch: &Batch<'_>, key: SlabKey) -> Result<Self, StoreError> {
        let cols = space.lists(key)[Half::Lower].configs.len();
        let waist = LineSet::first(space.layout().partition().sizes.waist);
        let inside = [Inside::new(space, batch, key, Half::Upper)?, Inside::new(space, batch, key, Half::Lower)?];
        Ok(Self { space, rules, key, cols, waist, inside: PerHalf(inside) })
    }

    /// Max-assigns the scores of a row by the moves into the batch.
    fn row(&self, row: usize, targets: &mut Targets<'a, '_>, scores: &mut [i8]) -> Result<(), StoreError> {
        let PerHalf([upper, lower]) = &self.inside;
        for &(m, filled, offset) in &upper.moves[row] {
            let (target, columns) = &upper.targets[&filled];
            let from = &target.scores[offset..];
            scores
                .iter_mut()
                .zip(columns)
                .for_each(|(score, &col)| *score = m.value(self.rules, from[col]).max(*score));
        }
        for (col, score) in scores.iter_mut().enumerate() {
            for &(m, filled, offset) in &lower.moves[col] {
                let (target, rows) = &lower.targets[&filled];
                *score = m.value(self.rules, target.scores[rows[row] + offset]).max(*score);
            }
            let here = LineSet(self.space.mask_at(self.key, row, col).into());
            let mut failed = Ok(());
            for_each_move(self.space, here, self.waist, |m, after| match targets.score(after.0 as UnitMask) {
                Ok(after) => *score = after.map_or(*score, |after| m.value(self.rules, after).max(*score)),
                Err(error) => failed = Err(error),
            });
            failed?;
        }
        Ok(())
    }
}

impl<'a> Inside<'a> {
    fn new(space: &'a Space, batch: &Batch<'_>, key: SlabKey, half: Half) -> Result<Self, StoreError> {
        let partition = space.layout().partition();
        let units = LineSet(LineSet::first(partition.len(half.into())).0 << partition.shift(half.into()));
        let PerHalf(lists) = space.lists(key).map(|list| &list.configs);
        let (here, across) = if half == Half::Upper { (lists[0], lists[1]) } else { (lists[1], lists[0]) };
        let other = half.swapped_if(true);
        let mut targets: FxHashMap<u8, (Target<'a>, Vec<usize>)> = FxHashMap::default();
        let mut moves = Vec::with_capacity(here.len());
        for i in 0..here.len() {
            // Any configuration of the other half will do.
            let (row, col) = if half == Half::Upper { (i, 0) } else { (0, i) };
            let here = LineSet(space.mask_at(key, row, col).into());
            let mut found = Vec::new();
            for_each_move(space, here, units, |m, after| {
                if (after - here).is_subset(units) {
                    found.push((m, (after - here).len() as u8, after.0 as UnitMask));
                }
            });
            let mut of_batch = Vec::with_capacity(found.len());
            for (m, filled, after) in found {
                if !targets.contains_key(&filled)
                    && let Some(target) = Target::new(space, batch, space.split(after).0)?
                {
                    let offsets = across.iter().map(|&config| target.offset(other, config)).collect();
                    targets.insert(filled, (target, offsets));
                }
                if let Some((target, _)) = targets.get(&filled) {
                    of_batch.push((m, filled, target.offset(half, space.configs(after)[half])));
                }
            }
            moves.push(of_batch);
        }
        Ok(Self { moves, targets })
    }
}

/// The slabs of a batch that a thread has met.
struct Targets<'a, 'b> {
    space: &'a Space,
    batch: &'b Batch<'b>,
    /// `None` for slabs of other batches.
    known: Vec<(SlabKey, Option<Target<'a>>)>,
}

impl Targets<'_, '_> {
    /// The score of a position, unless another batch has it.
    #[inline]
    fn score(&mut self, filled: UnitMask) -> Result<Option<i8>, StoreError> {
        let (key, configs) = self.space.split(filled);
        let target = match self.known.iter().position(|(known, _)| *known == key) {
            Some(at) => &self.known[at].1,
            None => {
                self.known.push((key, Target::new(self.space, self.batch, key)?));
                &self.known[self.known.len() - 1].1
            }
        };
        let at = |target: &Target<'_>| Half::BOTH.iter().map(|&half| target.offset(half, configs[half])).sum::<usize>();
        Ok(target.as_ref().map(|target| target.scores[at(target)]))
    }
}

/// A slab that moves lead to. A score lies at the sum of the offsets of its configurations.
struct Target<'a> {
    stored: Stored<'a>,
    strides: PerHalf<usize>,
    scores: Scores,
}

impl<'a> Target<'a> {
    /// The slab, unless it belongs to another batch.
    fn new(space: &'a Space, batch: &Batch<'_>, key: SlabKey) -> Result<Option<Self>, StoreError> {
        let stored = space.stored(key);
        let shape = space.shape(stored.key);
        let strides = PerHalf(if stored.swaps { [1, shape.cols()] } else { [shape.cols(), 1] });
        let scores = batch.slab(stored.id, shape.positions() as u64)?;
        Ok(scores.map(|scores| Self { stored, strides, scores }))
    }

    /// The offset of the configuration of a half.
    #[inline]
    fn offset(&self, half: Half, config: UnitMask) -> usize {
        self.stored.place(half, config) * self.strides[half]
    }
}

/// As many of the slabs that moves lead to as fit in memory, taken as they come up.
struct Batch<'a> {
    inputs: &'a dyn SlabSource,
    /// Bytes.
    limit: u64,
    taken: Mutex<Taken>,
    /// The slabs of earlier batches.
    done: FxHashSet<SlabId>,
}

#[derive(Default)]
struct Taken {
    slabs: FxHashMap<SlabId, Scores>,
    bytes: u64,
    is_full: bool,
}

impl<'a> Batch<'a> {
    /// The first batch of at most `limit` bytes, and at least one slab.
    fn first(inputs: &'a dyn SlabSource, limit: u64) -> Self {
        Self { inputs, limit, taken: Mutex::default(), done: FxHashSet::default() }
    }

    /// The scores of a slab, or `None` if it belongs to another batch. The answer stays the same throughout a batch.
    fn slab(&self, id: SlabId, positions: u64) -> Result<Option<Scores>, StoreError> {
        if self.done.contains(&id) {
            return Ok(None);
        }
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(scores) = taken.slabs.get(&id) {
            return Ok(Some(scores.clone()));
        }
        taken.is_full |= !taken.slabs.is_empty() && taken.bytes + positions > self.limit;
        if taken.is_full {
            return Ok(None);
        }
        let scores = self.inputs.slab(id, &|| Wanted::ALL)?;
        taken.bytes += positions;
        taken.slabs.insert(id, scores.clone());
        Ok(Some(scores))
    }

    /// Begins the next batch, if some slab has not been in one.
    fn go_on(&mut self) -> bool {
        let taken = std::mem::take(self.taken.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.done.extend(taken.slabs.into_keys());
        taken.is_full
    }
}
