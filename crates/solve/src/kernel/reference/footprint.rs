//! The moves that fill a unit of the waist, walked once for all rows and columns that look alike from there.
//!
//! A footprint is the part of the upper half that a walk looks at, and its filled units. A row shows each of its columns one
//! footprint; another row that shows the footprint shows it in the same columns, with the same moves.

use std::sync::Arc;

use dab_board::LineSet;
use dab_space::{Half, PerHalf, SlabKey, UnitMask};
use dab_store::StoreError;
use rustc_hash::FxHashMap;

use super::Slab;
use super::batch::Target;
use super::moves::for_each_move;
use super::row_move::RowMove;

/// The most columns of kept footprints of a unit, in rows of columns.
const MOST_ROWS: usize = 64;

/// The footprints of a slab that a thread has met.
#[derive(Default)]
pub(super) struct Footprints<'a> {
    targets: Targets<'a>,
    /// For each open unit of the waist.
    of_unit: FxHashMap<LineSet, Vec<Footprint<'a>>>,
}

struct Footprint<'a> {
    /// An upper configuration that shows it, and the units of it that were looked at.
    upper: UnitMask,
    seen: UnitMask,
    columns: Vec<u32>,
    moves: Vec<RowMove<'a>>,
}

impl Footprint<'_> {
    fn is_shown_by(&self, upper: UnitMask) -> bool {
        (self.upper ^ upper) & self.seen == 0
    }
}

impl<'a> Footprints<'a> {
    /// The moves of a row, whose configuration is `upper`, that fill a unit of the waist.
    pub(super) fn moves(
        &mut self,
        slab: &Slab<'a>,
        unit: LineSet,
        row: usize,
        upper: UnitMask,
    ) -> Result<impl Iterator<Item = &RowMove<'a>>, StoreError> {
        let footprints = self.of_unit.entry(unit).or_default();
        let shown = footprints.iter().filter(|footprint| footprint.is_shown_by(upper));
        if shown.map(|footprint| footprint.columns.len()).sum::<usize>() < slab.cols {
            if footprints.iter().map(|footprint| footprint.columns.len()).sum::<usize>() >= MOST_ROWS * slab.cols {
                footprints.clear();
            }
            walk(slab, &mut self.targets, footprints, Start { unit, row, upper })?;
        }
        Ok(footprints
            .iter()
            .filter(move |footprint| footprint.is_shown_by(upper))
            .flat_map(|footprint| &footprint.moves))
    }
}

/// The start of walks: a unit of the waist, in a row with the upper configuration `upper`.
#[derive(Clone, Copy)]
struct Start {
    unit: LineSet,
    row: usize,
    upper: UnitMask,
}

/// Adds the footprints of a row that are not among `footprints`.
fn walk<'a>(
    slab: &Slab<'a>,
    targets: &mut Targets<'a>,
    footprints: &mut Vec<Footprint<'a>>,
    from: Start,
) -> Result<(), StoreError> {
    let mut is_known = vec![false; slab.cols];
    for footprint in footprints.iter().filter(|footprint| footprint.is_shown_by(from.upper)) {
        footprint.columns.iter().for_each(|&col| is_known[col as usize] = true);
    }
    let n_known = footprints.len();
    let mut all: Vec<Walked> = Vec::new();
    for (col, &lower) in
        slab.space.lists(slab.key)[Half::Lower].configs.iter().enumerate().filter(|&(col, _)| !is_known[col])
    {
        // Mostly the one before.
        let walked = match all.iter().rposition(|walked| (walked.lower ^ lower) & walked.seen == 0) {
            Some(i) => &all[i],
            None => {
                all.push(Walked::new(slab, targets, footprints, n_known, from, col)?);
                &all[all.len() - 1]
            }
        };
        let footprint = &mut footprints[walked.footprint];
        footprint.columns.push(col as u32);
        for &(i, filled) in &walked.moves {
            let m = &mut footprint.moves[i];
            m.add(col, m.target.stored.place(Half::Lower, lower | filled));
        }
    }
    Ok(())
}

/// A column that was walked: those that do not differ in what was looked at have the same moves.
struct Walked {
    lower: UnitMask,
    seen: UnitMask,
    /// Its footprint, by number.
    footprint: usize,
    /// Its moves, by number in the footprint, with the units of the lower half that each fills.
    moves: Vec<(usize, UnitMask)>,
}

impl Walked {
    /// Walks a column. The footprints of the row that are not complete begin with number `first`.
    fn new<'a>(
        slab: &Slab<'a>,
        targets: &mut Targets<'a>,
        footprints: &mut Vec<Footprint<'a>>,
        first: usize,
        Start { unit, row, upper }: Start,
        col: usize,
    ) -> Result<Self, StoreError> {
        let space = slab.space;
        let lower = space.lists(slab.key)[Half::Lower].configs[col];
        let here = LineSet(space.mask_at(slab.key, row, col).into());
        let mut found = Vec::new();
        let seen = for_each_move(space, here, Some(unit), |after, outcome| found.push((after, outcome)));
        let PerHalf([above, below]) = space.configs(seen.0 as UnitMask);
        let footprint =
            (first..footprints.len()).find(|&footprint| footprints[footprint].seen == above).unwrap_or_else(|| {
                footprints.push(Footprint { upper, seen: above, columns: Vec::new(), moves: Vec::new() });
                footprints.len() - 1
            });
        let mut moves = Vec::with_capacity(found.len());
        for (after, outcome) in found {
            let (key, after) = space.split(after.0 as UnitMask);
            if let Some(target) = targets.get(slab, key)? {
                let i = RowMove::find(&mut footprints[footprint].moves, target, after[Half::Upper] & !upper, outcome);
                moves.push((i, after[Half::Lower] & !lower));
            }
        }
        Ok(Self { lower, seen: below, footprint, moves })
    }
}

/// The slabs that moves at the waist lead to.
#[derive(Default)]
struct Targets<'a>(Vec<Arc<Target<'a>>>);

impl<'a> Targets<'a> {
    /// A slab, unless it belongs to another batch.
    fn get(&mut self, slab: &Slab<'a>, key: SlabKey) -> Result<Option<&Arc<Target<'a>>>, StoreError> {
        let known = self.0.iter().position(|target| target.key == key);
        if known.is_none() {
            let Some(target) = Target::new(slab.space, slab.batch, key)? else { return Ok(None) };
            self.0.push(target);
        }
        Ok(Some(&self.0[known.unwrap_or(self.0.len() - 1)]))
    }
}
