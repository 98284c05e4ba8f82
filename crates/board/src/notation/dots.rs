//! Dot pairs, as players write moves: the two dots that a line joins, or the number of the line.
//!
//! ```text
//!    2 +   +   +     a1-b1    Columns of dots are lettered from the left, rows of dots numbered from the bottom.
//!    1 +---+   +     Turns are numbered, commas join the lines of one turn: 1. a1-b1 2. a1-a2 3. a2-b2 4. b1-b2, b2-c2
//!      a   b   c
//! ```
//! Every board has such names ([`Board::line_names`]); strings of a graph have those of their coins. A number without a full
//! stop is that of a line. The rules tell the player to move, so a reader passes over numbers of turns and takes commas
//! for space. The board has to be known, or the position from which the game begins comes first: `3x3:1f a2-b2 ...`.
//! Proposed by Knox's author for littlegolem.net in 2004.

use super::compact;
use super::cursor::{Cursor, Place};
use super::grid::draw;
use super::{Context, Notation, NotationError, Transcript};
use crate::dots::{column_name, dot_name};
use crate::error::shown;
use crate::grid::Grid;
use crate::{Board, LineIdx, LineSet};

const NOTATION: Notation = Notation::Dots;
/// Between two dots, with or without space around it. Forums make a dash of a hyphen.
const DASHES: [char; 2] = ['-', '–'];

/// The position in front of the moves of a text, if there is one.
pub(super) fn head(text: &str) -> Option<&str> {
    let mut words = text.split_whitespace();
    let (head, first) = (words.next()?, words.next()?);
    let is_apart = first.starts_with(char::is_alphabetic) && words.next().is_some_and(|word| word.starts_with(DASHES));
    (compact::begins_board(head) && (is_move(first) || is_apart)).then_some(head)
}

/// Whether a word may be a move or the number of a turn.
fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.']);
    word.contains(DASHES) || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a list of moves: at least two numbers, one that is no bit string, or names of strings.
pub(super) fn is_list(text: &str, context: Context<'_>) -> bool {
    // No line has a number of four digits, or one that begins with 0, as bits do.
    let is_number = |word: &str| word.len() <= 3 && word.parse::<usize>().is_ok_and(|line| line.to_string() == word);
    let words = || text.split([' ', '\t', '\n', '\r', ',']).filter(|word| !word.is_empty());
    let Some(first) = words().next() else { return false };
    let is_bits = first.bytes().all(|byte| byte == b'0' || byte == b'1');
    let is_enough = words().nth(1).is_some() || (context.board.is_some() && !is_bits);
    let has_dash = first.contains(DASHES) && !first.contains(':');
    let names_strings = |board: &Board| has_dash && Grid::from_kind(board.kind()).is_none();
    (is_enough && words().all(is_number)) || context.board.is_some_and(|board| names_strings(board))
}

pub(super) fn read(text: &str, context: Context<'_>) -> Result<Transcript, NotationError> {
    let mut cursor = Cursor::new(NOTATION, text);
    cursor.skip_space();
    let start = match head(text) {
        Some(head) => {
            cursor.skip(|c| !c.is_whitespace());
            compact::read(head, context)?
        }
        None => context.start(NOTATION)?,
    };
    let mut game = Transcript::new(start);
    loop {
        cursor.skip(|c| c.is_whitespace() || c == ',');
        let place = cursor.place();
        let word = cursor.word(|c| !c.is_whitespace() && c != ',');
        if word.is_empty() {
            return Ok(game);
        }
        let board = game.end().board().clone();
        let n_digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let line = if n_digits > 0 && n_digits == word.len() {
            number(&mut cursor, &board)?
        } else if let Some(line) = board.line_named(word) {
            cursor.skip(|c| !c.is_whitespace() && c != ',');
            line
        } else if n_digits > 0 && word[n_digits..].starts_with('.') {
            // The number of a turn.
            cursor.skip(|c| c.is_ascii_digit());
            cursor.expect('.')?;
            continue;
        } else {
            match Grid::from_kind(board.kind()) {
                Some(grid) => dot_pair(&mut cursor, grid, &board)?,
                None => name(&mut cursor, word, &board)?,
            }
        };
        // Two dots that stand apart are several words.
        let is_whole = n_digits > 0 || word.contains(DASHES);
        let name = if is_whole { word } else { board.line_name(line) }.to_owned();
        draw(&mut game, line, &name, place)?;
    }
}

