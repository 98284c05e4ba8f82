//! Bounds of scores, and windows in which a score has to be known.

use dab_board::capture::Decline;

/// A score lies from `low` to `high`. Both have the parity that the score has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) low: i8,
    pub(crate) high: i8,
}

impl Bounds {
    /// Bounds of a score that is known.
    pub(crate) fn exactly(score: i8) -> Self {
        Self { low: score, high: score }
    }

    /// Whether the bounds give the score exactly, or tell that it is at most `alpha` or at least `beta`.
    pub(crate) fn decide(self, alpha: i8, beta: i8) -> bool {
        self.low >= beta || self.high <= alpha || self.low == self.high
    }

    /// Bounds of the score of a move that lets the opponent capture `boxes`, from those of the position it leads to.
    ///
    /// With `after` the score of the position after the move, the score of the move is -(boxes + after), or
    /// -(boxes - h + |after + h|) if h boxes can be declined.
    pub(crate) fn of_move(self, boxes: i8, decline: Decline) -> Self {
        if decline == Decline::None {
            return Self { low: -boxes - self.high, high: -boxes - self.low };
        }
        let handout = decline.boxes() as i8;
        let ends = [self.low + handout, self.high + handout];
        let most = ends[0].abs().max(ends[1].abs());
        // The least distance that parity allows, if the score may lie on either side.
        let least = if ends[0] <= 0 && ends[1] >= 0 { ends[0] & 1 } else { ends[0].abs().min(ends[1].abs()) };
        Self { low: -(boxes - handout + most), high: -(boxes - handout + least) }
    }
}

/// The window in which the score of the position after a move has to be known, so that the score of the move is known
/// between `alpha` and `beta`.
pub(crate) fn window_after(boxes: i8, decline: Decline, alpha: i8, beta: i8) -> (i8, i8) {
    let keep = match decline {
        Decline::None => -boxes - beta,
        // Leaving boxes to the opponent is another way for him to hold the move down to alpha.
        _ => boxes - 2 * decline.boxes() as i8 + alpha,
    };
    (keep, -boxes - alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The score of a move by the rule for runs.
    fn score(boxes: i8, decline: Decline, after: i8) -> i8 {
        -decline.score(boxes as u8, dab_board::Score(after)).0
    }

    #[test]
    fn bounds_are_those_of_all_scores_between() {
        for (decline, boxes) in [(Decline::None, 0), (Decline::None, 2), (Decline::Two, 3), (Decline::Four, 6)] {
            for low in -9..9 {
                for high in (low..10).step_by(2) {
                    let scores = (low..=high).step_by(2).map(|after| score(boxes, decline, after));
                    let expected = Bounds { low: scores.clone().min().unwrap(), high: scores.max().unwrap() };
                    assert_eq!(
                        Bounds { low, high }.of_move(boxes, decline),
                        expected,
                        "{boxes} {decline:?} {low} {high}"
                    );
                }
            }
        }
    }

    #[test]
    fn outside_the_window_a_move_does_not_reach_alpha() {
        for (decline, boxes) in [(Decline::None, 1), (Decline::Two, 3), (Decline::Two, 5), (Decline::Four, 4)] {
            for alpha in -8..8 {
                for beta in alpha + 1..9 {
                    let (from, to) = window_after(boxes, decline, alpha, beta);
                    for after in -20..20 {
                        let score = score(boxes, decline, after);
                        match decline {
                            Decline::None => assert_eq!((after > from, after < to), (score < beta, score > alpha)),
                            _ => assert_eq!(after > from && after < to, score > alpha),
                        }
                    }
                }
            }
        }
    }
}
