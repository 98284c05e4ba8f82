//! Boards of dots: the two dots that each line joins, from which its name and its place in pictures follow.
//!
//! ```text
//!    2 +   +   +         2     +---+        Columns of dots count from the left, rows from the bottom.
//!    1 +---+   +              / \ / \       Rows of triangles have one dot less on top.
//!      a   b   c         1   +---+---+      A closed row has walls in place of lines: its top and both ends.
//! ```

use crate::grid::Grid;
use crate::{BoardKind, LineIdx};

/// Row, from 0 at the bottom, and column of a dot.
pub(crate) type Dot = (usize, usize);

/// A line of a board of dots, or a wall of a closed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// The dots that it joins, the lower and then the left one first.
    pub(crate) dots: [Dot; 2],
    /// The line that it is; `None` for a wall.
    pub(crate) line: Option<LineIdx>,
}

/// The lines and walls of a board, lines in their order; nothing for a graph, which has no dots.
pub(crate) fn sides(kind: BoardKind) -> Vec<Side> {
    let (dots, n_top, closed): (Vec<[Dot; 2]>, usize, bool) = match kind {
        BoardKind::Grid { rows, cols } => (grid_dots(Grid { rows, cols }), 0, false),
        BoardKind::Boxes { n, closed } => (grid_dots(Grid { rows: 1, cols: n }), n, closed),
        BoardKind::Triangles { n, closed } => (triangle_dots(n), n - 1, closed),
        BoardKind::Graph => return Vec::new(),
    };
    let first_across = dots.iter().position(|[a, b]| a.0 != b.0);
    let is_wall = |i: usize| closed && (i < n_top || Some(i) == first_across || i + 1 == dots.len());
    let mut lines = 0..;
    let line = |i: usize| if is_wall(i) { None } else { lines.next() };
    (0..dots.len()).map(line).zip(&dots).map(|(line, &dots)| Side { dots, line }).collect()
}

fn grid_dots(grid: Grid) -> Vec<[Dot; 2]> {
    let dots = |line| {
        let mut dots = grid.dots_of(line).map(|(r, c)| (grid.rows - r, c));
        dots.sort_unstable();
        dots
    };
    (0..grid.n_lines()).map(dots).collect()
}

/// The top, the bottom, then the lines across from the left: up to a top dot, down from it, and so on.
fn triangle_dots(n: usize) -> Vec<[Dot; 2]> {
    let along = |row: usize, n: usize| (0..n).map(move |c| [(row, c), (row, c + 1)]);
    let across = (0..2 * n).map(|i: usize| [(0, i.div_ceil(2)), (1, i / 2)]);
    along(1, n - 1).chain(along(0, n)).chain(across).collect()
}

/// The name of a dot.
pub(crate) fn dot_name((row, column): Dot) -> String {
    format!("{}{}", column_name(column), row + 1)
}

/// The letters of a column of dots, counted from 0: `a` to `z`, then `aa`.
pub fn column_name(column: usize) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    match column {
        0..26 => letter(column).to_string(),
        _ => column_name(column / 26 - 1) + &letter(column % 26).to_string(),
    }
}