/// The number of a line.
fn number(cursor: &mut Cursor<'_>, board: &Board) -> Result<LineIdx, NotationError> {
    let place = cursor.place();
    let line = cursor.number("the number of a line")?;
    if line < board.n_lines() {
        return Ok(line);
    }
    Err(place.error(format!("there is no line {line}: {} has lines 0 to {}", board.kind(), board.n_lines() - 1)))
}

/// The name of a line of any board, in another case or with another dash than it has.
fn name(cursor: &mut Cursor<'_>, word: &str, board: &Board) -> Result<LineIdx, NotationError> {
    let place = cursor.place();
    let plain = word.replace('–', "-");
    let line = board.line_named(&plain).or_else(|| board.line_named(&plain.to_ascii_lowercase()));
    let line = line.ok_or_else(|| no_line(place, word, board))?;
    cursor.skip(|c| !c.is_whitespace() && c != ',');
    Ok(line)
}

fn no_line(place: Place, word: &str, board: &Board) -> NotationError {
    let (first, last) = (board.line_name(0), board.line_name(board.n_lines() - 1));
    place.error(format!("there is no line {} on {}: its lines are {first} to {last}", shown(word), board.kind()))
}

/// Two dots of a rectangle.
fn dot_pair(cursor: &mut Cursor<'_>, grid: Grid, board: &Board) -> Result<LineIdx, NotationError> {
    let place = cursor.place();
    let from = dot(cursor, grid, board)?;
    let mut dash = cursor.clone();
    dash.skip_blanks();
    if dash.peek().is_some_and(|c| DASHES.contains(&c)) {
        dash.next();
        dash.skip_blanks();
        *cursor = dash;
    } else {
        cursor.expect('-')?;
    }
    let to = dot(cursor, grid, board)?;
    if !cursor.peek().is_none_or(|c| c.is_whitespace() || c == ',') {
        return Err(cursor.expected("a comma or space after a line"));
    }
    let [from_name, to_name] = [from, to].map(|(r, c)| dot_name((grid.rows - r, c)));
    let between = grid.line_between(from, to);
    between.ok_or_else(|| place.error(format!("{from_name} and {to_name} are not neighbours")))
}

/// Row, from the top, and column of a dot.
fn dot(cursor: &mut Cursor<'_>, grid: Grid, board: &Board) -> Result<(usize, usize), NotationError> {
    let Grid { rows, cols } = grid;
    let place = cursor.place();
    let column = cursor.letters("the letter of a column of dots")?;
    let row = cursor.number("the number of a row of dots")?;
    if column > cols || !(1..=rows + 1).contains(&row) {
        let (found, last) = (column_name(column), column_name(cols));
        let problem = format!("there is no dot {found}{row}: {} has dots a1 to {last}{}", board.kind(), rows + 1);
        return Err(place.error(problem));
    }
    Ok((rows + 1 - row, column))
}

/// The moves from the start of a game; those of a position, which has none, in canonical order from the empty board.
pub(super) fn write(transcript: &Transcript) -> String {
    let is_position = transcript.moves().is_empty();
    let whole = if is_position { transcript.whole_game() } else { transcript.clone() };
    let mut text = String::new();
    if whole.start().drawn() != LineSet::EMPTY {
        text += &format!("{} ", whole.start());
    }
    let mut turn = 0;
    let mut goes_on = false;
    for ply in whole.plies() {
        if goes_on {
            text += ", ";
        } else {
            turn += 1;
            text += &format!("{}{turn}. ", if turn == 1 { "" } else { " " });
        }
        text += whole.start().board().line_name(ply.line);
        goes_on = ply.boxes > 0;
    }
    text
}
