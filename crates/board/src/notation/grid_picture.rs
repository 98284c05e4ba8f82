//! Pictures of rectangles of boxes.
//!
//! ```text
//!    +---+   +      a dot in every corner, lines drawn between them
//!    |   |   2      an open line carries its label in its place
//!    +---+-1-+
//!    a   b   c      the names of dots, if they are wanted: letters below, numbers in front
//! ```

use super::canvas::{LineState, Names, put, text};
use super::diagram::Rim;
use crate::LineIdx;
use crate::grid::Grid;
use crate::line_names::column_name;

/// The picture of a grid whose lines look as `state` says.
pub(super) fn draw(grid: Grid, rim: Rim, state: impl Fn(LineIdx) -> LineState) -> String {
    let Grid { rows, cols } = grid;
    let lines: Vec<LineState> = (0..grid.n_lines()).map(state).collect();
    let longest = lines.iter().map(LineState::width).max().unwrap_or(0);
    // A blank on both sides of a label tells it from the dots.
    let inside = longest.max(1) + 2;
    // Labels of vertical lines lie across them, those on the left side partly outside the board.
    let on_left = lines.iter().enumerate().filter(|&(line, _)| grid.place_of(line).1 == 0);
    let left = on_left.map(|(_, state)| state.width() / 2).max().unwrap_or(0);
    let column = |c: usize| left + c * (inside + 1);
    let mut canvas = vec![vec![' '; column(cols) + 1 + longest]; 2 * rows + 1];
    for (r, c) in (0..=rows).flat_map(|r| (0..=cols).map(move |c| (r, c))) {
        canvas[2 * r][column(c)] = '+';
    }
    for (line, state) in lines.iter().enumerate() {
        let (i, j) = grid.place_of(line);
        let at = column(j / 2);
        match state {
            LineState::Drawn if i % 2 == 0 => canvas[i][at + 1..=at + inside].fill('-'),
            LineState::Drawn => canvas[i][at] = '|',
            LineState::Open(label) if i % 2 == 0 => {
                put(&mut canvas[i], at + 1 + (inside - label.len()).div_ceil(2), label)
            }
            LineState::Open(label) => put(&mut canvas[i], at - label.len() / 2, label),
        }
    }
    text(&match rim {
        Rim::Bare => canvas,
        Rim::Names => {
            let rows = (0..=rows).map(|r| (2 * r, (rows + 1 - r).to_string())).collect();
            let below = (0..=cols).map(|c| (column(c), column_name(c))).collect();
            Names { rows, below, above: Vec::new() }.around(canvas)
        }
    })
}
