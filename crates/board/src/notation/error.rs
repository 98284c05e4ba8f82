//! Errors in texts of positions and games.

use std::error::Error;

use super::Notation;
use crate::error::shown;
use crate::{BoardError, Start, errors};

errors! {
    /// Errors of reading and writing notation. Rows and columns are those of the text, from 1.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum NotationError {
        /// A place of the text breaks the rules of the notation or holds an illegal move.
        At { notation: Notation, row: usize, column: usize, problem: String } =>
            "{notation}, row {row}, column {column}: {problem}";
        /// The text does not tell the board.
        NeedsBoard { notation: Notation } => "{notation} notation does not say how large the board is: name it";
        /// A notation of rows and columns for a board that has none.
        NotAGrid { notation: Notation, board: String } =>
            "{notation} notation is for rectangles only, not for {board}: use compact";
        /// A bit string whose length fits several boards, none of them square.
        SeveralBoards { bits: usize, boards: String, first: String } => "{bits} bits are the lines of {boards}: say which";
        /// The text tells another board than the one that was asked for.
        OtherBoard { expected: String, found: String } =>
            "the text is about board {found}, not {expected}: leave out the board, or name that one";
        /// A start was asked for, but the text is about a position with lines of its own.
        NoRoomForStart { start: Start } => "the text already says what is drawn, so it has no {start} start";
        /// A text that makes sense in two ways.
        TwoNotations { first: Notation, second: Notation } =>
            "the text is legal as {first} and as {second} notation: say which";
        /// No notation of this name.
        UnknownNotation { name: String, known: String } => "unknown notation '{}': expected {known}", shown(name);
        /// The notation cannot express this.
        CannotWrite { notation: Notation, board: String, problem: String } =>
            "{board} cannot be written in {notation} notation: {problem}";
        /// The board, or a position in compact form or as a diagram, is wrong.
        Board(error: BoardError) => "{error}";
    }
}

impl Error for NotationError {}

impl From<BoardError> for NotationError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}
