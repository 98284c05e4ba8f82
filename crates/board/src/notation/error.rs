//! Errors in texts of positions and games.

use thiserror::Error;

use super::Notation;
use crate::error::shown;
use crate::{BoardError, Start};

/// Errors of reading and writing notation. Rows and columns are those of the text, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs)] // The text of a variant explains its fields.
pub enum NotationError {
    /// A place of the text breaks the rules of the notation or holds an illegal move.
    #[error("{notation}, row {row}, column {column}: {problem}")]
    At { notation: Notation, row: usize, column: usize, problem: String },
    /// The text does not tell the board.
    #[error("{notation} notation does not say how large the board is: name it")]
    NeedsBoard { notation: Notation },
    /// A notation of rows and columns for a board that has none.
    #[error("{notation} notation is for rectangles only, not for {board}: use compact")]
    NotAGrid { notation: Notation, board: String },
    /// A bit string whose length fits several boards, none of them square.
    #[error("{bits} bits are the lines of {boards}: say which")]
    SeveralBoards { bits: usize, boards: String, first: String },
    /// The text tells another board than the one that was asked for.
    #[error("the text is about board {found}, not {expected}: leave out the board, or name that one")]
    OtherBoard { expected: String, found: String },
    /// A start was asked for, but the text is about a position with lines of its own.
    #[error("the text already says what is drawn, so it has no {start} start")]
    NoRoomForStart { start: Start },
    /// Letters that make sense in two ways.
    #[error("these letters are legal as {first} and as {second} notation: say which")]
    TwoNotations { first: Notation, second: Notation },
    /// No notation of this name.
    #[error("unknown notation '{}': expected {known}", shown(.name))]
    UnknownNotation { name: String, known: String },
    /// The notation cannot express this.
    #[error("{board} cannot be written in {notation} notation: {problem}")]
    CannotWrite { notation: Notation, board: String, problem: String },
    /// The board, or a position in compact form or as a diagram, is wrong.
    #[error(transparent)]
    Board(#[from] BoardError),
}
