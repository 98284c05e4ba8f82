//! Pictures of rectangles of boxes.
//!
//! ```text
//!    +---+   +      a dot in every corner, lines drawn between them
//!    |   |   2      an open line carries its label in its place
//!    +---+-1-+
//! ```

use super::canvas::{LineState, put, text};
use crate::LineIdx;
use crate::board::GridShape;

/// The picture of a grid whose lines look as `state` says.
pub(super) fn draw(grid: GridShape, state: impl Fn(LineIdx) -> LineState) -> String {
    let GridShape { rows, cols } = grid;
    let lines: Vec<LineState> = (0..grid.vertical(rows, 0)).map(state).collect();
    let longest = lines.iter().map(LineState::width).max().unwrap_or(0);
    // A blank on both sides of a label tells it from the dots.
    let inside = longest.max(1) + 2;
    // Labels of vertical lines lie across them, those on the left side partly outside the board.
    let left = (0..rows).map(|r| lines[grid.vertical(r, 0)].width() / 2).max().unwrap_or(0);
    let column = |c: usize| left + c * (inside + 1);
    let mut canvas = vec![vec![' '; column(cols) + 1 + longest]; 2 * rows + 1];
    for (r, c) in (0..=rows).flat_map(|r| (0..=cols).map(move |c| (r, c))) {
        let at = column(c);
        canvas[2 * r][at] = '+';
        if c < cols {
            match &lines[grid.horizontal(r, c)] {
                LineState::Drawn => canvas[2 * r][at + 1..=at + inside].fill('-'),
                LineState::Open(label) => put(&mut canvas[2 * r], at + 1 + (inside - label.len()).div_ceil(2), label),
            }
        }
        if r < rows {
            match &lines[grid.vertical(r, c)] {
                LineState::Drawn => canvas[2 * r + 1][at] = '|',
                LineState::Open(label) => put(&mut canvas[2 * r + 1], at - label.len() / 2, label),
            }
        }
    }
    text(&canvas)
}
