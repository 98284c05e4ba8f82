//! The compact notation `RxC:HEX`: the board and the mask of its drawn lines in lower-case hexadecimal.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::{Board, BoardError, LineSet, Position};

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:x}", self.board().kind(), self.drawn().0)
    }
}

impl FromStr for Position {
    type Err = BoardError;

    /// Reads `RxC:HEX`, or `RxC` for the empty board.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let (board, mask) = match text.split_once(':') {
            Some((board, mask)) => (parse_board(board)?, parse_mask(text, mask)?),
            None => (parse_board(text)?, LineSet::EMPTY),
        };
        Self::new(board, mask)
    }
}

/// Reads the name of a board, such as `3x4`.
///
/// # Errors
/// If the text names no board, or one that cannot be described.
pub fn parse_board(text: &str) -> Result<Arc<Board>, BoardError> {
    let unknown = || BoardError::UnknownBoard { text: text.to_owned() };
    let side = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => digits.parse::<usize>().map_err(|_| unknown()),
        false => Err(unknown()),
    };
    let (rows, cols) = text.split_once('x').ok_or_else(unknown)?;
    Board::grid(side(rows)?, side(cols)?)
}

fn parse_mask(text: &str, mask: &str) -> Result<LineSet, BoardError> {
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
        assert_eq!("3x3".parse::<Position>().unwrap().to_string(), "3x3:0");
        assert_eq!("3x3:00FF".parse::<Position>().unwrap().to_string(), "3x3:ff");
    }

    #[test]
    fn says_what_is_wrong() {
        refused("3y3", "unknown board '3y3': expected ROWSxCOLUMNS such as 3x3, or a position such as 3x3:1f");
        refused("0x3", "board 0x3 has no boxes: both sides must be at least 1");
        refused("9x9:0", "board 9x9 has 180 lines: at most 128 can be described");
        refused("3x3:1g", "'1g' is no hexadecimal mask of drawn lines: character 2 of the mask is 'g'");
        refused("3x3:", "'3x3:' has no mask after the colon: write 0 for the empty board");
        refused("1x1:10", "mask 10 draws line 4, but board 1x1 has only lines 0 to 3");
        refused("3x3:+1", "'+1' is no hexadecimal mask of drawn lines: character 1 of the mask is '+'");
        refused(
            "3x3:100000000000000000000000000000000",
            "a mask of 33 hexadecimal digits draws lines that no board has: at most 128 lines can be described",
        );
    }
}
