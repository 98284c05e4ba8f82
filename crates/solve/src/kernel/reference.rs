//! The reference kernel: the rules of [`scalar`](super::scalar) for every position of a slab, and no other arithmetic.
//!
//! The rows and columns of a slab, and of every slab that a move leads to, are configurations of the halves. So a
//! move is walked where all that it depends on is known, and no sooner:
//! ```text
//!    fills units of the upper half only    once for each row        leads to the same columns, in order
//!    fills units of the lower half only    once for each column     leads to the same rows
//!    fills a unit of the waist             along a row, once for neighbours that do not differ in anything that the
//!                                          walk from this unit looked at; other rows that do not differ in it do the
//!                                          same
//! ```
//! Where not all slabs that moves lead to fit in memory, all moves are walked several times, each time for those into
//! some of the slabs (a batch): the best of several batches is the best of all.
//!
//! Nothing is shared with the row kernel but the rules of [`quiet`](dab_board::quiet) and the index.

use std::sync::{Arc, Mutex};

use dab_board::{LineSet, Score};
use dab_space::partition::Group;
use dab_space::{SlabKey, Space, Stored, UnitMask};
use dab_store::{Buffer, Scores, StoreError};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::moves::{Outcome, for_each_move};
use crate::Rules;
use crate::inputs::{Inputs, SlabId};

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
    inputs: &Inputs<'_>,
    batch_bytes: u64,
    key: SlabKey,
) -> Result<Buffer, StoreError> {
    let mut scores = inputs.buffers.take(space.shape(key).positions());
    scores.fill(Score::MIN);
    let mut batch = Batch { inputs, limit: batch_bytes, taken: Mutex::default(), done: FxHashSet::default() };
    loop {
        let slab = Slab::new(space, &batch, key)?;
        let rows = scores.par_chunks_mut(slab.cols).with_min_len(slab.rows_of_task()).enumerate();
        rows.try_for_each_init(Known::default, |known, (row, scores)| slab.row(row, known, scores))?;
        drop(slab);
        if !batch.go_on() {
            break;
        }
    }
    // No score is as low as that: nothing is left to draw.
    scores.iter_mut().filter(|score| **score == Score::MIN).for_each(|score| *score = -rules.penalty);
    Ok(scores)
}

/// The slabs that moves are followed into: as many as fit, taken as they come up.
struct Batch<'a> {
    inputs: &'a Inputs<'a>,
    /// Bytes.
    limit: u64,
    taken: Mutex<Taken>,
    /// Those of earlier batches.
    done: FxHashSet<SlabId>,
}

#[derive(Default)]
struct Taken {
    slabs: FxHashMap<SlabId, Scores>,
    bytes: u64,
    is_full: bool,
}

impl Batch<'_> {
    /// The scores of a slab, or `None` if it belongs to another batch. The answer stays the same throughout a batch.
    fn slab(&self, id: SlabId, positions: u64) -> Result<Option<Scores>, StoreError> {
        if self.done.contains(&id) {
            return Ok(None);
        }
        let mut taken = self.taken.lock().expect("no thread panics while it holds the batch");
        if let Some(scores) = taken.slabs.get(&id) {
            return Ok(Some(scores.clone()));
        }
        taken.is_full |= !taken.slabs.is_empty() && taken.bytes + positions > self.limit;
        if taken.is_full {
            return Ok(None);
        }
        let scores = self.inputs.slab(id)?;
        taken.bytes += positions;
        taken.slabs.insert(id, scores.clone());
        Ok(Some(scores))
    }

    /// Begins the next batch, if some slab has not been in one.
    fn go_on(&mut self) -> bool {
        let taken = std::mem::take(self.taken.get_mut().expect("no thread panics while it holds the batch"));
        self.done.extend(taken.slabs.into_keys());
        taken.is_full
    }
}

/// A slab, and the moves inside its halves.
struct Slab<'a> {
    space: &'a Space,
    batch: &'a Batch<'a>,
    key: SlabKey,
    cols: usize,
    upper: Half<'a>,
    /// For each slab that moves inside the upper half lead to, where the columns lie; `None` if they lie as here.
    columns: Vec<Option<Vec<usize>>>,
    lower: Vec<Across<'a>>,
    /// The open units of the waist.
    open: Vec<LineSet>,
}

/// Raises each score to that of a move, `after` being the scores of the positions it leads to.
#[inline]
fn raise(scores: &mut [Score], outcome: Outcome, after: impl Iterator<Item = Score>) {
    for (score, after) in scores.iter_mut().zip(after) {
        *score = outcome.score(after).max(*score);
    }
}

/// The moves inside a half.
struct Half<'a> {
    /// By row or column.
    moves: Vec<Vec<Inside>>,
    /// The slabs that they lead to, by number of units that they fill.
    targets: Vec<Option<Arc<Target<'a>>>>,
}

/// A move inside a half.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Inside {
    /// Where the configuration lies to which it leads.
    offset: usize,
    /// Number of units that it fills.
    filled: u8,
    outcome: Outcome,
}

