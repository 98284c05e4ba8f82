//! `.dbl` files: a game, one line a row, between two points with coordinates `(x, y)`, `x` from the left and `y` from
//! the top.
//!
//! ```text
//!    Dabble                     KSquares
//!    3,2                        2,1                      columns, rows: Dabble counts dots, KSquares boxes
//!    (1, 0) - (1, 1)            (0, 0) - (1, 0)          the left top line of 1x2
//!    (1, 1) - (2, 1)            (1, 0) - (1, 1)          the line between its boxes
//! ```
//! Dabble is about strings and coins: its points are boxes, counted from 1, and 0 or one past the last is the ground.
//! KSquares writes the same rows with dots, counted from 0. Rows that begin with `#` are comments.

use std::sync::Arc;

use super::context::same_board;
use super::cursor::{Cursor, Place};
use super::grid::{Game, grid_of};
use super::{Context, Notation, NotationError, Transcript};
use crate::grid::Grid;
use crate::{Board, LineIdx};

/// The points of one row, as `x`, `y`, `x`, `y`.
type Points = [usize; 4];

pub(super) fn read(notation: Notation, text: &str, context: Context<'_>) -> Result<Transcript, NotationError> {
    let mut cursor = Cursor::new(notation, text);
    let size_place = next_row(&mut cursor);
    let (width, height) = size(&mut cursor)?;
    let (rows, cols) = match notation {
        Notation::Dabble if width < 2 || height < 2 => {
            let problem = "expected at least two columns and two rows of dots; is the size in boxes (ksquares)?";
            return Err(size_place.error(problem));
        }
        Notation::Dabble => (height - 1, width - 1),
        _ => (height, width),
    };
    let found = Board::grid(rows, cols).map_err(|error| size_place.error(error.to_string()))?;
    let mut game = Game::new(notation, context.start_on(&same_board(context.board, found)?)?)?;
    loop {
        let place = next_row(&mut cursor);
        if cursor.peek().is_none() {
            return Ok(game.transcript);
        }
        let points @ [x1, y1, x2, y2] = row(&mut cursor)?;
        let name = format!("({x1}, {y1}) - ({x2}, {y2})");
        let line = if notation == Notation::Dabble { string(game.grid, points) } else { dots(game.grid, points) };
        match line {
            Some(line) => game.draw(line, &name, place)?,
            None => {
                let points = if notation == Notation::Dabble { "boxes" } else { "dots" };
                let problem = format!("{name} joins no neighbouring {points} of {}", game.board());
                return Err(place.error(problem));
            }
        }
    }
}

/// The line between two dots.
fn dots(grid: Grid, [x1, y1, x2, y2]: Points) -> Option<LineIdx> {
    let is_dot = |x, y| x <= grid.cols && y <= grid.rows;
    let are_dots = is_dot(x1, y1) && is_dot(x2, y2);
    if are_dots { grid.line_between((y1, x1), (y2, x2)) } else { None }
}

/// The line between two boxes, or a box and the ground.
fn string(grid: Grid, [x1, y1, x2, y2]: Points) -> Option<LineIdx> {
    let is_point = |x, y| x <= grid.cols + 1 && y <= grid.rows + 1;
    let are_points = is_point(x1, y1) && is_point(x2, y2);
    if !are_points || x1.abs_diff(x2) + y1.abs_diff(y2) != 1 {
        return None;
    }
    grid.line_at((y1 + y2).checked_sub(1)?, (x1 + x2).checked_sub(1)?)
}

/// Goes to the next row that is neither blank nor a comment.
fn next_row(cursor: &mut Cursor<'_>) -> Place {
    loop {
        cursor.skip_space();
        if cursor.peek() != Some('#') {
            return cursor.place();
        }
        cursor.skip(|c| c != '\n');
    }
}

/// Width and height, in the order of the file.
fn size(cursor: &mut Cursor<'_>) -> Result<(usize, usize), NotationError> {
    let width = cursor.number("the size of the board as columns, rows")?;
    separator(cursor, ',')?;
    let height = cursor.number("a number of rows")?;
    end_of_row(cursor)?;
    Ok((width, height))
}

fn row(cursor: &mut Cursor<'_>) -> Result<Points, NotationError> {
    let (x1, y1) = point(cursor)?;
    separator(cursor, '-')?;
    let (x2, y2) = point(cursor)?;
    end_of_row(cursor)?;
    Ok([x1, y1, x2, y2])
}

fn point(cursor: &mut Cursor<'_>) -> Result<(usize, usize), NotationError> {
    cursor.expect('(')?;
    cursor.skip_blanks();
    let x = cursor.number("a number")?;
    separator(cursor, ',')?;
    let y = cursor.number("a number")?;
    cursor.skip_blanks();
    cursor.expect(')')?;
    Ok((x, y))
}

/// A character with or without blanks around it.
fn separator(cursor: &mut Cursor<'_>, wanted: char) -> Result<(), NotationError> {
    cursor.skip_blanks();
    cursor.expect(wanted)?;
    cursor.skip_blanks();
    Ok(())
}

fn end_of_row(cursor: &mut Cursor<'_>) -> Result<(), NotationError> {
    cursor.skip_blanks();
    if cursor.peek().is_none_or(|c| c == '\n') { Ok(()) } else { Err(cursor.expected("the end of the row")) }
}

/// The notation of this file, if either program wrote it. Every row of Dabble could be one of KSquares on a larger board,
/// but none of those is on the border there; a file with no line on the border is taken for Dabble's. A board that fits
/// only one of them decides; without it a file of no line is either's.
pub(super) fn detect(text: &str, board: Option<&Arc<Board>>) -> Option<Result<Notation, NotationError>> {
    let mut cursor = Cursor::new(Notation::Dabble, text);
    next_row(&mut cursor);
    let (width, height) = size(&mut cursor).ok()?;
    if let Some(Grid { rows, cols }) = board.and_then(|board| Grid::from_kind(board.kind())) {
        if (height, width) == (rows, cols) {
            return Some(Ok(Notation::KSquares));
        }
        if (height, width) == (rows + 1, cols + 1) {
            return Some(Ok(Notation::Dabble));
        }
    }
    next_row(&mut cursor);
    if board.is_none() && cursor.peek().is_none() && width.min(height) >= 2 {
        return Some(Err(NotationError::TwoNotations { first: Notation::Dabble, second: Notation::KSquares }));
    }
    let is_on_border =
        |[x1, y1, x2, y2]: Points| (x1 == x2 && (x1 == 0 || x1 == width)) || (y1 == y2 && (y1 == 0 || y1 == height));
    let rows = std::iter::from_fn(|| {
        next_row(&mut cursor);
        row(&mut cursor).ok()
    });
    let has_border = rows.into_iter().any(is_on_border);
    Some(Ok(if has_border { Notation::KSquares } else { Notation::Dabble }))
}

pub(super) fn write(notation: Notation, transcript: &Transcript) -> Result<String, NotationError> {
    let grid = grid_of(notation, transcript.start().board())?;
    let extra = usize::from(notation == Notation::Dabble);
    let mut text = format!("{},{}", grid.cols + extra, grid.rows + extra);
    for &line in transcript.whole_game().moves() {
        let ends = if notation == Notation::Dabble { grid.boxes_of(line) } else { grid.dots_of(line) };
        let [(y1, x1), (y2, x2)] = ends;
        text += &format!("\n({x1}, {y1}) - ({x2}, {y2})");
    }
    Ok(text)
}
