//! Lines that cannot be drawn.

use std::error::Error;

use crate::{Board, LineIdx, LineSet, errors};

errors! {
    /// A line that cannot be drawn.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum IllegalMove {
        /// The board has no such line.
        NoLine { line: LineIdx, last: LineIdx } => "there is no line {line}: the last one is {last}";
        /// The line is drawn already, by the start or by an earlier move.
        Drawn { line: LineIdx } => "line {line} is drawn already";
    }
}

impl Error for IllegalMove {}

impl IllegalMove {
    /// `Ok` where a line of the board is not drawn yet.
    ///
    /// # Errors
    /// If there is no such line, or it is drawn.
    pub fn check(line: LineIdx, drawn: LineSet, board: &Board) -> Result<(), Self> {
        match board.n_lines() {
            n_lines if line >= n_lines => Err(Self::NoLine { line, last: n_lines - 1 }),
            _ if drawn.has(line) => Err(Self::Drawn { line }),
            _ => Ok(()),
        }
    }
}