/// A slab that moves lead to. A score lies at the sum of what the upper and the lower configuration say.
struct Target<'a> {
    key: SlabKey,
    stored: Stored<'a>,
    scores: Scores,
    strides: [usize; 2],
}

impl<'a> Target<'a> {
    /// The slab, unless it belongs to another batch.
    fn new(space: &'a Space, batch: &Batch<'_>, key: SlabKey) -> Result<Option<Arc<Self>>, StoreError> {
        let stored = space.stored(key);
        let shape = space.shape(stored.key);
        let Some(scores) = batch.slab((stored.layer, stored.slab), shape.positions() as u64)? else { return Ok(None) };
        let strides = if stored.swaps { [1, shape.cols()] } else { [shape.cols(), 1] };
        Ok(Some(Arc::new(Self { key, stored, scores, strides })))
    }

    /// Where a configuration of a half lies.
    #[inline]
    fn offset(&self, half: usize, config: UnitMask) -> usize {
        self.stored.place(half, config) * self.strides[half]
    }
}

impl<'a> Slab<'a> {
    fn new(space: &'a Space, batch: &'a Batch<'a>, key: SlabKey) -> Result<Self, StoreError> {
        let lower = &space.lists(key)[1].configs;
        let upper = Half::new(space, batch, key, 0)?;
        let columns = |target: &Option<Arc<Target<'_>>>| {
            let columns = target.iter().flat_map(|target| lower.iter().map(|&config| target.offset(1, config)));
            let columns: Vec<usize> = columns.collect();
            let keep_places = columns.iter().zip(0..).all(|(&place, col)| place == col);
            (!keep_places).then_some(columns)
        };
        let columns = upper.targets.iter().map(columns).collect();
        let waist = LineSet::first(space.layout().partition().sizes.waist);
        let filled = LineSet(space.layout().waists()[key.waist as usize].filled.into());
        let open = (waist - filled).iter().map(LineSet::one).collect();
        let cols = lower.len();
        let lower = Half::new(space, batch, key, 1)?.across();
        Ok(Self { space, batch, key, cols, upper, columns, lower, open })
    }

    /// Rows that are worth a task.
    fn rows_of_task(&self) -> usize {
        TASK.div_ceil(self.cols)
    }

    /// Raises the scores of a row.
    fn row(&self, row: usize, known: &mut Known<'a>, scores: &mut [Score]) -> Result<(), StoreError> {
        for m in &self.upper.moves[row] {
            let from = &self.upper.target(m).scores[m.offset..];
            match &self.columns[usize::from(m.filled)] {
                None => raise(scores, m.outcome, from.iter().copied()),
                Some(columns) => raise(scores, m.outcome, columns.iter().map(|&col| from[col])),
            }
        }
        let upper = self.space.lists(self.key)[0].configs[row];
        self.lower.iter().for_each(|m| m.raise(upper, scores));
        for &unit in &self.open {
            known.moves(self, unit, row, upper)?.iter().for_each(|m| m.raise(upper, scores));
        }
        Ok(())
    }
}

impl<'a> Half<'a> {
    fn new(space: &'a Space, batch: &Batch<'_>, key: SlabKey, half: usize) -> Result<Self, StoreError> {
        let partition = space.layout().partition();
        let group = [Group::Upper, Group::Lower][half];
        let (shift, len) = (partition.shift(group), partition.len(group));
        let units = LineSet(LineSet::first(len).0 << shift);
        // Whatever the other half looks like.
        let here =
            |i: usize| LineSet(if half == 0 { space.mask_at(key, i, 0) } else { space.mask_at(key, 0, i) }.into());
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
                    *[&mut target.upper, &mut target.lower][half] += filled as u8;
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

    fn target(&self, m: &Inside) -> &Arc<Target<'a>> {
        self.targets[usize::from(m.filled)].as_ref().expect("a move leads to a position")
    }

    /// The moves of the lower half, those that fill alike together.
    fn across(&self) -> Vec<Across<'a>> {
        let mut all: Vec<Across<'a>> = Vec::new();
        for (col, moves) in self.moves.iter().enumerate() {
            for m in moves {
                let target = self.target(m);
                let i = Across::find(&mut all, target, 0, m.outcome);
                all[i].add(col, m.offset / target.strides[1]);
            }
        }
        all
    }
}

/// Moves from many columns of a row into one row of a slab.
struct Across<'a> {
    target: Arc<Target<'a>>,
    /// Units of the upper half that are filled.
    upper: UnitMask,
    outcome: Outcome,
    /// The columns, and the places of the lower configurations that they lead to: neighbours that go to neighbours
    /// together.
    runs: Vec<Run>,
}

/// So many columns from `col` on, which lead to as many places from `to` on.
struct Run {
    col: u32,
    to: u32,
    len: u32,
}

impl<'a> Across<'a> {
    /// The number of such moves in `all`, where they are added if there are none.
    fn find(all: &mut Vec<Self>, target: &Arc<Target<'a>>, upper: UnitMask, outcome: Outcome) -> usize {
        let is_alike = |m: &Self| (m.target.key, m.upper, m.outcome) == (target.key, upper, outcome);
        all.iter().position(is_alike).unwrap_or_else(|| {
            all.push(Self { target: target.clone(), upper, outcome, runs: Vec::new() });
            all.len() - 1
        })
    }

