//! Errors in boards, positions and graph files.

use std::error::Error;

use crate::{MAX_LINES, errors};

/// Characters of a text that a message quotes at most.
const MOST_SHOWN: usize = 60;

/// Text of a user as messages quote it: its first line if that is short, without control characters.
pub(crate) fn shown(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let more = if line.chars().nth(MOST_SHOWN).is_some() || line.len() < text.trim_end().len() { "…" } else { "" };
    line.chars().take(MOST_SHOWN).map(escaped).chain([more.to_owned()]).collect()
}

errors! {
    /// Errors of boards, positions and their notation. Rows and columns of text count from 1.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum BoardError {
        /// The text names no board.
        UnknownBoard { text: String } =>
            "unknown board '{}': expected ROWSxCOLUMNS such as 3x3, or a position such as 3x3:1f; the other boards are \
             closed:N, open:N, triangles:closed:N, triangles:open:N and graph:FILE", shown(text);
        /// A side of the board is zero.
        NoBoxes { rows: usize, cols: usize } => "board {rows}x{cols} has no boxes: both sides must be at least 1";
        /// A row without boxes.
        EmptyRow { board: String } => "board {board} is empty: there must be at least one box";
        /// The board has more lines than a position can describe.
        TooManyLines { board: String, lines: u128 } =>
            "board {board} has {lines} lines: at most {MAX_LINES} can be described";
        /// A line of a graph file that cannot be read.
        BadGraph { line: usize, problem: String } => "graph file, line {line}: {problem}";
        /// A graph that has to be read from a file first.
        GraphFile { text: String } =>
            "'{}' names a graph file, which is read only where boards are given on the command line", shown(text);
        /// The board has no such start.
        NoSuchStart { board: String, start: String } =>
            "board {board} has no {start} start: only rectangles have a left and a bottom side";
        /// The text names no start.
        UnknownStart { text: String } => "unknown start '{}': expected american, icelandic or swedish", shown(text);
        /// The part after the colon is not a hexadecimal mask.
        BadHex { text: String, column: usize, found: char } =>
            "'{}' is no hexadecimal mask of drawn lines: character {column} of the mask is '{}'",
            shown(text), shown(&found.to_string());
        /// A mask without digits.
        EmptyMask { text: String } => "'{}' has no mask after the colon: write 0 for the empty board", shown(text);
        /// A mask with more digits than any board has lines.
        MaskTooLong { digits: usize } =>
            "a mask of {digits} hexadecimal digits draws lines that no board has: at most {MAX_LINES} lines can be \
             described";
        /// The mask draws lines that the board does not have.
        LineBeyondBoard { mask: String, line: usize, board: String, last: usize } =>
            "mask {mask} draws line {line}, but board {board} has only lines 0 to {last}";
        /// A diagram that cannot be read.
        BadDiagram { row: usize, column: usize, problem: String } => "diagram, row {row}, column {column}: {problem}";
    }
}

impl Error for BoardError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_quote_little() {
        let check = |text: &str, expect: &str| assert_eq!(shown(text), expect);
        check("3y3", "3y3");
        check("3y3\n", "3y3");
        check("two\nlines", "two…");
        check("\u{1b}[2Jx\0", "\\u{1b}[2Jx\\u{0}");
        check(&"x".repeat(61), &("x".repeat(60) + "…"));
        check(&"x".repeat(60), &"x".repeat(60));
    }
}
