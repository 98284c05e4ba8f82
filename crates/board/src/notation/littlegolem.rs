//! Games of littlegolem.net.
//!
//! ```text
//!    [Size "2"]              tags; Size counts rows of boxes of a square board, the others are passed over
//!    ;b[haa];r[vaa];b[hba]   turns, b begins; a turn is its lines run together
//! ```
//! A line is `h` or `v`, then row and column of a dot, lettered from `a` at the top and at the left: `h` goes right
//! from that dot, `v` goes down. Tokens alone (`haa vaa hba`) are read too; without a Size tag the board has to be
//! known. The parser checks that b and r change as the rules say.

use std::sync::Arc;

use super::context::same_board;
use super::cursor::{Cursor, Place};
use super::grid::{Game, check_letters, grid_of, letter};
use super::{Context, Notation, NotationError, Side, Transcript};
use crate::Board;

const NOTATION: Notation = Notation::LittleGolem;

pub(super) fn read(text: &str, context: Context<'_>) -> Result<Transcript, NotationError> {
    let mut cursor = Cursor::new(NOTATION, text);
    let mut board = context.board.cloned();
    let begin =
        |board: &Option<Arc<Board>>| Game::new(NOTATION, Context { board: board.as_ref(), ..context }.start(NOTATION)?);
    let mut game = None;
    loop {
        cursor.skip(|c| c.is_whitespace() || c == ',');
        let place = cursor.place();
        match cursor.peek() {
            None => return Ok(game.map_or_else(|| begin(&board), Ok)?.transcript),
            Some('[') if game.is_some() => {
                return Err(place.error("a tag after moves: another game begins here, keep one"));
            }
            Some('[') => {
                if let Some(size) = tag(&mut cursor)? {
                    let found = Board::grid(size, size).map_err(|error| place.error(error.to_string()))?;
                    board = Some(same_board(board.as_ref(), found)?);
                }
            }
            Some(_) => {
                let game = match &mut game {
                    Some(game) => game,
                    None => game.insert(begin(&board)?),
                };
                if cursor.take(';') { turn(&mut cursor, game)? } else { line(&mut cursor, game, place)? }
            }
        }
    }
}

/// A tag such as `[Size "5"]`; the number of a Size tag.
fn tag(cursor: &mut Cursor<'_>) -> Result<Option<usize>, NotationError> {
    cursor.expect('[')?;
    let is_size = ['S', 'i', 'z', 'e', ' '].into_iter().all(|c| cursor.take(c));
    cursor.skip(|c| c != '"' && c != ']' && c != '\n');
    cursor.expect('"')?;
    let size = if is_size { Some(cursor.number("the size of the board, in boxes")?) } else { None };
    if !is_size {
        cursor.skip(|c| c != '"' && c != '\n');
    }
    cursor.expect('"')?;
    cursor.expect(']')?;
    Ok(size)
}

/// A turn such as `b[haavaa]`, after its semicolon.
fn turn(cursor: &mut Cursor<'_>, game: &mut Game) -> Result<(), NotationError> {
    let by = match cursor.peek() {
        Some('b') => Side::A,
        Some('r') => Side::B,
        _ => return Err(cursor.expected("whose turn it is, b or r")),
    };
    cursor.next();
    cursor.expect('[')?;
    loop {
        let place = cursor.place();
        let turn = game.transcript.to_move();
        if by != turn {
            return Err(place.error(format!("by the rules {} moves here, not {}", colour(turn), colour(by))));
        }
        line(cursor, game, place)?;
        if cursor.take(']') {
            return Ok(());
        }
    }
}

fn colour(side: Side) -> char {
    match side {
        Side::A => 'b',
        Side::B => 'r',
    }
}

/// A line such as `haa`.
fn line(cursor: &mut Cursor<'_>, game: &mut Game, place: Place) -> Result<(), NotationError> {
    let is_horizontal = match cursor.peek() {
        Some('h') => true,
        Some('v') => false,
        _ => return Err(cursor.expected("a line, h or v with the letters of a dot")),
    };
    cursor.next();
    let r = cursor.letter("the letter of a row of dots")?;
    let c = cursor.letter("the letter of a column of dots")?;
    let name = format!("{}{}{}", if is_horizontal { 'h' } else { 'v' }, letter(r), letter(c));
    let at = if is_horizontal { (2 * r, 2 * c + 1) } else { (2 * r + 1, 2 * c) };
    match game.grid.line_at(at.0, at.1) {
        Some(line) => game.draw(line, &name, place),
        None => Err(place.error(format!("there is no line {name} on {}", game.board()))),
    }
}

pub(super) fn write(transcript: &Transcript) -> Result<String, NotationError> {
    let grid = grid_of(NOTATION, transcript.start().board())?;
    check_letters(NOTATION, transcript, grid.rows + 1, "rows of dots")?;
    check_letters(NOTATION, transcript, grid.cols + 1, "columns of dots")?;
    let mut text = String::new();
    if grid.rows == grid.cols {
        text += &format!("[Size \"{}\"]\n", grid.rows);
    }
    let mut turn = None;
    for ply in transcript.whole_game().plies() {
        if turn != Some(ply.by) {
            text += if turn.is_none() { ";" } else { "];" };
            text.extend([colour(ply.by), '[']);
            turn = Some(ply.by);
        }
        let (i, j) = grid.place_of(ply.line);
        text.extend([if i % 2 == 0 { 'h' } else { 'v' }, letter(i / 2), letter(j / 2)]);
    }
    if turn.is_some() {
        text.push(']');
    }
    Ok(text)
}
