//! Dot pairs, as players write moves: the two dots that a line joins.
//!
//! ```text
//!    2 +   +   +     a1-b1    Columns of dots are lettered from the left, rows of dots numbered from the bottom.
//!    1 +---+   +     Turns are numbered, commas join the lines of one turn: 1. a1-b1 2. a1-a2 3. a2-b2 4. b1-b2, b2-c2
//!      a   b   c
//! ```
//! The board has to be known. The rules tell the player to move, so a reader passes over numbers and takes commas for
//! space. Proposed by Knox's author for littlegolem.net in 2004.

use std::sync::Arc;

use super::cursor::Cursor;
use super::grid::{Game, check_letters, grid_of, letter};
use super::{Notation, NotationError, Transcript};
use crate::Board;
use crate::grid::Grid;

const NOTATION: Notation = Notation::Dots;

pub(super) fn read(text: &str, board: Option<&Arc<Board>>) -> Result<Transcript, NotationError> {
    let mut game = Game::new(NOTATION, board.ok_or(NotationError::NeedsBoard { notation: NOTATION })?)?;
    let mut cursor = Cursor::new(NOTATION, text);
    loop {
        cursor.skip(|c| c.is_whitespace() || c == ',');
        let place = cursor.place();
        match cursor.peek() {
            None => return Ok(game.transcript),
            Some('0'..='9') => {
                cursor.number("the number of a turn")?;
                cursor.expect('.')?;
                continue;
            }
            Some(_) => {}
        }
        let from = dot(&mut cursor, &game)?;
        // Forums make a dash of it.
        if !cursor.take('–') {
            cursor.expect('-')?;
        }
        let to = dot(&mut cursor, &game)?;
        if !cursor.peek().is_none_or(|c| c.is_whitespace() || c == ',') {
            return Err(cursor.expected("a comma or space after a line"));
        }
        let [from_name, to_name] = [from, to].map(|(r, c)| name(game.grid, r, c));
        match game.grid.line_between(from, to) {
            Some(line) => game.draw(line, &format!("{from_name}-{to_name}"), place)?,
            None => return Err(place.error(format!("{from_name} and {to_name} are not neighbours"))),
        }
    }
}

/// Row, from the top, and column of a dot.
fn dot(cursor: &mut Cursor<'_>, game: &Game) -> Result<(usize, usize), NotationError> {
    let Grid { rows, cols } = game.grid;
    let place = cursor.place();
    let column = cursor.letter("the letter of a column of dots")?;
    let row = cursor.number("the number of a row of dots")?;
    if column > cols || !(1..=rows + 1).contains(&row) {
        let (found, board, last) = (letter(column), game.board(), letter(cols.min(25)));
        let problem = format!("there is no dot {found}{row}: {board} has dots a1 to {last}{}", rows + 1);
        return Err(place.error(problem));
    }
    Ok((rows + 1 - row, column))
}

/// The name of a dot.
fn name(grid: Grid, r: usize, c: usize) -> String {
    format!("{}{}", letter(c), grid.rows + 1 - r)
}

pub(super) fn write(transcript: &Transcript) -> Result<String, NotationError> {
    let grid = grid_of(NOTATION, transcript.start().board())?;
    check_letters(NOTATION, transcript, grid.cols + 1, "columns of dots")?;
    let mut text = String::new();
    let mut turn = 0;
    let mut goes_on = false;
    for ply in transcript.whole_game().plies() {
        // The lower of two dots is named first, as the left one is.
        let [a, b] = grid.dots_of(ply.line);
        let (a, b) = if a.1 == b.1 { (b, a) } else { (a, b) };
        if goes_on {
            text += ", ";
        } else {
            turn += 1;
            text += &format!("{}{turn}. ", if turn == 1 { "" } else { " " });
        }
        text += &format!("{}-{}", name(grid, a.0, a.1), name(grid, b.0, b.1));
        goes_on = ply.boxes > 0;
    }
    Ok(text)
}
