//! The definition of scores: one position on its own, straight from the rules.
//!
//! ```text
//!    quiet:  score(s) = max over moves of -(best way for the opponent to take the boxes that the move opens)
//!    full:   score(s) = max over lines of  closed + score(s + line)   if the line closes boxes
//!                                          -score(s + line)           if it does not
//!    nothing left to draw: -penalty
//! ```
//! With marks, a move with which the opponent may decline boxes has the mark of the mover, any other the mark after it, turned; a
//! position has the best mark of its best moves.
//! `reference` applies it to whole slabs, and is held to it on every position of small boards.

use dab_board::capture::{Decline, closed_by};
use dab_board::{LineSet, Score, quiet};
use dab_space::{Mark, Place, Rules, Space, SpaceKind, UnitMask};

/// The outcome of a move, apart from the position that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Of the quiet space: the boxes that it opens to the opponent (0 for a safe line), and what he may decline.
    Quiet(u8, Decline),
    /// A line of the full space, by the boxes that it closes.
    Line(u8),
}

impl Move {
    /// The value of the player who moves, `after` being the value of the position that the move leads to.
    #[inline]
    pub(crate) fn value(self, rules: Rules, after: i8) -> i8 {
        match self {
            Self::Quiet(boxes, decline) => {
                let mark = rules.mark(after).filter(|_| decline == Decline::None).map_or(Mark::Mover, |mark| -mark);
                rules.value(-decline.score(boxes, rules.score(after)), mark)
            }
            Self::Line(0) => (-Score(after)).0,
            Self::Line(closed) => (closed + Score(after)).0,
        }
    }
}

/// Calls `visit` with every move of the position `here` that fills a unit of `through`, and the units filled afterwards.
#[inline]
pub(crate) fn for_each_move(space: &Space, here: LineSet, through: LineSet, mut visit: impl FnMut(Move, LineSet)) {
    let graph = &space.layout().partition().graph;
    match space.kind() {
        SpaceKind::Quiet => {
            quiet::for_each_move_through(graph, here, through, |m| visit(Move::Quiet(m.boxes, m.decline), m.after));
        }
        SpaceKind::Full => {
            for line in (through - here).iter() {
                visit(Move::Line(closed_by(graph, here, line)), here.with(line));
            }
        }
    }
}

/// The moves of a position, and the places of the scores that they lead to.
pub fn moves(space: &Space, filled: UnitMask) -> impl Iterator<Item = (Move, Place)> {
    let mut moves = Vec::new();
    let all = space.layout().partition().graph.all();
    for_each_move(space, LineSet(filled.into()), all, |m, after| moves.push((m, after)));
    moves.into_iter().map(|(m, after)| (m, space.place_of(after.0 as UnitMask)))
}

/// The value of a position that has these moves, each with the value of the position that it leads to.
pub fn value(rules: Rules, moves: impl Iterator<Item = (Move, i8)>) -> i8 {
    moves.map(|(m, after)| m.value(rules, after)).max().unwrap_or(rules.finished())
}
