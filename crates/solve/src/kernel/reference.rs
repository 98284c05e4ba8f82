//! The reference kernel: the rules of [`scalar`](super::scalar) for every position of a slab, and no other arithmetic.
//!
//! The rows and columns of a slab, and of every slab that a move leads to, are configurations of the halves. So a
//! move is walked where all that it depends on is known, and no sooner:
//! ```text
//!    fills units of the upper half only    once for each row        leads to the same columns, in order
//!    fills units of the lower half only    once for each column     leads to the same rows
//!    fills a unit of the waist             once for neighbouring columns, and for rows that follow each other, that do
//!                                          not differ in anything that the walk from this unit looked at
//! ```
//! Nothing is shared with the row kernel but the rules of [`quiet`](dab_board::quiet) and the index.

use std::ops::Range;

use dab_board::{LineSet, Score};
use dab_space::partition::Group;
use dab_space::{SlabKey, Space, Stored, UnitMask};
use dab_store::{Scores, StoreError};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::moves::{Outcome, for_each_move};
use crate::Rules;
use crate::inputs::Inputs;

/// Positions that are worth a task of their own.
const TASK: usize = 1 << 17;

/// The scores of a slab, row-major.
///
/// # Errors
/// If an input cannot be read.
pub fn slab(space: &Space, rules: Rules, inputs: &Inputs<'_>, key: SlabKey) -> Result<Vec<Score>, StoreError> {
    let slab = Slab::new(space, rules, inputs, key)?;
    let mut scores = vec![0; space.shape(key).positions()];
    let rows = scores.par_chunks_mut(slab.cols).with_min_len(slab.rows_of_task()).enumerate();
    rows.try_for_each_init(Known::default, |known, (row, scores)| slab.row(row, known, scores))?;
    Ok(scores)
}

