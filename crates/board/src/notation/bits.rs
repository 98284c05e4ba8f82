//! Bit strings, as OpenSpiel and KU Leuven's course write positions: one digit a line, `1` if it is drawn.
//!
//! ```text
//!    1100000         1x2 with both top lines drawn: horizontal lines row by row, then vertical lines row by row
//! ```
//! Lines follow the canonical numbering, line 0 first, as OpenSpiel's action numbers do. The length
//! decides the board if there is a square one with that number of lines. Otherwise the board has to be known.

use std::sync::Arc;

use super::cursor::Cursor;
use super::{Notation, NotationError, Transcript};
use crate::{Board, LineSet, MAX_LINES, Position};

const NOTATION: Notation = Notation::Bits;

pub(super) fn read(text: &str, board: Option<&Arc<Board>>) -> Result<Transcript, NotationError> {
    let mut cursor = Cursor::new(NOTATION, text);
    cursor.skip_space();
    let begin = cursor.place();
    let mut drawn = LineSet::EMPTY;
    let mut n_bits = 0;
    loop {
        match cursor.peek() {
            Some('0' | '1') if n_bits == MAX_LINES => {
                return Err(cursor.place().error(format!("a bit too many: no board has more than {MAX_LINES} lines")));
            }
            Some('0') => {}
            Some('1') => drawn = drawn.with(n_bits),
            _ => break,
        }
        cursor.next();
        n_bits += 1;
    }
    let end = cursor.place();
    cursor.skip_space();
    if cursor.peek().is_some() {
        return Err(cursor.expected("0, 1 or the end"));
    }
    let board = match board {
        Some(board) if board.n_lines() == n_bits => board.clone(),
        Some(board) => {
            let problem = format!("{} has {} lines, but there are {n_bits} bits", board.kind(), board.n_lines());
            return Err(end.error(problem));
        }
        None => {
            let boards = boards(n_bits);
            let name = |&(rows, cols): &(usize, usize)| format!("{rows}x{cols}");
            match boards.iter().find(|(rows, cols)| rows == cols).or(boards.first()) {
                Some(&(rows, cols)) if rows == cols => Board::grid(rows, cols)?,
                Some(first) => {
                    let boards: Vec<String> = boards.iter().map(name).collect();
                    return Err(NotationError::SeveralBoards {
                        bits: n_bits,
                        boards: boards.join(" and of "),
                        first: name(first),
                    });
                }
                None => return Err(begin.error(format!("no board has {n_bits} lines"))),
            }
        }
    };
    Ok(Position::new(board, drawn)?.into())
}

/// Rows and columns of the grids with `n_lines` lines: `(2r + 1)(2c + 1) = 2 n_lines + 1`.
fn boards(n_lines: usize) -> Vec<(usize, usize)> {
    let product = 2 * n_lines + 1;
    let rows = (1..=n_lines).filter(|rows| product.is_multiple_of(2 * rows + 1) && product > 2 * rows + 1);
    rows.map(|rows| (rows, (product / (2 * rows + 1) - 1) / 2)).collect()
}

pub(super) fn write(transcript: &Transcript) -> String {
    let end = transcript.end();
    (0..end.board().n_lines()).map(|line| if end.drawn().has(line) { '1' } else { '0' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_by_their_lines() {
        assert_eq!(boards(4), [(1, 1)]);
        assert_eq!(boards(24), [(3, 3)]);
        assert_eq!(boards(40), [(1, 13), (4, 4), (13, 1)]);
        assert_eq!(boards(17), [(2, 3), (3, 2)]);
        assert_eq!(boards(5), []);
    }
}
