//! The compact notation `BOARD:HEX`: the board and the mask of its drawn lines in lower-case hexadecimal.
//!
//! ```text
//!    3x4:1f   closed:5:1f   open:5:1f   triangles:closed:5:1f   triangles:open:5:1f   graph:FILE:1f
//! ```
//! The mask follows the name of the board; it may be missing if nothing is drawn, and may begin with `0x`. The name of a graph reaches
//! to the last colon, so a file with a colon in its name needs the mask.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{Context, NotationError};
use crate::board::TIMES;
use crate::{Board, BoardError, BoardKind, LineSet, Position, Start};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:x}", self.board().name(), self.drawn().0)
    }
}

impl FromStr for Position {
    type Err = BoardError;

    /// Reads `BOARD:HEX`, or `BOARD` for the empty board.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let (board, mask) = split(text);
        position(Board::parse(board)?, mask, text)
    }
}

/// The name of the board and the mask in the text of a position; no mask if there is no colon for it.
pub(crate) fn split(text: &str) -> (&str, Option<&str>) {
    let n_parts = match text.split(':').next() {
        Some("triangles") => 3,
        Some("closed" | "open") => 2,
        Some("graph") => text.split(':').count().saturating_sub(1).max(2),
        _ => 1,
    };
    match text.match_indices(':').nth(n_parts - 1) {
        Some((at, _)) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// Reads a position. Its board may be a graph, which the context has.
pub(super) fn read(text: &str, context: Context<'_>) -> Result<Position, NotationError> {
    let (name, mask) = split(text);
    let board = match context.board {
        Some(board) if name.starts_with("graph:") => Arc::clone(board),
        _ => Board::parse(name)?,
    };
    match mask {
        None => context.start_on(&board),
        Some(_) if context.start != Start::American => Err(NotationError::NoRoomForStart { start: context.start }),
        Some(_) => Ok(position(board, mask, text)?),
    }
}

/// Whether a word begins as the name of a board does; a graph needs a mask, because files may have any name.
pub(super) fn begins_board(word: &str) -> bool {
    let (name, mask) = split(word);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_grid = name.split_once(TIMES).is_some_and(|(rows, cols)| is_number(rows) && is_number(cols));
    let is_row = ["closed:", "open:", "triangles:"].iter().any(|kind| name.starts_with(kind));
    is_grid || is_row || (name.starts_with("graph:") && mask.is_some())
}

/// The position of `board` with the lines of `mask` drawn; an error quotes `text` if there are no digits.
///
/// # Errors
/// If the mask is no hexadecimal number, or draws lines beyond the board.
pub fn position(board: Arc<Board>, mask: Option<&str>, text: &str) -> Result<Position, BoardError> {
    let drawn = mask.map_or(Ok(LineSet::EMPTY), |mask| parse_mask(text, mask))?;
    Position::new(board, drawn)
}

/// The name by which a run knows a position of a board of its own, independent of the file the board was read from.
pub fn anonymous(kind: BoardKind, drawn: LineSet) -> String {
    format!("{kind}:{:x}", drawn.0)
}

fn parse_mask(text: &str, mask: &str) -> Result<LineSet, BoardError> {
    let mask = mask.strip_prefix("0x").or(mask.strip_prefix("0X")).unwrap_or(mask);
    if mask.is_empty() {
        return Err(BoardError::EmptyMask { text: text.to_owned() });
    }
    let bad = mask.chars().enumerate().find(|(_, c)| !c.is_ascii_hexdigit());
    if let Some((at, found)) = bad {
        return Err(BoardError::BadHex { text: mask.to_owned(), column: at + 1, found });
    }
    let digits = mask.trim_start_matches('0');
    if digits.is_empty() {
        return Ok(LineSet::EMPTY);
    }
    u128::from_str_radix(digits, 16).map(LineSet).map_err(|_| BoardError::MaskTooLong { digits: digits.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(text.parse::<Position>().unwrap_err().to_string(), message);
    }

    #[test]
    fn round_trip() {
        for text in ["3x3:0", "3x3:ffffff", "1x1:f", "5x5:80000000000001e"] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
        for text in ["closed:5:1f", "open:5:1f", "triangles:closed:3:0", "triangles:open:3:7ff"] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
        assert_eq!("triangles:open:4".parse::<Position>().unwrap().to_string(), "triangles:open:4:0");
        assert_eq!("3x3".parse::<Position>().unwrap().to_string(), "3x3:0");
        for text in ["3x3:00FF", "3X3:FF", "3×3:ff", "3x3:0xff", "3X3:0XFF"] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), "3x3:ff");
        }
    }

    #[test]
    fn the_mask_follows_the_board() {
        assert_eq!(split("3x3:1f"), ("3x3", Some("1f")));
        assert_eq!(split("closed:5"), ("closed:5", None));
        assert_eq!(split("closed:5:"), ("closed:5", Some("")));
        assert_eq!(split("triangles:open:4:0"), ("triangles:open:4", Some("0")));
        assert_eq!(split("graph:a/b.txt"), ("graph:a/b.txt", None));
        assert_eq!(split("graph:a:b:1f"), ("graph:a:b", Some("1f")));
    }

    #[test]
    fn says_what_is_wrong() {
        let known = "expected ROWSxCOLUMNS such as 3x3, or a position such as 3x3:1f; the other boards are closed:N, \
                     open:N, triangles:closed:N, triangles:open:N and graph:FILE";
        for board in ["3y3", "closed:x", "shut", "triangles:3", "triangles:open:", "graph", "", "closed"] {
            refused(board, &format!("unknown board '{board}': {known}"));
        }
        refused("closed:0", "board closed:0 is empty: there must be at least one box");
        refused("closed:5:", "'closed:5:' has no mask after the colon: write 0 for the empty board");
        refused("closed:2:8", "mask 8 draws line 3, but board closed:2 has only lines 0 to 2");
        refused(
            "graph:kite:1",
            "'graph:kite' names a graph file, which is read only where boards are given on the command line",
        );
        refused("0x3", "board 0x3 has no boxes: both sides must be at least 1");
        refused("9x9:0", "board 9x9 has 180 lines: at most 128 can be described");
        refused("3x3:1g", "'1g' is no hexadecimal mask of drawn lines: character 2 of the mask is 'g'");
        refused("3x3:0x", "'3x3:0x' has no mask after the colon: write 0 for the empty board");
        refused("3x3:", "'3x3:' has no mask after the colon: write 0 for the empty board");
        refused("1x1:10", "mask 10 draws line 4, but board 1x1 has only lines 0 to 3");
        refused("3x3:+1", "'+1' is no hexadecimal mask of drawn lines: character 1 of the mask is '+'");
        refused(
            "3x3:100000000000000000000000000000000",
            "a mask of 33 hexadecimal digits draws lines that no board has: at most 128 lines can be described",
        );
    }
}
