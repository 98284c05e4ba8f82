//! The definition of scores: one position on its own, straight from the rules.
//!
//! ```text
//!    quiet:  score(s) = max over moves of -(best way for the opponent to take the boxes that the move opens)
//!    full:   score(s) = max over lines of  closed + score(s + line)   if the line closes boxes
//!                                          -score(s + line)           if it does not
//!    nothing left to draw: -penalty
//! ```
//! [`mod@super::reference`] applies it to whole slabs, and is held to it on every position of small boards.

use dab_board::{Graph, LineSet, Score, quiet};
use dab_space::{Place, Space, SpaceKind, UnitMask};

use crate::Rules;

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
pub(super) fn closed_by(graph: &Graph, filled: LineSet, line: usize) -> Score {
    let ends = graph.strings()[line].ends.into_iter().flatten();
    ends.filter(|&joint| graph.valence(joint, filled) == 1).count() as Score
}
