//! What a move does to the score of the position it leads to.

use dab_board::Score;
use dab_board::capture::Decline;
use dab_board::quiet::QuietMove;

/// The score of a move as a function of the score `x` after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Op {
    /// `-k - x`: a safe line, or `k` boxes opened that must all be taken.
    Take(Score),
    /// `min(-k - x, -k + 2h + x)`: `k` boxes opened of which `h` may be declined; holds `k` and `2h - k`.
    Decline(Score, Score),
    /// `c + x`: `c` boxes captured.
    Capture(Score),
}

impl Op {
    /// The operation of a move of the quiet space.
    pub(crate) fn of(quiet_move: QuietMove) -> Self {
        let opened = quiet_move.boxes as Score;
        match quiet_move.decline {
            Decline::None => Self::Take(opened),
            decline => Self::Decline(opened, 2 * decline.boxes() as Score - opened),
        }
    }

    /// The operation of drawing one line that closes some boxes, in the full space.
    pub(crate) fn of_line(closed: usize) -> Self {
        if closed > 0 { Self::Capture(closed as Score) } else { Self::Take(0) }
    }

    /// Raises each score to that of the move, if it is better.
    #[inline(always)]
    pub(crate) fn raise(self, scores: &mut [Score], after: &[Score]) {
        let pairs = scores.iter_mut().zip(after);
        match self {
            Self::Take(k) => pairs.for_each(|(score, &x)| *score = (*score).max((-k).wrapping_sub(x))),
            Self::Decline(k, back) => pairs.for_each(|(score, &x)| {
                *score = (*score).max((-k).wrapping_sub(x).min(back.wrapping_add(x)));
            }),
            Self::Capture(c) => pairs.for_each(|(score, &x)| *score = (*score).max(c.wrapping_add(x))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_board::LineSet;

    #[test]
    fn agrees_with_the_rules() {
        for decline in [Decline::None, Decline::Two, Decline::Four] {
            for boxes in decline.boxes()..=16 {
                let m = QuietMove { boxes, decline, after: LineSet::EMPTY };
                for x in -40..=40 {
                    let mut score = [Score::MIN];
                    Op::of(m).raise(&mut score, &[x]);
                    assert_eq!(score[0], m.score(x), "{m:?} {x}");
                }
            }
        }
    }
}
