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

use crate::dots::{dot_name, sides};
use crate::{Board, BoardKind, LineIdx};

/// The ground in the name of a string.
const GROUND: &str = "ground";

impl Board {
    /// The name of every line, such as `a1-b1`.
    pub(crate) fn line_names(&self) -> &[String] {
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
    let bare = bare_names(board);
    let nth = |line: LineIdx| 1 + bare[..line].iter().filter(|earlier| **earlier == bare[line]).count();
    let name = |line: LineIdx| match nth(line) {
        1 => bare[line].clone(),
        nth => format!("{}#{nth}", bare[line]),
    };
    (0..bare.len()).map(name).collect()
}

/// The name of every line; strings with the same ends share theirs.
fn bare_names(board: &Board) -> Vec<String> {
    if board.kind != BoardKind::Graph {
        let lines = sides(board.kind).into_iter().filter(|side| side.line.is_some());
        return lines.map(|side| side.dots.map(dot_name).join("-")).collect();
    }
    let name = |end: Option<usize>| end.map_or(GROUND, |coin| &board.coins()[coin]);
    // The ground sorts first among ends, and is named last.
    let ends = board.graph.strings().iter().map(|string| match string.ends {
        [None, coin] => [coin, None],
        ends => ends,
    });
    ends.map(|ends| ends.map(name).join("-")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column_name;
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
