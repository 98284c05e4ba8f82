//! Games on a grid as they are read, and the letters that name rows and columns.

use std::sync::Arc;

use super::cursor::Place;
use super::{Notation, NotationError, Transcript};
use crate::grid::Grid;
use crate::{Board, LineIdx, Position, Start};

/// Letters there are for rows or columns.
const LETTERS: usize = 26;

/// The grid that a text in some notation is about.
pub(super) fn grid_of(notation: Notation, board: &Board) -> Result<Grid, NotationError> {
    Grid::of(board.kind()).ok_or_else(|| NotationError::NotAGrid { notation, board: board.name().to_owned() })
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
        Ok(Self { grid: grid_of(notation, board)?, transcript: Transcript::new(start) })
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
