//! Lines by their places on the lattice of a grid, where rows and columns of dots, lines and boxes alternate:
//! ```text
//!          0   1   2   3   4           (even, even)  a dot
//!      0   +-------+-------+           (even, odd)   a horizontal line
//!      1   |  box  |  box  |           (odd, even)   a vertical line
//!      2   +-------+-------+           (odd, odd)    a box
//! ```
//! The line between two neighbouring dots is at the sum of their coordinates, which is how most notations name it.

use std::sync::Arc;

use super::cursor::Place;
use super::{Notation, NotationError, Transcript};
use crate::board::GridShape;
use crate::{Board, BoardKind, LineIdx, Position, Start};

/// Letters there are for rows or columns.
const LETTERS: usize = 26;

/// Rows and columns of the boxes of a board.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) rows: usize,
    pub(super) cols: usize,
}

impl Grid {
    /// The grid that a text in some notation is about.
    pub(super) fn of(notation: Notation, board: &Board) -> Result<Self, NotationError> {
        let grid = match board.kind() {
            BoardKind::Grid { rows, cols } => Some(Self { rows, cols }),
            BoardKind::Boxes { n, closed: false } => Some(Self { rows: 1, cols: n }),
            BoardKind::Boxes { .. } | BoardKind::Triangles { .. } | BoardKind::Graph => None,
        };
        grid.ok_or_else(|| NotationError::NotAGrid { notation, board: board.name().to_owned() })
    }

    /// The line at row `i` and column `j` of the lattice.
    pub(super) fn line_at(self, i: usize, j: usize) -> Option<LineIdx> {
        let shape = GridShape { rows: self.rows, cols: self.cols };
        match (i % 2, j % 2) {
            _ if i > 2 * self.rows || j > 2 * self.cols => None,
            (0, 1) => Some(shape.horizontal(i / 2, j / 2)),
            (1, 0) => Some(shape.vertical(i / 2, j / 2)),
            _ => None,
        }
    }

    /// Row and column of a line on the lattice.
    pub(super) fn place_of(self, line: LineIdx) -> (usize, usize) {
        let n_horizontal = (self.rows + 1) * self.cols;
        match line.checked_sub(n_horizontal) {
            None => (2 * (line / self.cols), 2 * (line % self.cols) + 1),
            Some(vertical) => (2 * (vertical / (self.cols + 1)) + 1, 2 * (vertical % (self.cols + 1))),
        }
    }

    /// The two dots that a line joins, as row and column, the upper or left one first.
    pub(super) fn dots_of(self, line: LineIdx) -> [(usize, usize); 2] {
        let (i, j) = self.place_of(line);
        [(i / 2, j / 2), (i.div_ceil(2), j.div_ceil(2))]
    }

    /// The line between two dots of the board, if they are neighbours.
    pub(super) fn line_between(self, a: (usize, usize), b: (usize, usize)) -> Option<LineIdx> {
        let apart = a.0.abs_diff(b.0) + a.1.abs_diff(b.1);
        if apart == 1 { self.line_at(a.0 + b.0, a.1 + b.1) } else { None }
    }
}

/// The letter for a row or column, `a` for 0.
pub(super) fn letter(n: usize) -> char {
    debug_assert!(n < LETTERS);
    (b'a' + n as u8) as char
}

/// Fails unless `n` rows or columns can be named by letters.
pub(super) fn check_letters(
    notation: Notation,
    transcript: &Transcript,
    n: usize,
    of: &str,
) -> Result<(), NotationError> {
    if n <= LETTERS {
        return Ok(());
    }
    Err(NotationError::CannotWrite {
        notation,
        board: transcript.start().board().kind().to_string(),
        problem: format!("it has {n} {of}, but there are {LETTERS} letters; use ksquares or compact"),
    })
}

/// A game on a grid that is being read, line by line.
pub(super) struct Game {
    pub(super) grid: Grid,
    pub(super) transcript: Transcript,
}

impl Game {
    /// A game from the empty board.
    pub(super) fn new(notation: Notation, board: &Arc<Board>) -> Result<Self, NotationError> {
        let start = Position::start(board.clone(), Start::American);
        Ok(Self { grid: Grid::of(notation, board)?, transcript: Transcript::new(start) })
    }

    /// Draws the line that the text at `place` calls `name`.
    pub(super) fn draw(&mut self, line: LineIdx, name: &str, place: Place) -> Result<(), NotationError> {
        match self.transcript.draw(line) {
            Ok(_) => Ok(()),
            Err(_) => {
                let nth = self.transcript.moves().iter().position(|&earlier| earlier == line).map_or(0, |at| at + 1);
                Err(place.error(format!("{name} is drawn already, by line {nth} of the game")))
            }
        }
    }

    /// The name of the board in messages.
    pub(super) fn board(&self) -> String {
        self.transcript.start().board().kind().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_one_place() {
        for (rows, cols) in [(1, 1), (2, 3), (3, 2), (1, 10)] {
            let board = Board::grid(rows, cols).unwrap();
            let grid = Grid::of(Notation::Dots, &board).unwrap();
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
