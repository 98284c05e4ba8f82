//! The reference kernel: one position after the other, straight from the rules.
//!
//! ```text
//!    quiet:  score(s) = max over moves of -(best way for the opponent to take the boxes that the move opens)
//!    full:   score(s) = max over lines of  closed + score(s + line)   if the line closes boxes
//!                                          -score(s + line)           if it does not
//!    nothing left to draw: -penalty
//! ```

use dab_board::{Graph, LineSet, Score, quiet};
use dab_space::{Place, SlabKey, Space, SpaceKind, UnitMask};
use dab_store::{Scores, StoreError};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

use crate::Rules;
use crate::inputs::{Inputs, SlabId};

/// The score of a position, `look_up` giving those that its moves lead to.
///
/// # Errors
/// Those of `look_up`.
pub fn score<E>(
    space: &Space,
    rules: Rules,
    filled: UnitMask,
    mut look_up: impl FnMut(Place) -> Result<Score, E>,
) -> Result<Score, E> {
    let graph = &space.layout().partition().graph;
    let mut best: Option<Score> = None;
    let mut failed = None;
    let mut offer =
        |after: LineSet, score_of: &dyn Fn(Score) -> Score| match look_up(space.place_of(after.0 as UnitMask)) {
            Ok(after) => best = best.max(Some(score_of(after))),
            Err(error) => failed = Some(error),
        };
    let here = LineSet(filled.into());
    match space.kind() {
        SpaceKind::Quiet => quiet::for_each_move(graph, here, |m| offer(m.after, &|after| m.score(after))),
        SpaceKind::Full => {
            for line in (graph.all() - here).iter() {
                let closed = closed_by(graph, here, line);
                offer(here.with(line), &|after| if closed > 0 { closed + after } else { -after });
            }
        }
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(best.unwrap_or(-rules.penalty)),
    }
}

/// Boxes that drawing `line` closes.
fn closed_by(graph: &Graph, filled: LineSet, line: usize) -> Score {
    let ends = graph.strings()[line].ends.into_iter().flatten();
    ends.filter(|&joint| graph.valence(joint, filled) == 1).count() as Score
}

/// The scores of a slab, row-major.
///
/// # Errors
/// If an input cannot be read.
pub fn slab(space: &Space, rules: Rules, inputs: &Inputs<'_>, key: SlabKey) -> Result<Vec<Score>, StoreError> {
    let shape = space.shape(key);
    let (rows, cols) = (shape.rows(), shape.cols());
    let mut scores = vec![0; rows * cols];
    scores.par_chunks_mut(cols).enumerate().try_for_each_init(
        FxHashMap::<SlabId, (Scores, usize)>::default,
        |held, (row, scores)| {
            for (col, score_here) in scores.iter_mut().enumerate() {
                *score_here = score(space, rules, space.mask_at(key, row, col), |place| {
                    let id = (place.layer, place.slab);
                    let (scores, cols) = match held.entry(id) {
                        Entry::Occupied(entry) => entry.into_mut(),
                        Entry::Vacant(entry) => {
                            let cols = space.shape(space.layout().layers()[id.0][id.1]).cols();
                            entry.insert((inputs.slab(id)?, cols))
                        }
                    };
                    Ok::<Score, StoreError>(scores[place.row * *cols + place.col])
                })?;
            }
            Ok(())
        },
    )?;
    Ok(scores)
}
