//! Names of lines, as people say them: the two dots that a line joins, or the two coins of a string.
//!
//! ```text
//!    2 +   +   +     a1-b1    Columns of dots are lettered from the left, rows of dots numbered from the bottom.
//!    1 +---+   +              The lower dot is named first, the left one of two in a row.
//!      a   b   c
//!    x---y           x-y      A string is named by its coins, in the order of the file, or by its coin and the ground:
//!    |               x-z      x-ground. Where several have the same name, the second one is x-y#2.
//!    z
//! ```
//! Rows of triangles have the dots `a1`, `b1`, ... below and `a2`, `b2`, ... on top. Behind `z` columns are `aa`, `ab`, ...
//! Every line has a name of its own.

use crate::grid::Grid;
use crate::{Board, BoardKind, LineIdx};

/// The ground in the name of a string.
const GROUND: &str = "ground";

/// Row and column of a dot, both from 0, rows from the bottom.
type Dot = (usize, usize);

impl Board {
    /// The name of every line, such as `a1-b1`.
    pub fn line_names(&self) -> &[String] {
        self.line_names.get_or_init(|| names(self))
    }

    /// The name of a line.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn line_name(&self, line: LineIdx) -> &str {
        &self.line_names()[line]
    }

    /// The line of a name; its two ends may come in either order.
    pub fn line_named(&self, name: &str) -> Option<LineIdx> {
        let find = |name: &str| self.line_names().iter().position(|known| known == name);
        let swapped = || {
            let dashes = name.match_indices('-').map(|(at, _)| at);
            dashes.filter_map(|at| find(&format!("{}-{}", &name[at + 1..], &name[..at]))).next()
        };
        find(name).or_else(swapped)
    }
}

fn names(board: &Board) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(board.n_lines());
    let mut bare: Vec<String> = Vec::with_capacity(board.n_lines());
    for line in 0..board.n_lines() {
        let name = bare_name(board, line);
        let nth = 1 + bare.iter().filter(|earlier| **earlier == name).count();
        names.push(if nth == 1 { name.clone() } else { format!("{name}#{nth}") });
        bare.push(name);
    }
    names
}

/// The name of a line, which strings with the same ends share.
fn bare_name(board: &Board, line: LineIdx) -> String {
    let between = |[a, b]: [Dot; 2]| {
        // The dots as row and column, so that the lower and then the left one comes first.
        let [first, second] = if a <= b { [a, b] } else { [b, a] };
        format!("{}-{}", dot_name(first), dot_name(second))
    };
    match board.kind {
        BoardKind::Grid { rows, cols } => between(on_grid(Grid { rows, cols }, line)),
        BoardKind::Boxes { n, closed: false } => between(on_grid(Grid { rows: 1, cols: n }, line)),
        // Neither the top nor the ends of a closed row are lines.
        BoardKind::Boxes { n, closed: true } => {
            let grid = Grid { rows: 1, cols: n };
            between(on_grid(grid, if line < n { line + n } else { line + n + 1 }))
        }
        BoardKind::Triangles { n, closed } => between(on_triangles(n, closed, line)),
        BoardKind::Graph => match board.graph.strings()[line].ends.map(|end| end.map(|coin| &board.coins()[coin])) {
            [Some(a), Some(b)] => format!("{a}-{b}"),
            [None, Some(coin)] | [Some(coin), None] => format!("{coin}-{GROUND}"),
            [None, None] => format!("{GROUND}-{GROUND}"),
        },
    }
}

fn on_grid(grid: Grid, line: LineIdx) -> [Dot; 2] {
    grid.dots_of(line).map(|(r, c)| (grid.rows - r, c))
}

/// Lines are numbered as [`Board::triangles`] does: top, bottom, across; a closed board has neither top nor ends.
fn on_triangles(n: usize, closed: bool, line: LineIdx) -> [Dot; 2] {
    let (n_top, n_ends) = if closed { (0, 0) } else { (n - 1, 1) };
    if line < n_top {
        return [(1, line), (1, line + 1)];
    }
    if line < n_top + n {
        return [(0, line - n_top), (0, line - n_top + 1)];
    }
    // Across from the left: up to a top dot, down from it, and so on.
    let across = line - n_top - n + 1 - n_ends;
    [(0, across.div_ceil(2)), (1, across / 2)]
}

/// The name of a dot in a row, from 0 at the bottom, and a column.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[track_caller]
    fn check(board: &Arc<Board>, expect: &[&str]) {
        assert_eq!(board.line_names(), expect, "{}", board.name());
        for (line, name) in board.line_names().iter().enumerate() {
            assert_eq!(board.line_named(name), Some(line), "{name}");
        }
    }

    #[test]
    fn by_dots() {
        check(&Board::grid(1, 2).unwrap(), &["a2-b2", "b2-c2", "a1-b1", "b1-c1", "a1-a2", "b1-b2", "c1-c2"]);
        check(&Board::row(2, false).unwrap(), &["a2-b2", "b2-c2", "a1-b1", "b1-c1", "a1-a2", "b1-b2", "c1-c2"]);
        check(&Board::row(2, true).unwrap(), &["a1-b1", "b1-c1", "b1-b2"]);
        let open = ["a2-b2", "a1-b1", "b1-c1", "a1-a2", "b1-a2", "b1-b2", "c1-b2"];
        check(&Board::triangles(2, false).unwrap(), &open);
        check(&Board::triangles(2, true).unwrap(), &["a1-b1", "b1-c1", "b1-a2", "b1-b2"]);
        assert_eq!(Board::grid(1, 2).unwrap().line_named("b2-a2"), Some(0));
        assert_eq!(Board::grid(1, 2).unwrap().line_named("a2-c2"), None);
    }

    #[test]
    fn by_coins() {
        let file = "coin a\ncoin b\ncoin a-b\nstring a b\nstring b a\nstring ground b\nstring a a-b\nstring b a-b";
        let board = Board::from_graph_file("test", file).unwrap();
        check(&board, &["a-b", "a-b#2", "b-ground", "a-a-b", "b-a-b"]);
        assert_eq!((board.line_named("b-a"), board.line_named("ground-b")), (Some(0), Some(2)));
        assert_eq!(board.line_named("a-b-b"), Some(4));
    }

    #[test]
    fn every_name_is_unique() {
        let boards = ["5x5", "1x42", "7x7", "open:42", "closed:64", "triangles:open:32", "triangles:closed:42"];
        for board in boards.map(|name| Board::parse(name).unwrap()) {
            let mut names = board.line_names().to_vec();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), board.n_lines(), "{}", board.name());
        }
        assert_eq!([0, 25, 26, 51, 52].map(column_name), ["a", "z", "aa", "az", "ba"]);
    }
}
