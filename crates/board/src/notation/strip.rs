//! Pictures of rows of triangles.
//!
//! ```text
//!       +-----+-----+           top dots
//!      / \   / \   / \          lines across, in the middle between two dots
//!     +-----+-----+-----+       bottom dots
//! ```

use super::canvas::{LineState, Names, put, text};
use super::diagram::Rim;
use crate::LineIdx;
use crate::line_names::column_name;

/// The picture of a row of triangles with `n` dots on top.
pub(super) fn draw(n: usize, closed: bool, rim: Rim, state: impl Fn(LineIdx) -> LineState) -> String {
    // Lines are numbered as `Board::triangles` does: top, bottom, across; a closed board has neither top nor ends.
    let (n_top, n_ends) = if closed { (0, 0) } else { (n - 1, 1) };
    let top = |i: usize| if closed { LineState::Drawn } else { state(i) };
    let bottom = |i: usize| state(n_top + i);
    let across = |i: usize| match closed && (i == 0 || i == 2 * n - 1) {
        true => LineState::Drawn,
        false => state(n_top + n + i + n_ends - 1),
    };
    let rows = [(0..n - 1).map(top).collect::<Vec<_>>(), (0..n).map(bottom).collect()];
    let across: Vec<LineState> = (0..2 * n).map(across).collect();
    let longest = rows.iter().flatten().chain(&across).map(LineState::width).max().unwrap_or(0);
    // From a dot to the next in half steps: the label of a line across needs half of it.
    let half = (longest + 3).div_ceil(2) * 2;
    let left = across[0].width() / 2;
    let mut canvas = vec![vec![' '; left + 2 * n * half + 1 + longest]; 3];
    for (row, lines) in rows.iter().enumerate() {
        let first = left + (1 - row) * half;
        for dot in 0..=lines.len() {
            canvas[2 * row][first + 2 * half * dot] = '+';
        }
        for (i, line) in lines.iter().enumerate() {
            let at = first + 2 * half * i + 1;
            match line {
                LineState::Drawn => canvas[2 * row][at..at + 2 * half - 1].fill('-'),
                LineState::Open(label) => put(&mut canvas[2 * row], at + (2 * half - 1 - label.len()) / 2, label),
            }
        }
    }
    for (i, line) in across.iter().enumerate() {
        let at = left + half / 2 + half * i;
        match line {
            LineState::Drawn => canvas[1][at] = if i % 2 == 0 { '/' } else { '\\' },
            LineState::Open(label) => put(&mut canvas[1], at - label.len() / 2, label),
        }
    }
    text(&match rim {
        Rim::Bare => canvas,
        Rim::Names => {
            let dots = |first: usize, n: usize| (0..n).map(|i| (first + 2 * half * i, column_name(i))).collect();
            let rows = vec![(0, "2".to_owned()), (2, "1".to_owned())];
            Names { rows, above: dots(left + half, n), below: dots(left, n + 1) }.around(canvas)
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::notation::{Rim, diagram, parse};

    #[track_caller]
    fn check(compact: &str, label: &str, expect: &[&str]) {
        let picture = diagram::draw(&parse(compact).unwrap(), Rim::Bare, |_| Some(label.to_owned()));
        assert_eq!(picture.lines().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn draws() {
        check("triangles:open:2:7f", "", &["    +-------+", "  /   \\   /   \\", "+-------+-------+"]);
        check("triangles:open:2:0", "0", &["    +   0   +", "  0   0   0   0", "+   0   +   0   +"]);
        check(
            "triangles:closed:2:0",
            "-1*",
            &["      +-----------+", "   /    -1*   -1*    \\", "+    -1*    +    -1*    +"],
        );
        check("triangles:closed:1:0", "1", &["    +", "  /   \\", "+   1   +"]);
        let named = diagram::draw(&parse("triangles:open:2:1f").unwrap(), Rim::Names, |_| None);
        let expect = ["      a       b", "2     +-------+", "    /   \\", "1 +-------+-------+", "  a       b       c"];
        assert_eq!(named.lines().collect::<Vec<_>>(), expect);
    }
}
