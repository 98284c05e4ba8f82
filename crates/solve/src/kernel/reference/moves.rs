//! The moves of a position, and what they are worth.

use dab_board::LineSet;
use dab_board::capture::closed_by;
use dab_board::quiet::{self, QuietMove};
use dab_space::{Space, SpaceKind};

/// The choice of the opponent after a move that leads to a position of score x. The turn passes to him, which is worth
/// `passed - x` to the player who moved, or comes back to that player, which is worth `kept + x`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    passed: i16,
    kept: i16,
}

impl Outcome {
    /// Worth more than any score: not to be chosen.
    const NEVER: i16 = 1_000;

    /// Of a move in the quiet space: he takes everything and moves on, or declines if he can.
    fn of_run(m: QuietMove) -> Self {
        let (boxes, declined) = (i16::from(m.boxes), i16::from(m.decline.boxes()));
        Self { passed: -boxes, kept: if declined > 0 { 2 * declined - boxes } else { Self::NEVER } }
    }

    /// Of a line that closes boxes, and so keeps the turn, or closes none.
    fn of_line(closed: u8) -> Self {
        match closed {
            0 => Self { passed: 0, kept: Self::NEVER },
            _ => Self { passed: Self::NEVER, kept: closed.into() },
        }
    }

    /// Worth of the move, `after` being the score of the position it leads to.
    #[inline]
    pub(super) fn score(self, after: i8) -> i8 {
        (self.passed - i16::from(after)).min(self.kept + i16::from(after)) as i8
    }
}

/// Calls `visit` with every move that fills a unit of `through`, or with every move: the units filled afterwards, and
/// the outcome. Returns the units that were looked at: the same moves fill the same units wherever these are open or
/// filled as here.
pub(super) fn for_each_move(
    space: &Space,
    here: LineSet,
    through: Option<LineSet>,
    mut visit: impl FnMut(LineSet, Outcome),
) -> LineSet {
    let graph = &space.layout().partition().graph;
    let run = |m: QuietMove| visit(m.after, Outcome::of_run(m));
    match (space.kind(), through) {
        (SpaceKind::Quiet, Some(through)) => quiet::for_each_move_through(graph, here, through, run),
        (SpaceKind::Quiet, None) => {
            quiet::for_each_move(graph, here, run);
            graph.all()
        }
        (SpaceKind::Full, _) => {
            let through = through.unwrap_or(graph.all());
            for line in (through - here).iter() {
                visit(here.with(line), Outcome::of_line(closed_by(graph, here, line)));
            }
            graph.around(through)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_board::Score;
    use dab_board::capture::Decline;

    #[test]
    fn outcomes_are_worth_what_the_rules_say() {
        for after in -60..=60 {
            for decline in [Decline::None, Decline::Two, Decline::Four] {
                for boxes in decline.boxes()..40 {
                    let m = QuietMove { boxes, decline, after: LineSet::EMPTY };
                    assert_eq!(Outcome::of_run(m).score(after), m.score(Score(after)).0, "{m:?}, then {after}");
                }
            }
            let scores = [0, 1, 2].map(|closed| Outcome::of_line(closed).score(after));
            assert_eq!(scores, [-after, 1 + after, 2 + after]);
        }
    }
}