    /// One more column; they come in ascending order.
    fn add(&mut self, col: usize, to: usize) {
        let (col, to) = (col as u32, to as u32);
        match self.runs.last_mut() {
            Some(run) if (run.col + run.len, run.to + run.len) == (col, to) => run.len += 1,
            _ => self.runs.push(Run { col, to, len: 1 }),
        }
    }

    /// Raises the scores of a row, that of the upper configuration `upper`.
    fn raise(&self, upper: UnitMask, scores: &mut [Score]) {
        let from = &self.target.scores[self.target.offset(0, upper | self.upper)..];
        let stride = self.target.strides[1];
        for &Run { col, to, len } in &self.runs {
            let scores = &mut scores[col as usize..][..len as usize];
            let from = &from[to as usize * stride..];
            match stride {
                1 => raise(scores, self.outcome, from.iter().copied()),
                _ => raise(scores, self.outcome, from.iter().step_by(stride).copied()),
            }
        }
    }
}

/// Rows with other moves through a unit of the waist that a thread remembers.
const MOST_VARIANTS: usize = 64;

/// What a thread has met at the waist of a slab.
#[derive(Default)]
struct Known<'a> {
    targets: Vec<Arc<Target<'a>>>,
    /// For each open unit of the waist.
    variants: FxHashMap<LineSet, Vec<Variant<'a>>>,
}

/// The moves of rows through a unit of the waist.
struct Variant<'a> {
    /// The upper configuration of the row that was walked, and the units of it that were looked at: rows that do not
    /// differ in these have the same moves.
    walked: UnitMask,
    seen: UnitMask,
    moves: Vec<Across<'a>>,
}

impl<'a> Known<'a> {
    /// The moves of a row through a waist unit.
    fn moves(
        &mut self,
        slab: &Slab<'a>,
        unit: LineSet,
        row: usize,
        upper: UnitMask,
    ) -> Result<&[Across<'a>], StoreError> {
        let variants = self.variants.entry(unit).or_default();
        let i = match variants.iter().position(|variant| (variant.walked ^ upper) & variant.seen == 0) {
            Some(i) => i,
            None => {
                if variants.len() == MOST_VARIANTS {
                    variants.clear();
                }
                let variant = Variant::new(slab, &mut self.targets, unit, row, upper)?;
                variants.push(variant);
                variants.len() - 1
            }
        };
        Ok(&variants[i].moves)
    }
}

impl<'a> Variant<'a> {
    /// Walks the moves of a row.
    fn new(
        slab: &Slab<'a>,
        targets: &mut Vec<Arc<Target<'a>>>,
        unit: LineSet,
        row: usize,
        upper: UnitMask,
    ) -> Result<Self, StoreError> {
        let space = slab.space;
        let mut variant = Self { walked: upper, seen: 0, moves: Vec::new() };
        // The column that was walked last: its configuration, what was looked at of it, and its moves, as numbers and
        // the units of the lower half that they fill.
        let mut walked: Option<(UnitMask, UnitMask)> = None;
        let mut moves: Vec<(usize, UnitMask)> = Vec::new();
        for (col, &lower) in space.lists(slab.key)[1].configs.iter().enumerate() {
            if walked.is_none_or(|(walked, seen)| (walked ^ lower) & seen != 0) {
                let here = LineSet(space.mask_at(slab.key, row, col).into());
                let mut failed = None;
                moves.clear();
                let seen = for_each_move(space, here, Some(unit), |after, outcome| {
                    let (key, [upper_after, lower_after]) = space.split(after.0 as UnitMask);
                    match target(slab, targets, key) {
                        Ok(None) => {}
                        Ok(Some(target)) => {
                            let i = Across::find(&mut variant.moves, target, upper_after & !upper, outcome);
                            moves.push((i, lower_after & !lower));
                        }
                        Err(error) => failed = Some(error),
                    }
                });
                if let Some(error) = failed {
                    return Err(error);
                }
                let [seen_above, seen_below] = space.configs(seen.0 as UnitMask);
                variant.seen |= seen_above;
                walked = Some((lower, seen_below));
            }
            for &(i, filled) in &moves {
                let m = &mut variant.moves[i];
                m.add(col, m.target.stored.place(1, lower | filled));
            }
        }
        Ok(variant)
    }
}

/// A slab that moves at the waist lead to, unless it belongs to another batch.
fn target<'t, 'a>(
    slab: &Slab<'a>,
    targets: &'t mut Vec<Arc<Target<'a>>>,
    key: SlabKey,
) -> Result<Option<&'t Arc<Target<'a>>>, StoreError> {
    let known = targets.iter().position(|target| target.key == key);
    if known.is_none() {
        let Some(target) = Target::new(slab.space, slab.batch, key)? else { return Ok(None) };
        targets.push(target);
    }
    Ok(Some(&targets[known.unwrap_or(targets.len() - 1)]))
}
