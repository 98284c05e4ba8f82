//! Rectangles of boxes: the numbers of their lines, and the lattice on which dots, lines and boxes alternate.
//!
//! ```text
//!          0   1   2   3   4           (even, even)  a dot
//!      0   +---0---+---1---+           (even, odd)   a horizontal line
//!      1   6  box  7  box  8           (odd, even)   a vertical line
//!      2   +---2---+---3---+           (odd, odd)    a box
//! ```
//! The line between two neighbouring dots is at the sum of their coordinates, which is how most notations name it.

use std::sync::Arc;

use crate::graph::GraphString;
use crate::{Board, BoardError, BoardKind, Graph, LineIdx, LineSet, MAX_LINES, Start};

/// Rows and columns of the boxes of a rectangle.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

impl Grid {
    /// The grid of a board whose lines are those of a rectangle.
    pub(crate) fn from_kind(kind: BoardKind) -> Option<Self> {
        match kind {
            BoardKind::Grid { rows, cols } => Some(Self { rows, cols }),
            BoardKind::Boxes { n, closed: false } => Some(Self { rows: 1, cols: n }),
            BoardKind::Boxes { .. } | BoardKind::Triangles { .. } | BoardKind::Graph => None,
        }
    }

    /// The grid as a board of the given kind.
    pub(crate) fn board(self, kind: BoardKind) -> Board {
        let Self { rows, cols } = self;
        let inside = |(r, c): (usize, usize)| {
            ((1..=rows).contains(&r) && (1..=cols).contains(&c)).then(|| (r - 1) * cols + c - 1)
        };
        let strings = (0..self.n_lines()).map(|line| {
            let [a, b] = self.boxes_of(line).map(inside);
            GraphString::new(a, b, 0)
        });
        let places = (0..rows * cols).map(|at| (at / cols, at % cols)).collect();
        Board::new(kind, Graph::new(rows * cols, strings.collect()), self.symmetries(), Some(places))
    }

    /// Number of lines.
    pub(crate) fn n_lines(self) -> usize {
        2 * self.rows * self.cols + self.rows + self.cols
    }

    /// The line at row `i` and column `j` of the lattice.
    pub(crate) fn line_at(self, i: usize, j: usize) -> Option<LineIdx> {
        match (i % 2, j % 2) {
            _ if i > 2 * self.rows || j > 2 * self.cols => None,
            (0, 1) => Some(i / 2 * self.cols + j / 2),
            (1, 0) => Some((self.rows + 1) * self.cols + i / 2 * (self.cols + 1) + j / 2),
            _ => None,
        }
    }

    /// Row and column of a line on the lattice.
    pub(crate) fn place_of(self, line: LineIdx) -> (usize, usize) {
        let n_horizontal = (self.rows + 1) * self.cols;
        match line.checked_sub(n_horizontal) {
            None => (2 * (line / self.cols), 2 * (line % self.cols) + 1),
            Some(vertical) => (2 * (vertical / (self.cols + 1)) + 1, 2 * (vertical % (self.cols + 1))),
        }
    }

    /// The two dots that a line joins, as row and column, the upper or left one first.
    pub(crate) fn dots_of(self, line: LineIdx) -> [(usize, usize); 2] {
        let (i, j) = self.place_of(line);
        [(i / 2, j / 2), (i.div_ceil(2), j.div_ceil(2))]
    }

    /// Row and column of the boxes on both sides of a line, counted from 1; 0 and one past the last are the ground.
    pub(crate) fn boxes_of(self, line: LineIdx) -> [(usize, usize); 2] {
        let (i, j) = self.place_of(line);
        [(i.div_ceil(2), j.div_ceil(2)), (i / 2 + 1, j / 2 + 1)]
    }

    /// The line between two dots of the board, if they are neighbours.
    pub(crate) fn line_between(self, a: (usize, usize), b: (usize, usize)) -> Option<LineIdx> {
        let apart = a.0.abs_diff(b.0) + a.1.abs_diff(b.1);
        if apart == 1 { self.line_at(a.0 + b.0, a.1 + b.1) } else { None }
    }

    /// The four mirror images of a rectangle, and the transposed ones of a square.
    fn symmetries(self) -> Vec<Vec<LineIdx>> {
        let image = |turn: usize, line: LineIdx| {
            let (i, j) = self.place_of(line);
            let i = if turn & 2 == 0 { i } else { 2 * self.rows - i };
            let j = if turn & 1 == 0 { j } else { 2 * self.cols - j };
            if turn & 4 == 0 { self.line_at(i, j) } else { self.line_at(j, i) }
        };
        let turns = if self.rows == self.cols { 0..8 } else { 0..4 };
        turns.map(|turn| (0..self.n_lines()).filter_map(|line| image(turn, line)).collect()).collect()
    }
}

impl Board {
    /// The grid of `rows` x `cols` boxes.
    ///
    /// # Errors
    /// If a side is zero or the board has more than [`MAX_LINES`] lines.
    pub fn grid(rows: usize, cols: usize) -> Result<Arc<Self>, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::NoBoxes { rows, cols });
        }
        let kind = BoardKind::Grid { rows, cols };
        let lines = (2 * rows as u128).saturating_mul(cols as u128).saturating_add(rows as u128 + cols as u128);
        if lines > MAX_LINES as u128 {
            return Err(BoardError::TooManyLines { board: kind.to_string(), lines });
        }
        Ok(Arc::new(Grid { rows, cols }.board(kind)))
    }

    /// Lines drawn before the first move, or `None` if this kind of board has no such start: only rectangles have a
    /// left and a bottom side.
    pub fn start_lines(&self, start: Start) -> Option<LineSet> {
        if start == Start::American {
            return Some(LineSet::EMPTY);
        }
        let grid = Grid::from_kind(self.kind)?;
        let is_drawn = |&line: &LineIdx| {
            let (i, j) = grid.place_of(line);
            let is_left_or_bottom = j == 0 || i == 2 * grid.rows;
            is_left_or_bottom || (start == Start::Swedish && (i == 0 || j == 2 * grid.cols))
        };
        Some((0..grid.n_lines()).filter(is_drawn).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_one_place() {
        for (rows, cols) in [(1, 1), (2, 3), (3, 2), (1, 10)] {
            let board = Board::grid(rows, cols).unwrap();
            let grid = Grid { rows, cols };
            for line in 0..board.n_lines() {
                let (i, j) = grid.place_of(line);
                assert_eq!(grid.line_at(i, j), Some(line));
                let [a, b] = grid.dots_of(line);
                assert_eq!((grid.line_between(a, b), grid.line_between(b, a)), (Some(line), Some(line)));
            }
            let places = (0..=2 * rows + 2).flat_map(|i| (0..=2 * cols + 2).map(move |j| (i, j)));
            assert_eq!(places.filter(|&(i, j)| grid.line_at(i, j).is_some()).count(), board.n_lines());
        }
    }
}
