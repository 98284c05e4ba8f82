//! Wilson's interpolation: scores at fractional last-move penalties from those at the two neighbouring integers.
//!
//! A game with penalty P/q is played in whole numbers by letting every box count q and charging P.

use super::common;

use crate::naive;
use common::start;
use dab_board::capture::closed_by;
use dab_board::{Position, Start};

/// For every position that `start` can lead to its score, and the moves that reach it as a set of undrawn lines, when
/// a box counts `worth` and the last move costs `penalty`.
fn table(start: &Position, worth: i32, penalty: i32) -> Vec<(i32, u64)> {
    let lines: Vec<usize> = start.undrawn().iter().collect();
    let full = (1 << lines.len()) - 1;
    let mut scores = vec![(-penalty, 0); full + 1];
    for s in (0..full).rev() {
        let drawn = naive::drawn_lines(start, s as u64);
        let score = |i: usize| match i32::from(closed_by(start.board().graph(), drawn, lines[i])) {
            0 => -scores[s | 1 << i].0,
            closed => worth * closed + scores[s | 1 << i].0,
        };
        let moves: Vec<(usize, i32)> = (0..lines.len()).filter(|i| s >> i & 1 == 0).map(|i| (i, score(i))).collect();
        let best = moves.iter().map(|m| m.1).max().unwrap();
        scores[s] = (best, moves.iter().filter(|m| m.1 == best).fold(0, |set, m| set | 1 << m.0));
    }
    scores
}

/// Checks every position of a board for every penalty that is a multiple of 1/`parts`, up to nimstring and beyond.
#[track_caller]
fn check(start: &Position, parts: i32) {
    let most = start.open_boxes() as i32 + 2;
    let whole: Vec<_> = (0..=most).map(|penalty| table(start, 1, penalty)).collect();
    for fine in 0..parts * most {
        let (below, part) = (fine / parts, fine % parts);
        let [low, high] = [below, below + 1].map(|penalty| &whole[penalty as usize]);
        for (s, &(score, best)) in table(start, parts, fine).iter().enumerate() {
            let told = || format!("{start} entry {s} penalty {fine}/{parts}");
            assert_eq!(low[s].0.abs_diff(high[s].0), 1, "{}", told());
            assert_eq!(score, (parts - part) * low[s].0 + part * high[s].0, "{}", told());
            if part > 0 {
                assert_eq!(best, low[s].1 & high[s].1, "{}", told());
            }
        }
    }
}

#[test]
fn narrow_boards() {
    (1..=3).for_each(|n| check(&start(1, n, Start::American), 4));
}

#[test]
fn small_boards() {
    check(&start(2, 2, Start::American), 2);
    check(&start(2, 2, Start::American), 3);
    check(&start(2, 3, Start::Icelandic), 3);
    check(&start(2, 4, Start::Swedish), 4);
    check(&start(3, 3, Start::Swedish), 2);
}
