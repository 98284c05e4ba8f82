//! Games on a grid as they are read, and the letters that name rows and columns.

use super::cursor::Place;
use super::{Notation, NotationError, Transcript};
use crate::grid::Grid;
use crate::{Board, LineIdx, Position};

/// Letters there are for rows or columns.
const LETTERS: usize = 26;

/// The grid that a text in some notation is about.
pub(super) fn grid_of(notation: Notation, board: &Board) -> Result<Grid, NotationError> {
    Grid::from_kind(board.kind()).ok_or_else(|| NotationError::NotAGrid { notation, board: board.name().to_owned() })
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

/// Draws the line that the text at `place` calls `name`.
pub(super) fn draw(game: &mut Transcript, line: LineIdx, name: &str, place: Place) -> Result<(), NotationError> {
    if game.draw(line).is_ok() {
        return Ok(());
    }
    let by = match game.moves().iter().position(|&earlier| earlier == line) {
        Some(at) => format!("line {} of the game", at + 1),
        None => "the start".to_owned(),
    };
    Err(place.error(format!("{name} is drawn already, by {by}")))
}

/// A game on a grid that is being read, line by line.
pub(super) struct Game {
    pub(super) grid: Grid,
    pub(super) transcript: Transcript,
}

impl Game {
    /// A game from a start.
    pub(super) fn new(notation: Notation, start: Position) -> Result<Self, NotationError> {
        Ok(Self { grid: grid_of(notation, start.board())?, transcript: Transcript::new(start) })
    }

    /// Draws the line that the text at `place` calls `name`.
    pub(super) fn draw(&mut self, line: LineIdx, name: &str, place: Place) -> Result<(), NotationError> {
        draw(&mut self.transcript, line, name, place)
    }

    /// The name of the board in messages.
    pub(super) fn board(&self) -> String {
        self.transcript.start().board().kind().to_string()
    }
}
