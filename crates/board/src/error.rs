//! Errors in boards, positions and graph files.

use thiserror::Error;

use crate::MAX_LINES;

/// Errors of boards, positions and their notation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoardError {
    /// The text names no board.
    #[error(
        "unknown board '{text}': expected ROWSxCOLUMNS such as 3x3, or a position such as 3x3:1f; the other boards are \
         closed:N, open:N, triangles:closed:N, triangles:open:N and graph:FILE"
    )]
    UnknownBoard {
        /// The text as given.
        text: String,
    },
    /// A side of the board is zero.
    #[error("board {rows}x{cols} has no boxes: both sides must be at least 1")]
    NoBoxes {
        /// Rows of boxes.
        rows: usize,
        /// Columns of boxes.
        cols: usize,
    },
    /// The board has more lines than a position can describe.
    #[error("board {rows}x{cols} has {lines} lines: at most {MAX_LINES} can be described")]
    TooManyLines {
        /// Rows of boxes.
        rows: usize,
        /// Columns of boxes.
        cols: usize,
        /// Lines that such a board has.
        lines: u128,
    },
    /// A row without boxes.
    #[error("board {board} is empty: there must be at least one box")]
    EmptyRow {
        /// Name of the board.
        board: String,
    },
    /// A row with more lines than a position can describe.
    #[error("board {board} has {lines} lines: at most {MAX_LINES} can be described")]
    RowTooLong {
        /// Name of the board.
        board: String,
        /// Lines that such a board has.
        lines: u128,
    },
    /// A line of a graph file that cannot be read.
    #[error("graph file, line {line}: {problem}")]
    BadGraph {
        /// Line of the file, from 1.
        line: usize,
        /// The fault.
        problem: String,
    },
    /// A graph that has to be read from a file first.
    #[error("'{text}' names a graph file, which is read only where boards are given on the command line")]
    GraphFile {
        /// The text as given.
        text: String,
    },
    /// The board has no such start.
    #[error("board {board} has no {start} start: only rectangles have a left and a bottom side")]
    NoSuchStart {
        /// Name of the board.
        board: String,
        /// The start.
        start: String,
    },
    /// The text names no start.
    #[error("unknown start '{text}': expected american, icelandic or swedish")]
    UnknownStart {
        /// The text as given.
        text: String,
    },
    /// The part after the colon is not a hexadecimal mask.
    #[error("'{text}' is no hexadecimal mask of drawn lines: character {column} of the mask is '{found}'")]
    BadHex {
        /// The mask as given.
        text: String,
        /// Column of the first wrong character, from 1.
        column: usize,
        /// The first wrong character.
        found: char,
    },
    /// A mask without digits.
    #[error("'{text}' has no mask after the colon: write 0 for the empty board")]
    EmptyMask {
        /// The position as given.
        text: String,
    },
    /// A mask with more digits than any board has lines.
    #[error(
        "a mask of {digits} hexadecimal digits draws lines that no board has: at most {MAX_LINES} lines can be described"
    )]
    MaskTooLong {
        /// Digits without leading zeros.
        digits: usize,
    },
    /// The mask draws lines that the board does not have.
    #[error("mask {mask} draws line {line}, but board {board} has only lines 0 to {last}")]
    LineBeyondBoard {
        /// The mask as given.
        mask: String,
        /// Highest line drawn.
        line: usize,
        /// Name of the board.
        board: String,
        /// Last line of the board.
        last: usize,
    },
    /// A diagram that cannot be read.
    #[error("diagram, row {row}, column {column}: {problem}")]
    BadDiagram {
        /// Row of text, from 1.
        row: usize,
        /// Column of text, from 1.
        column: usize,
        /// The fault.
        problem: String,
    },
}
