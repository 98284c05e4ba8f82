//! The statements, a row each.

use dab_board::components::Component;
use dab_board::{Graph, LineSet};
use dab_endgame::controlled::controlled_value;

use crate::figures::plural;
use crate::theory::Endgame;

/// A stored position.
pub(super) struct Case<'a> {
    pub(super) graph: &'a Graph,
    /// Its drawn lines.
    pub(super) drawn: &'a dyn Fn() -> LineSet,
    pub(super) score: i64,
    /// Whether the player to move wins nimstring, if known.
    pub(super) wins_nimstring: Option<bool>,
    /// Whether a box was closed since the start.
    pub(super) is_closed: bool,
    /// Whether a box has fewer than two sides, so that something is left beside chains and loops.
    pub(super) has_joint: bool,
}

/// Nothing where a statement is not about the position, else whether it is right, or the kind of the exception.
type Verdict = Option<Result<(), [i64; 2]>>;

/// A statement about positions.
pub(super) struct Statement {
    pub(super) name: &'static str,
    pub(super) says: &'static str,
    /// Whether it needs the winner of nimstring.
    pub(super) of_nimstring: bool,
    pub(super) test: fn(&Case<'_>) -> Verdict,
    /// A kind of exceptions in words.
    pub(super) kind: fn([i64; 2]) -> String,
}

/// A player is said to win; the score is his.
fn wins(score: i64, kind: [i64; 2]) -> Verdict {
    Some(if score > 0 { Ok(()) } else { Err(kind) })
}

pub(super) const STATEMENTS: [Statement; 3] = [
    Statement {
        name: "long chain rule",
        says: "while no box is closed and only chains and loops are left, the player who wants so many long chains wins",
        of_nimstring: false,
        test: |case| {
            if case.is_closed || case.has_joint {
                return None;
            }
            let drawn = (case.drawn)();
            let components = Component::find_all(case.graph, drawn);
            let n_long = components.iter().filter(|c| matches!(c, Component::Chain { boxes: 3.., .. })).count() as i64;
            let n_loops = components.iter().filter(|c| matches!(c, Component::Loop { .. })).count() as i64;
            // Rule 6 of the Caribou page for any board: with nothing closed, as `THEORY.md` has it.
            let surplus = (case.graph.all() - drawn).len() as i64 - case.graph.open_boxes(drawn) as i64;
            let is_movers = (surplus - n_long).rem_euclid(2) == 1;
            wins(if is_movers { case.score } else { -case.score }, [n_long, n_loops])
        },
        kind: |[n_long, n_loops]| {
            format!("with {} and {}", plural(n_long as u64, "long chain"), plural(n_loops as u64, "loop"))
        },
    },
    Statement {
        name: "nimstring",
        says: "while no box is closed, the winner of nimstring wins the boxes",
        of_nimstring: true,
        test: |case| {
            let score = if case.wins_nimstring? { case.score } else { -case.score };
            if case.is_closed { None } else { wins(score, [score, 0]) }
        },
        kind: |[score, _]| match score {
            0 => "ends in a tie".to_owned(),
            score => format!("loses by {}", -score),
        },
    },
    Statement {
        name: "v = 1 or 2",
        says: "where only long chains and loops with c < 2 are left, the controller wins them by 1 or 2",
        of_nimstring: false,
        test: |case| {
            if case.has_joint {
                return None;
            }
            let endgame = Endgame::find(case.graph, (case.drawn)())?.multiset;
            if endgame.is_empty() || controlled_value(&endgame) >= 2 {
                return None;
            }
            let v = -case.score;
            Some(if matches!(v, 1 | 2) { Ok(()) } else { Err([v, 0]) })
        },
        kind: |[v, _]| format!("v = {v}"),
    },
];
