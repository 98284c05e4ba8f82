//! Errors in texts of positions and games.

use std::error::Error;
use std::fmt;

use super::Notation;
use crate::error::shown;
use crate::{BoardError, Start};

/// Errors of reading and writing notation. Rows and columns are those of the text, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // The text of a variant explains its fields.
pub enum NotationError {
    /// A place of the text breaks the rules of the notation or holds an illegal move.
    At { notation: Notation, row: usize, column: usize, problem: String },
    /// The text does not tell the board.
    NeedsBoard { notation: Notation },
    /// A notation of rows and columns for a board that has none.
    NotAGrid { notation: Notation, board: String },
    /// A bit string whose length fits several boards, none of them square.
    SeveralBoards { bits: usize, boards: String, first: String },
    /// The text tells another board than the one that was asked for.
    OtherBoard { expected: String, found: String },
    /// A start was asked for, but the text is about a position with lines of its own.
    NoRoomForStart { start: Start },
    /// Letters that make sense in two ways.
    TwoNotations { first: Notation, second: Notation },
    /// No notation of this name.
    UnknownNotation { name: String, known: String },
    /// The notation cannot express this.
    CannotWrite { notation: Notation, board: String, problem: String },
    /// The board, or a position in compact form or as a diagram, is wrong.
    Board(BoardError),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At { notation, row, column, problem } => {
                write!(f, "{notation}, row {row}, column {column}: {problem}")
            }
            Self::NeedsBoard { notation } => {
                write!(f, "{notation} notation does not say how large the board is: name it")
            }
            Self::NotAGrid { notation, board } => {
                write!(f, "{notation} notation is for rectangles only, not for {board}: use compact")
            }
            Self::SeveralBoards { bits, boards, .. } => write!(f, "{bits} bits are the lines of {boards}: say which"),
            Self::OtherBoard { expected, found } => {
                write!(f, "the text is about board {found}, not {expected}: leave out the board, or name that one")
            }
            Self::NoRoomForStart { start } => {
                write!(f, "the text already says what is drawn, so it has no {start} start")
            }
            Self::TwoNotations { first, second } => {
                write!(f, "these letters are legal as {first} and as {second} notation: say which")
            }
            Self::UnknownNotation { name, known } => write!(f, "unknown notation '{}': expected {known}", shown(name)),
            Self::CannotWrite { notation, board, problem } => {
                write!(f, "{board} cannot be written in {notation} notation: {problem}")
            }
            Self::Board(error) => error.fmt(f),
        }
    }
}

impl Error for NotationError {}

impl From<BoardError> for NotationError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}
