//! The worth of a move as a function of the value of the position that it leads to.
//!
//! ```text
//!                                          score               score with mark, 4s + m with m = 0, 1, 2
//!    k boxes that must all be taken        -k - x              (2 - 4k) - x
//!    h of them may be declined             min(-k - x,         min((2 - 4k) - x, 4(2h - k) + x) & !3
//!                                              2h - k + x)
//! ```
//! Turning `4s + m` to the opponent gives `2 - (4s + m)`: the score and the mark change sides. Opening boxes of which some may be
//! declined is a loony move, so its mark is that of the mover, whatever comes after it: 0.

use dab_board::capture::Decline;
use dab_board::quiet::QuietMove;
use dab_space::Rules;

use super::tile::Lane;

/// The value of a move as a function of the value `x` after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Op {
    /// `-k - x`: a safe line, or `k` boxes opened that must all be taken.
    Take(i8),
    /// `min(-k - x, -k + 2h + x)`: `k` boxes opened of which `h` may be declined; holds `k` and `2h - k`.
    Decline(i8, i8),
    /// As `Decline`, with a mark, which is that of a loony move.
    Loony(i8, i8),
    /// `c + x`: `c` boxes captured.
    Capture(i8),
}

impl Op {
    /// The operation of a move of the quiet space.
    pub(crate) fn new(quiet_move: QuietMove, rules: Rules) -> Self {
        let (opened, declined) = (quiet_move.boxes as i8, quiet_move.decline.boxes() as i8);
        let back = 2 * declined - opened;
        match (quiet_move.decline, rules.marks) {
            (Decline::None, false) => Self::Take(opened),
            (Decline::None, true) => Self::Take(4 * opened - 2),
            (_, false) => Self::Decline(opened, back),
            (_, true) => Self::Loony(4 * opened - 2, 4 * back),
        }
    }

    /// The operation of drawing one line that closes some boxes, in the full space.
    pub(crate) fn line(closed: u8) -> Self {
        if closed > 0 { Self::Capture(closed as i8) } else { Self::Take(0) }
    }

    /// Max-assigns each score to that of the move.
    #[inline(always)]
    pub(crate) fn max_assign(self, scores: &mut [i8], after: &[i8]) {
        match self {
            Self::Take(k) => zip(scores, after, |x| (-k).wrapping_sub(x)),
            Self::Decline(k, back) => zip(scores, after, |x| (-k).wrapping_sub(x).min(back.wrapping_add(x))),
            Self::Loony(k, back) => zip(scores, after, |x| (-k).wrapping_sub(x).min(back.wrapping_add(x)) & !3),
            Self::Capture(c) => zip(scores, after, |x| c.wrapping_add(x)),
        }
    }

    /// Max-assigns lane `i` of `best` to the move with lane `map[i]` of `after`, but to no more than `limit`, place by place.
    #[inline(always)]
    pub(crate) fn max_assign_lanes(self, best: &mut [Lane], after: &[Lane], map: &[u32], limit: &Lane) {
        match self {
            Self::Take(k) => lanes(best, after, map, limit, |x| (-k).wrapping_sub(x)),
            Self::Decline(k, back) => {
                lanes(best, after, map, limit, |x| (-k).wrapping_sub(x).min(back.wrapping_add(x)));
            }
            Self::Loony(k, back) => {
                lanes(best, after, map, limit, |x| (-k).wrapping_sub(x).min(back.wrapping_add(x)) & !3);
            }
            Self::Capture(c) => lanes(best, after, map, limit, |x| c.wrapping_add(x)),
        }
    }
}

#[inline(always)]
fn lanes(best: &mut [Lane], after: &[Lane], map: &[u32], limit: &Lane, f: impl Fn(i8) -> i8 + Copy) {
    for (best, &at) in best.iter_mut().zip(map) {
        let places = best.0.iter_mut().zip(&after[at as usize].0).zip(&limit.0);
        places.for_each(|((best, &x), &limit)| *best = (*best).max(f(x).min(limit)));
    }
}

/// Max-assigns `scores[i]` to `f(after[i])`. A remainder that fills no vector is done together with scores that were done
/// before: doing it twice does no harm, and most runs are short.
#[inline(always)]
fn zip(scores: &mut [i8], after: &[i8], f: impl Fn(i8) -> i8 + Copy) {
    let n = scores.len();
    let after = &after[..n];
    if n >= 64 {
        chunks::<64>(scores, after, f);
    } else if n >= 16 {
        chunks::<16>(scores, after, f);
    } else if n >= 4 {
        chunks::<4>(scores, after, f);
    } else {
        scores.iter_mut().zip(after).for_each(|(score, &x)| *score = (*score).max(f(x)));
    }
}

#[inline(always)]
fn chunks<const N: usize>(scores: &mut [i8], after: &[i8], f: impl Fn(i8) -> i8 + Copy) {
    let n = scores.len();
    for at in (0..n / N * N).step_by(N) {
        chunk::<N>(&mut scores[at..], &after[at..], f);
    }
    if !n.is_multiple_of(N) {
        chunk::<N>(&mut scores[n - N..], &after[n - N..], f);
    }
}

/// Max-assigns the first `N` scores. As a closure in `chunks`, this was called out of line, without the vectors of the caller.
#[inline(always)]
fn chunk<const N: usize>(scores: &mut [i8], after: &[i8], f: impl Fn(i8) -> i8) {
    for (score, &x) in scores[..N].iter_mut().zip(&after[..N]) {
        *score = (*score).max(f(x));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_board::{LineSet, Score};
    use dab_space::Mark;

    #[test]
    fn raises_every_length() {
        for n in 0..200 {
            let after: Vec<i8> = (0..n).map(|i| (i * 37 % 61) as i8 - 30).collect();
            let mut scores: Vec<i8> = (0..n).map(|i| (i * 17 % 41) as i8 - 20).collect();
            let expected: Vec<i8> =
                scores.iter().zip(&after).map(|(&score, &x)| score.max((-3 - x).min(1 + x))).collect();
            Op::Decline(3, 1).max_assign(&mut scores, &after);
            assert_eq!(scores, expected);
        }
    }

    #[test]
    fn agrees_with_the_rules() {
        for decline in [Decline::None, Decline::Two, Decline::Four] {
            for boxes in decline.boxes()..=16 {
                let m = QuietMove { boxes, decline, after: LineSet::EMPTY };
                for x in -40..=40 {
                    let mut score = [i8::MIN];
                    Op::new(m, Rules::default()).max_assign(&mut score, &[x]);
                    assert_eq!(score[0], m.score(Score(x)).0, "{m:?} {x}");
                }
            }
        }
    }

    /// Up to the greatest boxes and scores that values with marks allow.
    #[test]
    fn agrees_with_the_rules_of_marks() {
        let rules = Rules { marks: true, penalty: 0 };
        for decline in [Decline::None, Decline::Two, Decline::Four] {
            for boxes in decline.boxes()..=31 {
                let m = QuietMove { boxes, decline, after: LineSet::EMPTY };
                for x in boxes as i8 - 31..=31 - boxes as i8 {
                    for mark in [Mark::Mover, Mark::Nobody, Mark::Opponent] {
                        let mut value = [i8::MIN];
                        Op::new(m, rules).max_assign(&mut value, &[rules.value(Score(x), mark)]);
                        let expected = if decline == Decline::None { -mark } else { Mark::Mover };
                        assert_eq!(value[0], rules.value(m.score(Score(x)), expected), "{m:?} {x} {mark:?}");
                    }
                }
            }
        }
    }
}
