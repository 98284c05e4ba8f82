//! A position: a board and its drawn lines.

use std::sync::Arc;

use crate::capture::{CaptureRun, closed_by};
use crate::{Board, BoardError, LineIdx, LineSet, Start};

/// The set of drawn lines of a board; whose turn it is and who owns the closed boxes does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Arc<Board>,
    drawn: LineSet,
}

impl Position {
    /// The position of `board` with `drawn` drawn.
    ///
    /// # Errors
    /// If `drawn` has lines beyond the board.
    pub fn new(board: Arc<Board>, drawn: LineSet) -> Result<Self, BoardError> {
        match (drawn - board.all()).iter().last() {
            None => Ok(Self { board, drawn }),
            Some(line) => Err(BoardError::LineBeyondBoard {
                mask: format!("{:x}", drawn.0),
                line,
                board: board.name().to_owned(),
                last: board.n_lines() - 1,
            }),
        }
    }

    /// The position before the first move.
    ///
    /// # Panics
    /// If the board has no such start; see [`Board::start_lines`].
    pub fn start(board: Arc<Board>, start: Start) -> Self {
        let drawn = board.start_lines(start).expect("the board has this start");
        Self { board, drawn }
    }

    /// The board.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// The drawn lines.
    pub fn drawn(&self) -> LineSet {
        self.drawn
    }

    /// The lines that may still be drawn.
    pub fn undrawn(&self) -> LineSet {
        self.board.all() - self.drawn
    }

    /// The position after drawing `line`, and how many boxes that closes.
    pub fn draw(&self, line: LineIdx) -> (Self, u8) {
        let closed = closed_by(self.board.graph(), self.drawn, line);
        (Self { board: self.board.clone(), drawn: self.drawn.with(line) }, closed)
    }

    /// Boxes not yet closed.
    pub fn open_boxes(&self) -> usize {
        self.board.graph().open_boxes(self.drawn)
    }

    /// The run that takes everything that can be captured at once.
    pub fn capture_run(&self) -> CaptureRun {
        CaptureRun::new(self.board.graph(), self.drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_counts_closed_boxes() {
        // 1x2 with everything but the middle line: drawing it closes both boxes.
        let position = Position::new(Board::grid(1, 2).unwrap(), LineSet(0x5f)).unwrap();
        let (end, closed) = position.draw(5);
        assert_eq!((closed, end.open_boxes()), (2, 0));
    }

    #[test]
    fn refuses_lines_beyond_the_board() {
        let error = Position::new(Board::grid(1, 1).unwrap(), LineSet(0x10)).unwrap_err();
        assert_eq!(error.to_string(), "mask 10 draws line 4, but board 1x1 has only lines 0 to 3");
    }
}
