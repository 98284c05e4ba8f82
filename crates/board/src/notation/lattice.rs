//! Lattice letters, as David Wilson's `play` takes moves: two letters a line, its row and then its column.
//!
//! ```text
//!      abcde       Rows and columns of the lattice of dots, lines and boxes, both from a; a is the top row and
//!    a +-+-+       the left column. ab is the left top line, ba the upper left side.
//!    b | | |       A game is its lines run together (abba), or set apart by space or commas.
//!    c +-+-+
//! ```
//! The board has to be known. Letters suffice for 12 rows and 12 columns of boxes.

use super::cursor::Cursor;
use super::grid::{Game, check_letters, grid_of, letter};
use super::{Context, Notation, NotationError, Transcript};

const NOTATION: Notation = Notation::Lattice;

pub(super) fn read(text: &str, context: Context<'_>) -> Result<Transcript, NotationError> {
    let mut game = Game::new(NOTATION, context.start(NOTATION)?)?;
    let mut cursor = Cursor::new(NOTATION, text);
    loop {
        cursor.skip(|c| c.is_whitespace() || c == ',');
        let place = cursor.place();
        if cursor.peek().is_none() {
            return Ok(game.transcript);
        }
        let last = [2 * game.grid.rows, 2 * game.grid.cols];
        let mut at = [0; 2];
        for (axis, what) in ["row", "column"].into_iter().enumerate() {
            let place = cursor.place();
            at[axis] = cursor.letter(&format!("the letter of a {what} of the lattice"))?;
            if at[axis] > last[axis] {
                let (found, board) = (letter(at[axis]), game.board());
                let last = letter(last[axis].min(25));
                return Err(place.error(format!("there is no {what} '{found}': {board} has {what}s a to {last}")));
            }
        }
        let [i, j] = at;
        let name = format!("{}{}", letter(i), letter(j));
        match game.grid.line_at(i, j) {
            Some(line) => game.draw(line, &name, place)?,
            None => {
                let what = if i % 2 == 0 { "dot" } else { "box" };
                return Err(place.error(format!("{name} is a {what}, not a line")));
            }
        }
    }
}

pub(super) fn write(transcript: &Transcript) -> Result<String, NotationError> {
    let grid = grid_of(NOTATION, transcript.start().board())?;
    check_letters(NOTATION, transcript, 2 * grid.rows + 1, "rows on its lattice")?;
    check_letters(NOTATION, transcript, 2 * grid.cols + 1, "columns on its lattice")?;
    let name = |&line| {
        let (i, j) = grid.place_of(line);
        [letter(i), letter(j)]
    };
    Ok(transcript.whole_game().moves().iter().flat_map(name).collect())
}
