//! The input files of David Wilson's `analyze`: a row of numbers, then a picture.
//!
//! ```text
//!    -3 7000 25 B     penalty, MB of memory, GB of disk, side to move; all but the first may be missing
//!    +-+ +            '+' dots, '-' and '|' lines, open lines blank
//!    |A| |            A or B in a box that this player has captured
//!    +-+-+
//! ```
//! The penalty for making the last move is 0 or negative here; a transcript holds it as a positive number.
//! Memory and disk are passed over, and written as his defaults, 16 and 1. Without a side A is to move.

use super::cursor::Cursor;
use super::grid::grid_of;
use super::{Notation, NotationError, Side, Transcript, diagram};
use crate::{BoardError, LineSet};

const NOTATION: Notation = Notation::Wilson;
/// Largest penalty: scores are signed bytes.
const MAX_PENALTY: usize = 127;

pub(super) fn read(text: &str) -> Result<Transcript, NotationError> {
    let mut cursor = Cursor::new(NOTATION, text);
    cursor.skip_space();
    let first_row = cursor.place().row;
    let (penalty, side) = first(&mut cursor)?;
    // The picture, in rows that are counted as those of the whole text.
    let picture: String = text.split_inclusive('\n').skip(first_row).collect();
    let picture = "\n".repeat(first_row) + &picture;
    let (start, marks) = diagram::parse_marked(&picture).map_err(|error| match error {
        BoardError::BadDiagram { row, column, problem } => {
            NotationError::At { notation: NOTATION, row, column, problem }
        }
        other => other.into(),
    })?;
    let mut captured = [LineSet::EMPTY; 2];
    for mark in marks {
        let at =
            |problem: String| NotationError::At { notation: NOTATION, row: mark.row, column: mark.column, problem };
        let side = match mark.mark {
            'A' => Side::A,
            'B' => Side::B,
            other => return Err(at(format!("expected A, B or a space in a box, found {other:?}"))),
        };
        if !start.board().graph().joints()[mark.at].strings.is_subset(start.drawn()) {
            return Err(at(format!("{side} cannot have captured this box: it is still open")));
        }
        captured[side as usize] |= LineSet::one(mark.at);
    }
    Ok(Transcript::with(start, side, captured, Some(penalty)))
}

/// The row above the picture.
fn first(cursor: &mut Cursor<'_>) -> Result<(u8, Side), NotationError> {
    let place = cursor.place();
    let is_negative = cursor.take('-');
    let penalty = cursor.number("the penalty, 0 or a negative number")?;
    if penalty > 0 && !is_negative {
        return Err(place.error(format!("expected the penalty, 0 or a negative number, found {penalty}")));
    }
    if penalty > MAX_PENALTY {
        return Err(place.error(format!("a penalty of {penalty} is too large: at most {MAX_PENALTY} boxes")));
    }
    let mut side = Side::A;
    let mut n_numbers = 0;
    loop {
        let n_blanks = cursor.skip(|c| c.is_whitespace() && c != '\n');
        match cursor.peek() {
            None | Some('\n') => return Ok((penalty as u8, side)),
            Some('0'..='9') if n_blanks > 0 && n_numbers < 2 => {
                cursor.number("memory in MB or disk in GB")?;
                n_numbers += 1;
            }
            Some(letter @ ('A' | 'B')) if n_blanks > 0 => {
                cursor.next();
                side = if letter == 'A' { Side::A } else { Side::B };
                cursor.skip_blanks();
                if cursor.peek().is_some_and(|c| c != '\n') {
                    return Err(cursor.expected("the picture in the next row"));
                }
            }
            _ => return Err(cursor.expected("memory in MB, disk in GB, the side to move (A or B) or the picture")),
        }
    }
}

pub(super) fn write(transcript: &Transcript) -> Result<String, NotationError> {
    let end = transcript.end();
    let grid = grid_of(NOTATION, end.board())?;
    let captured = transcript.captured();
    let penalty = match transcript.penalty() {
        None | Some(0) => "0".to_owned(),
        Some(penalty) => format!("-{penalty}"),
    };
    let mut text = format!("{penalty} 16 1 {}", transcript.to_move());
    for i in 0..=2 * grid.rows {
        text.push('\n');
        for j in 0..=2 * grid.cols {
            text.push(match grid.line_at(i, j) {
                Some(line) if !end.drawn().has(line) => ' ',
                Some(_) if i % 2 == 0 => '-',
                Some(_) => '|',
                None if i % 2 == 0 => '+',
                None => match captured.map(|boxes| boxes.has(i / 2 * grid.cols + j / 2)) {
                    [true, _] => 'A',
                    [_, true] => 'B',
                    _ => ' ',
                },
            });
        }
    }
    Ok(text)
}
