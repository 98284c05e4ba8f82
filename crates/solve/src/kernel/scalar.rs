//! The definition of scores: one position on its own, straight from the rules.
//!
//! ```text
//!    quiet:  score(s) = max over moves of -(best way for the opponent to take the boxes that the move opens)
//!    full:   score(s) = max over lines of  closed + score(s + line)   if the line closes boxes
//!                                          -score(s + line)           if it does not
//!    nothing left to draw: -penalty
//! ```
//! [`mod@super::reference`] applies it to whole slabs, and is held to it on every position of small boards.

use dab_board::capture::closed_by;
use dab_board::quiet::{self, QuietMove};
use dab_board::{LineSet, Score};
use dab_space::{Place, Rules, Space, SpaceKind, UnitMask};

/// A move.
#[derive(Clone, Copy)]
pub enum Move {
    /// Of the quiet space, with the run that it sets off.
    Quiet(QuietMove),
    /// A line of the full space, which closes so many boxes.
    Line(i8),
}

impl Move {
    /// Its worth, `after` being the score of the position that it leads to.
    fn score(self, after: i8) -> i8 {
        match self {
            Self::Quiet(m) => m.score(Score(after)).0,
            Self::Line(0) => -after,
            Self::Line(closed) => closed + after,
        }
    }
}

/// The moves of a position, and where the scores of the positions lie that they lead to.
pub fn moves(space: &Space, filled: UnitMask) -> impl Iterator<Item = (Move, Place)> {
    let graph = &space.layout().partition().graph;
    let here = LineSet(filled.into());
    let mut moves = Vec::new();
    match space.kind() {
        SpaceKind::Quiet => quiet::for_each_move(graph, here, |m| moves.push((Move::Quiet(m), m.after))),
        SpaceKind::Full => {
            for line in (graph.all() - here).iter() {
                moves.push((Move::Line(closed_by(graph, here, line) as i8), here.with(line)));
            }
        }
    }
    moves.into_iter().map(|(m, after)| (m, space.place_of(after.0 as UnitMask)))
}

/// The score of a position that has these moves, each with the score of the position that it leads to.
pub fn score(rules: Rules, moves: impl Iterator<Item = (Move, i8)>) -> i8 {
    moves.map(|(m, after)| m.score(after)).max().unwrap_or(-rules.penalty)
}
