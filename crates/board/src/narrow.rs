//! Boards of one row: boxes and triangles, open or closed.
//!
//! Lines are numbered along the row: all horizontal ones first, top before bottom, then those across. Closed boards
//! have neither top nor ends:
//! ```text
//!    open:2                closed:2            triangles:open:2         triangles:closed:2
//!    +-0-+-1-+             +---+---+               +-0-+                    +---+
//!    4 0 5 1 6             | 0 2 1 |             3 0 4 1 5 2 6            / 0 2 1 3 2 \
//!    +-2-+-3-+             +-0-+-1-+             +--1--+--2--+            +--0--+--1--+
//! ```
//! `open:N` is `1xN` by another name. Triangles are numbered from the left, those that stand on a line and those that
//! hang from one in turn: as a graph both boards are a path with one string to the ground at each coin, but where a
//! side is closed.

use std::sync::Arc;

use crate::graph::GraphString;
use crate::grid::Grid;
use crate::{Board, BoardError, BoardKind, Graph, LineIdx, MAX_LINES};

impl Board {
    /// `n` boxes in a row, the game of `1xn`; closed, its top and both ends are no lines of the board.
    ///
    /// # Errors
    /// If there are no boxes, or more than [`MAX_LINES`] lines.
    pub fn row(n: usize, closed: bool) -> Result<Arc<Self>, BoardError> {
        let kind = BoardKind::Boxes { n, closed };
        check(kind, n, |n| if closed { 2 * n - 1 } else { 3 * n + 1 })?;
        if !closed {
            return Ok(Arc::new(Grid { rows: 1, cols: n }.board(kind)));
        }
        let feet = (0..n).collect();
        Ok(Arc::new(path(kind, n, &[feet], false)))
    }

    /// A row of triangles with `n` dots on top, `n + 1` below and `2n - 1` triangles; closed, its top and both ends
    /// are no lines of the board.
    ///
    /// # Errors
    /// If there are no triangles, or more than [`MAX_LINES`] lines.
    pub fn triangles(n: usize, closed: bool) -> Result<Arc<Self>, BoardError> {
        let kind = BoardKind::Triangles { n, closed };
        check(kind, n, |n| if closed { 3 * n - 2 } else { 4 * n - 1 })?;
        let standing = (0..n).map(|i| 2 * i).collect();
        let hanging = (1..n).map(|i| 2 * i - 1).collect();
        let feet: &[Vec<usize>] = if closed { &[standing] } else { &[hanging, standing] };
        Ok(Arc::new(path(kind, 2 * n - 1, feet, !closed)))
    }
}

/// Refuses boards that are empty or have too many lines; `lines` is asked for a positive number.
fn check(kind: BoardKind, n: usize, lines: impl Fn(u128) -> u128) -> Result<(), BoardError> {
    if n == 0 {
        return Err(BoardError::EmptyRow { board: kind.to_string() });
    }
    match lines((n as u128).min(u128::from(u64::MAX))) {
        lines if lines > MAX_LINES as u128 => Err(BoardError::TooManyLines { board: kind.to_string(), lines }),
        _ => Ok(()),
    }
}

/// The board of boxes 0 to `n - 1` in a row: for each row of feet a line to the outside at every box in it, then the
/// lines across, those at both ends only if `with_ends`.
fn path(kind: BoardKind, n: usize, feet: &[Vec<usize>], with_ends: bool) -> Board {
    let mut strings: Vec<GraphString> = feet.iter().flatten().map(|&at| GraphString::new(None, Some(at), 0)).collect();
    let across = |place: usize| GraphString::new(place.checked_sub(1), (place < n).then_some(place), 0);
    let places = if with_ends { 0..n + 1 } else { 1..n };
    let n_across = places.len();
    strings.extend(places.map(across));
    // The mirror image reverses every row of lines.
    let mut mirror: Vec<LineIdx> = Vec::with_capacity(strings.len());
    for len in feet.iter().map(Vec::len).chain([n_across]) {
        let first = mirror.len();
        mirror.extend((first..first + len).rev());
    }
    let identity: Vec<LineIdx> = (0..strings.len()).collect();
    let symmetries = if mirror == identity { vec![identity] } else { vec![identity, mirror] };
    Board::new(kind, Graph::new(n, strings), symmetries, Some((0..n).map(|at| (0, at)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(board: &Result<Arc<Board>, BoardError>, name: &str, coins: usize, strings: usize) {
        let board = board.as_ref().unwrap();
        assert_eq!((board.name(), board.n_boxes(), board.n_lines()), (name, coins, strings));
        for map in board.symmetries() {
            let image = |around: crate::LineSet| around.iter().map(|line| map[line]).collect::<crate::LineSet>();
            let boxes: Vec<_> = board.graph().joints().iter().map(|joint| joint.strings).collect();
            assert!(boxes.iter().all(|&around| boxes.contains(&image(around))));
        }
    }

    #[test]
    fn sizes_of_the_paper() {
        check(&Board::row(28, true), "closed:28", 28, 55);
        check(&Board::row(1, true), "closed:1", 1, 1);
        check(&Board::row(16, false), "open:16", 16, 49);
        check(&Board::triangles(22, true), "triangles:closed:22", 43, 64);
        check(&Board::triangles(1, true), "triangles:closed:1", 1, 1);
        check(&Board::triangles(18, false), "triangles:open:18", 35, 71);
        check(&Board::triangles(1, false), "triangles:open:1", 1, 3);
    }

    #[test]
    fn an_open_row_is_a_grid() {
        assert_eq!(Board::row(5, false), Board::grid(1, 5));
        assert_ne!(Board::row(5, true), Board::grid(1, 5));
    }

    #[test]
    fn refuses_empty_and_long_rows() {
        let message = |board: Result<Arc<Board>, BoardError>| board.unwrap_err().to_string();
        assert_eq!(message(Board::row(0, true)), "board closed:0 is empty: there must be at least one box");
        assert_eq!(
            message(Board::triangles(33, false)),
            "board triangles:open:33 has 131 lines: at most 128 can be described"
        );
        assert!(Board::row(usize::MAX, false).is_err() && Board::triangles(usize::MAX, true).is_err());
        assert!(Board::row(64, true).is_ok());
    }
}