/// Hands over every row of a slab, in any order and in parallel.
///
/// # Errors
/// If an input cannot be read, and those of `visit`.
pub(crate) fn for_each_row<E: From<StoreError> + Send>(
    (space, rules, inputs): (&Space, Rules, &Inputs<'_>),
    key: SlabKey,
    visit: impl Fn(usize, &[Score]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let slab = Slab::new(space, rules, inputs, key)?;
    let rows = (0..space.shape(key).rows()).into_par_iter().with_min_len(slab.rows_of_task());
    rows.try_for_each_init(
        || (Known::default(), vec![0; slab.cols]),
        |(known, scores), row| {
            slab.row(row, known, scores)?;
            visit(row, scores)
        },
    )
}

/// A slab, and the moves inside its halves.
struct Slab<'a> {
    space: &'a Space,
    rules: Rules,
    inputs: &'a Inputs<'a>,
    key: SlabKey,
    cols: usize,
    halves: [Half<'a>; 2],
    /// For each slab that moves inside the upper half lead to, where the columns lie; `None` if they lie as here.
    columns: Vec<Option<Vec<usize>>>,
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
    targets: Vec<Option<Target<'a>>>,
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
    fn new(space: &'a Space, inputs: &Inputs<'_>, key: SlabKey) -> Result<Self, StoreError> {
        let stored = space.stored(key);
        let cols = space.shape(stored.key).cols();
        let strides = if stored.swaps { [1, cols] } else { [cols, 1] };
        Ok(Self { key, stored, scores: inputs.slab((stored.layer, stored.slab))?, strides })
    }

    /// Where a configuration of a half lies.
    #[inline]
    fn offset(&self, half: usize, config: UnitMask) -> usize {
        self.stored.place(half, config) * self.strides[half]
    }
}

impl<'a> Slab<'a> {
    fn new(space: &'a Space, rules: Rules, inputs: &'a Inputs<'a>, key: SlabKey) -> Result<Self, StoreError> {
        let lower = &space.lists(key)[1].configs;
        let halves = [Half::new(space, inputs, key, 0)?, Half::new(space, inputs, key, 1)?];
        let columns = |target: &Option<Target<'_>>| {
            let columns = target.iter().flat_map(|target| lower.iter().map(|&config| target.offset(1, config)));
            let columns: Vec<usize> = columns.collect();
            let keep_places = columns.iter().zip(0..).all(|(&place, col)| place == col);
            (!keep_places).then_some(columns)
        };
        let columns = halves[0].targets.iter().map(columns).collect();
        let waist = LineSet::first(space.layout().partition().sizes.waist);
        let filled = LineSet(space.layout().waists()[key.waist as usize].filled.into());
        let open = (waist - filled).iter().map(LineSet::one).collect();
        Ok(Self { space, rules, inputs, key, cols: lower.len(), halves, columns, open })
    }

    /// Rows that are worth a task.
    fn rows_of_task(&self) -> usize {
        TASK.div_ceil(self.cols)
    }

    /// The scores of a row.
    fn row(&self, row: usize, known: &mut Known<'a>, scores: &mut [Score]) -> Result<(), StoreError> {
        let [upper, lower] = &self.halves;
        scores.fill(Score::MIN);
        for m in &upper.moves[row] {
            let from = &upper.target(m).scores[m.offset..];
            match &self.columns[usize::from(m.filled)] {
                None => raise(scores, m.outcome, from.iter().copied()),
                Some(columns) => raise(scores, m.outcome, columns.iter().map(|&col| from[col])),
            }
        }
        let upper_config = self.space.lists(self.key)[0].configs[row];
        let from: Vec<&[Score]> = lower
            .targets
            .iter()
            .map(|target| match target {
                Some(target) => &target.scores[target.offset(0, upper_config)..],
                None => &[],
            })
            .collect();
        for (score, moves) in scores.iter_mut().zip(&lower.moves) {
            for m in moves {
                *score = m.outcome.score(from[usize::from(m.filled)][m.offset]).max(*score);
            }
        }
        for &unit in &self.open {
            known.look_at(self, unit, row)?;
            for stretch in &known.stretches[&unit] {
                for m in &stretch.moves {
                    let target = &known.targets[m.target];
                    let from = &target.scores[target.offset(0, upper_config | m.upper)..];
                    raise(&mut scores[stretch.cols.clone()], m.outcome, m.columns.iter().map(|&col| from[col]));
                }
            }
        }
        // No score is as low as that: nothing is left to draw.
        scores.iter_mut().filter(|score| **score == Score::MIN).for_each(|score| *score = -self.rules.penalty);
        Ok(())
    }
}

impl<'a> Half<'a> {
    fn new(space: &'a Space, inputs: &Inputs<'_>, key: SlabKey, half: usize) -> Result<Self, StoreError> {
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
        let walked: Vec<_> = (0..space.lists(key)[half].configs.len()).map(walk).collect();
        let most = walked.iter().flatten().map(|&(filled, ..)| filled).max().unwrap_or(0);
        let mut targets: Vec<Option<Target<'a>>> = (0..=most).map(|_| None).collect();
        let mut moves = Vec::with_capacity(walked.len());
        for walked in walked {
            let mut found = Vec::with_capacity(walked.len());
            for (filled, after, outcome) in walked {
                let target = match &mut targets[filled] {
                    Some(target) => target,
                    none => {
                        let mut target = key;
                        *[&mut target.upper, &mut target.lower][half] += filled as u8;
                        none.insert(Target::new(space, inputs, target)?)
                    }
                };
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

    #[inline]
    fn target(&self, m: &Inside) -> &Target<'a> {
        self.targets[usize::from(m.filled)].as_ref().expect("a move leads to a position")
    }
}

/// What a thread has met at the waist of a slab.
#[derive(Default)]
struct Known<'a> {
    targets: Vec<Target<'a>>,
    /// For each open unit of the waist the stretches of the row that was looked at last.
    stretches: FxHashMap<LineSet, Vec<Stretch>>,
}

/// Columns with the same moves through a unit of the waist.
struct Stretch {
    cols: Range<usize>,
    /// The position whose moves were walked, and the units that were looked at.
    walked: UnitMask,
    seen: UnitMask,
    moves: Vec<AtWaist>,
}

/// A move at the waist.
struct AtWaist {
    /// Number of the target.
    target: usize,
    /// Units of the upper and the lower half that it fills.
    upper: UnitMask,
    lower: UnitMask,
    outcome: Outcome,
    /// For each column of the stretch where the lower configuration lies to which it leads.
    columns: Vec<usize>,
}

impl Stretch {
    /// Whether a position has these moves: it does not differ in anything that was looked at.
    #[inline]
    fn holds(&self, here: UnitMask) -> bool {
        (self.walked ^ here) & self.seen == 0
    }
}

impl<'a> Known<'a> {
    /// Finds the stretches of a row. Those of the row before are kept where that makes no difference.
    fn look_at(&mut self, slab: &Slab<'a>, unit: LineSet, row: usize) -> Result<(), StoreError> {
        let space = slab.space;
        let before = self.stretches.remove(&unit).unwrap_or_default();
        let mut stretches: Vec<Stretch> = Vec::with_capacity(before.len());
        let walk = |known: &mut Self, stretches: &mut Vec<Stretch>, cols: Range<usize>| {
            for col in cols {
                let here = space.mask_at(slab.key, row, col);
                match stretches.last_mut().filter(|stretch| stretch.holds(here)) {
                    Some(stretch) => known.widen(slab, stretch, col),
                    None => stretches.push(known.walk(slab, unit, here, col)?),
                }
            }
            Ok(())
        };
        if before.is_empty() {
            walk(self, &mut stretches, 0..slab.cols)?;
        }
        for stretch in before {
            if stretch.holds(space.mask_at(slab.key, row, stretch.cols.start)) {
                stretches.push(stretch);
            } else {
                walk(self, &mut stretches, stretch.cols)?;
            }
        }
        self.stretches.insert(unit, stretches);
        Ok(())
    }

    /// Lengthens a stretch by a column.
    fn widen(&self, slab: &Slab<'a>, stretch: &mut Stretch, col: usize) {
        stretch.cols.end = col + 1;
        let lower = slab.space.lists(slab.key)[1].configs[col];
        for m in &mut stretch.moves {
            m.columns.push(self.targets[m.target].offset(1, lower | m.lower));
        }
    }

    /// Begins a stretch with the moves through a waist unit at the position `here`.
    fn walk(&mut self, slab: &Slab<'a>, unit: LineSet, here: UnitMask, col: usize) -> Result<Stretch, StoreError> {
        let space = slab.space;
        let configs = space.configs(here);
        let mut failed = None;
        let mut moves = Vec::new();
        let seen = for_each_move(space, LineSet(here.into()), Some(unit), |after, outcome| {
            let (key, after) = space.split(after.0 as UnitMask);
            match self.target(slab, key) {
                Ok(target) => {
                    let [upper, lower] = [0, 1].map(|half| after[half] & !configs[half]);
                    moves.push(AtWaist { target, upper, lower, outcome, columns: Vec::new() });
                }
                Err(error) => failed = Some(error),
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let mut stretch = Stretch { cols: col..col, walked: here, seen: seen.0 as UnitMask, moves };
        self.widen(slab, &mut stretch, col);
        Ok(stretch)
    }

    /// Number of a target.
    fn target(&mut self, slab: &Slab<'a>, key: SlabKey) -> Result<usize, StoreError> {
        if let Some(target) = self.targets.iter().position(|target| target.key == key) {
            return Ok(target);
        }
        self.targets.push(Target::new(slab.space, slab.inputs, key)?);
        Ok(self.targets.len() - 1)
    }
}
