//! Errors in texts of positions and games.

use thiserror::Error;

use super::Notation;
use crate::BoardError;

/// Errors of reading and writing notation. Rows and columns are those of the text, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotationError {
    /// A place of the text breaks the rules of the notation or holds an illegal move.
    #[error("{notation}, row {row}, column {column}: {problem}")]
    At {
        /// The notation in which the text was read.
        notation: Notation,
        /// Row of text.
        row: usize,
        /// Column of text, in characters.
        column: usize,
        /// The fault.
        problem: String,
    },
    /// The text does not tell the board.
    #[error("{notation} notation does not say how large the board is: name it")]
    NeedsBoard {
        /// The notation in which the text was read.
        notation: Notation,
    },
    /// A notation of rows and columns for a board that has none.
    #[error("{notation} notation is for rectangles only, not for {board}: use compact")]
    NotAGrid {
        /// The notation that was asked for.
        notation: Notation,
        /// The board.
        board: String,
    },
    /// A bit string whose length fits several boards, none of them square.
    #[error("{bits} bits are the lines of {boards}: say which")]
    SeveralBoards {
        /// Length of the string.
        bits: usize,
        /// The boards.
        boards: String,
        /// The first of them.
        first: String,
    },
    /// The text tells another board than the one that was asked for.
    #[error("the text is about board {found}, not {expected}: leave out the board, or name that one")]
    OtherBoard {
        /// The board that was asked for.
        expected: String,
        /// The board of the text.
        found: String,
    },
    /// Letters that make sense in two ways.
    #[error("these letters are legal as {first} and as {second} notation: say which")]
    TwoNotations {
        /// One notation.
        first: Notation,
        /// The other one.
        second: Notation,
    },
    /// No notation of this name.
    #[error("unknown notation '{name}': expected {known}")]
    UnknownNotation {
        /// The name as given.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The notation cannot express this.
    #[error("{board} cannot be written in {notation} notation: {problem}")]
    CannotWrite {
        /// The notation that was asked for.
        notation: Notation,
        /// The board.
        board: String,
        /// The reason, and a way out.
        problem: String,
    },
    /// The board, or a position in compact form or as a diagram, is wrong.
    #[error(transparent)]
    Board(#[from] BoardError),
}
