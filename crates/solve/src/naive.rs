//! The oracle: every subset of the undrawn lines, one line at a time, in one table of bytes.
//!
//! Knows nothing of chains, runs, groups or symmetries. For small boards and tests only.

use dab_board::{LineSet, Position, Score};

/// Most undrawn lines that the table is made for: one byte for each of their subsets.
pub(crate) const MAX_LINES: usize = 32;

/// The score of every position that `start` can lead to: entry `s` is the position in which, for every set bit `i`
/// of `s`, the `i`-th undrawn line of the start (ascending) has been drawn in addition.
///
/// # Panics
/// If more than 32 lines are undrawn.
pub fn table(start: &Position, penalty: i8) -> Vec<Score> {
    let lines: Vec<usize> = start.undrawn().iter().collect();
    assert!(lines.len() <= MAX_LINES, "{} undrawn lines", lines.len());
    let graph = start.board().graph();
    // For each undrawn line the boxes that it may close: the other undrawn lines around them.
    let others: Vec<Vec<u64>> = lines
        .iter()
        .map(|&line| {
            let ends = graph.strings()[line].ends.into_iter().flatten();
            ends.map(|joint| subset(&lines, (graph.joints()[joint].strings - start.drawn()) - LineSet::one(line)))
                .collect()
        })
        .collect();
    let full = (1u64 << lines.len()) - 1;
    let mut scores = vec![Score(-penalty); full as usize + 1];
    for drawn in (0..full).rev() {
        let mut best = Score::MIN;
        for (i, others) in others.iter().enumerate().filter(|(i, _)| drawn >> i & 1 == 0) {
            let after = scores[(drawn | 1 << i) as usize];
            let closed = others.iter().filter(|&&other| other & !drawn == 0).count() as u8;
            best = best.max(if closed > 0 { closed + after } else { -after });
        }
        scores[drawn as usize] = best;
    }
    scores
}

/// The position of a table entry.
pub fn drawn_lines(start: &Position, entry: u64) -> LineSet {
    let drawn = start.undrawn().iter().enumerate().filter(|(i, _)| entry >> i & 1 == 1);
    drawn.fold(start.drawn(), |drawn, (_, line)| drawn.with(line))
}

/// Which of `lines` belong to `set`, by their place.
fn subset(lines: &[usize], set: LineSet) -> u64 {
    lines.iter().enumerate().filter(|(_, line)| set.has(**line)).fold(0, |bits, (i, _)| bits | 1 << i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(position: &str, penalty: i8, score: i8) {
        assert_eq!(table(&position.parse().unwrap(), penalty)[0].0, score);
    }

    #[test]
    fn small_boards() {
        check("1x1:0", 0, -1);
        check("1x2:0", 0, 0);
        check("2x2:0", 0, 2);
        check("2x3:0", 0, -2);
        check("1x1:0", 100, 99);
    }

    #[test]
    fn positions_that_wrong_rules_get_wrong() {
        check("2x3:1b654", 0, -2);
        check("2x3:1fa91", 0, 1);
        check("2x3:1b2c5", 0, -2);
        check("3x3:dd961e", 0, -1);
    }
}
