//! Diagrams: a position as a picture of its dots and lines.
//!
//! ```text
//!    +---+---+   +      dots '+' (all of them '.' instead, if the first one is)
//!    | A         |      lines '-' and '|', open lines blank; letters and digits inside boxes mean nothing
//!    +---+   +---+
//! ```
//! Columns may have any width and rows of boxes any height, the same for all columns; a line must fill its place.
//! The first row of dots sets indentation, width and number of columns. Between dots '+', a full stop counts as a
//! space: some pictures mark chains with it. [`parse`] reads back a drawing of [`draw`], one with scores as labels, too.

use std::ops::Range;

use super::canvas::LineState;
use super::{Rim, coins, dot_picture, score_picture};
use crate::grid::Grid;
use crate::{Board, BoardError, BoardKind, BoxIdx, LineIdx, LineSet, Position};

/// The characters that stand for a dot; one diagram uses only one of them.
pub(crate) const DOTS: [char; 2] = ['+', '.'];

/// Reads a diagram.
///
/// # Errors
/// [`BoardError::BadDiagram`] with the place of the first thing that fits no diagram;
/// [`BoardError::TooManyLines`] if the board is too large.
pub fn parse(text: &str) -> Result<Position, BoardError> {
    parse_marked(text).map(|(position, _)| position)
}

/// A letter or digit inside a box, and its place in the text, from 1.
pub(super) struct Mark {
    pub(super) at: BoxIdx,
    pub(super) mark: char,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// Reads a diagram together with the marks inside its boxes.
pub(super) fn parse_marked(text: &str) -> Result<(Position, Vec<Mark>), BoardError> {
    let bare = score_picture::without_scores(text);
    let picture = Picture::new(bare.as_deref().unwrap_or(text))?;
    let grid = Grid { rows: picture.dot_rows.len() - 1, cols: picture.cols };
    let board = Board::grid(grid.rows, grid.cols)?;
    picture.check_outside()?;
    let mut drawn = LineSet::EMPTY;
    let mut marks = Vec::new();
    // Dots and the lines between them first, then the rows with boxes.
    for i in (0..=2 * grid.rows).step_by(2).chain((1..2 * grid.rows).step_by(2)) {
        for j in 0..=2 * grid.cols {
            let places = picture.rows(i).flat_map(|row| picture.columns(j).map(move |column| (row, column)));
            match grid.line_at(i, j) {
                Some(line) => {
                    if picture.line(places, if i % 2 == 0 { '-' } else { '|' })? {
                        drawn = drawn.with(line);
                    }
                }
                None if i % 2 == 0 => picture.check_dot(places)?,
                None => picture.marks(i / 2 * grid.cols + j / 2, places, &mut marks)?,
            }
        }
    }
    Ok((Position::new(board, drawn)?, marks))
}

/// Text in rows and columns, and where its dots have to be. Rows and columns count from 0.
struct Picture {
    text: Vec<Vec<char>>,
    dot: char,
    /// Column of the leftmost dots.
    left: usize,
    /// Columns from one dot to the next.
    pitch: usize,
    /// Columns of boxes.
    cols: usize,
    /// Rows of text with dots in them, the first and the last row that are not blank among them.
    dot_rows: Vec<usize>,
}

impl Picture {
    fn new(text: &str) -> Result<Self, BoardError> {
        let mut text: Vec<Vec<char>> = text.lines().map(|row| row.chars().collect()).collect();
        let first_mark = |(row, chars): (usize, &Vec<char>)| Some((row, chars.iter().position(marks)?));
        let (top, left) =
            text.iter().enumerate().find_map(first_mark).ok_or_else(|| bad(0, 0, "there are no dots".to_owned()))?;
        let dot = text[top][left];
        if !DOTS.contains(&dot) {
            return Err(bad(top, left, format!("expected the first dot, '+' or '.', found {dot:?}")));
        }
        if dot == '+' {
            text.iter_mut().flatten().filter(|c| **c == '.').for_each(|c| *c = ' ');
        }
        let dots: Vec<usize> = (left..text[top].len()).filter(|&column| text[top][column] == dot).collect();
        let [_, second, ..] = dots[..] else {
            return Err(bad(top, left, "expected a row of at least two dots, found one".to_owned()));
        };
        let pitch = second - left;
        if pitch == 1 {
            return Err(bad(top, second, "there is no room for a line between two dots".to_owned()));
        }
        if let Some(pair) = dots.windows(2).find(|pair| pair[1] - pair[0] != pitch) {
            let problem = format!("expected the dots at equal distances, {pitch} columns as the first two");
            return Err(bad(top, pair[1], problem));
        }
        let dot_rows = dot_rows(&text, top, left, dot)?;
        Ok(Self { text, dot, left, pitch, cols: dots.len() - 1, dot_rows })
    }

    /// Column of the dots left of the boxes of column `c`.
    fn column(&self, c: usize) -> usize {
        self.left + c * self.pitch
    }

    /// Columns of text of a column of the lattice: of dots, or between two dots.
    fn columns(&self, j: usize) -> Range<usize> {
        let at = self.column(j / 2);
        if j.is_multiple_of(2) { at..at + 1 } else { at + 1..at + self.pitch }
    }

    /// Rows of text of a row of the lattice.
    fn rows(&self, i: usize) -> Range<usize> {
        let at = self.dot_rows[i / 2];
        if i.is_multiple_of(2) { at..at + 1 } else { at + 1..self.dot_rows[i / 2 + 1] }
    }

    /// The character at a place; rows may end early.
    fn at(&self, row: usize, column: usize) -> char {
        self.text[row].get(column).copied().unwrap_or(' ')
    }

    fn expected(&self, row: usize, column: usize, what: &str) -> BoardError {
        bad(row, column, format!("expected {what}, found {:?}", self.at(row, column)))
    }

    fn check_outside(&self) -> Result<(), BoardError> {
        let board = self.left..=self.column(self.cols);
        for (row, chars) in self.text.iter().enumerate() {
            if let Some(column) = (0..chars.len()).find(|column| !board.contains(column) && marks(&chars[*column])) {
                return Err(self.expected(row, column, "nothing left or right of the first row of dots"));
            }
        }
        Ok(())
    }

    fn check_dot(&self, mut places: impl Iterator<Item = (usize, usize)>) -> Result<(), BoardError> {
        match places.find(|&(row, column)| self.at(row, column) != self.dot) {
            None => Ok(()),
            Some((row, column)) => {
                Err(self.expected(row, column, &format!("a dot '{}' as in the first row", self.dot)))
            }
        }
    }

    /// Adds the marks of box `at` at these places that are not blank.
    fn marks(
        &self,
        at: BoxIdx,
        places: impl Iterator<Item = (usize, usize)>,
        marks: &mut Vec<Mark>,
    ) -> Result<(), BoardError> {
        for (row, column) in places {
            match self.at(row, column) {
                ' ' => {}
                mark if mark.is_alphanumeric() => marks.push(Mark { at, mark, row: row + 1, column: column + 1 }),
                _ => return Err(self.expected(row, column, "a space, a letter or a digit inside a box")),
            }
        }
        Ok(())
    }

    /// Whether the line through `places` is drawn.
    fn line(&self, places: impl Iterator<Item = (usize, usize)>, stroke: char) -> Result<bool, BoardError> {
        let mut drawn = None;
        for (row, column) in places {
            let found = self.at(row, column);
            if found != ' ' && found != stroke {
                return Err(self.expected(row, column, &format!("'{stroke}' or a space")));
            }
            if *drawn.get_or_insert(found == stroke) != (found == stroke) {
                return Err(bad(row, column, "the line is drawn only in part".to_owned()));
            }
        }
        Ok(drawn == Some(true))
    }
}

/// The rows that contain dots: the first and the last one that are not blank, and never two in succession.
fn dot_rows(text: &[Vec<char>], top: usize, left: usize, dot: char) -> Result<Vec<usize>, BoardError> {
    let mut rows = vec![top];
    let mut bottom = top;
    for (row, chars) in text.iter().enumerate().skip(top + 1) {
        if chars.iter().any(marks) {
            bottom = row;
        }
        if chars.contains(&dot) {
            if rows.last() == Some(&(row - 1)) {
                return Err(bad(row, left, "expected a row of boxes between two rows of dots".to_owned()));
            }
            rows.push(row);
        }
    }
    if rows.last() != Some(&bottom) {
        return Err(bad(bottom, left, "expected a row of dots as the last row".to_owned()));
    }
    if rows.len() == 1 {
        return Err(bad(top, left, "expected at least two rows of dots, found one".to_owned()));
    }
    Ok(rows)
}

fn marks(c: &char) -> bool {
    !c.is_whitespace()
}

fn bad(row: usize, column: usize, problem: String) -> BoardError {
    BoardError::BadDiagram { row: row + 1, column: column + 1, problem }
}

/// The picture of a position, without a line break at its end. An open line may carry a short label in its place,
/// such as the score of drawing it; columns are wide enough for the longest one. [`parse`] reads it back if labels are
/// scores, but no picture of another board than a grid.
pub fn draw(position: &Position, rim: Rim, label: impl Fn(LineIdx) -> Option<String>) -> String {
    let state = |line: LineIdx| match position.drawn().has(line) {
        true => LineState::Drawn,
        false => LineState::Open(label(line).unwrap_or_default().chars().collect()),
    };
    let board = position.board();
    if board.kind() == BoardKind::Graph {
        coins::draw(board, state)
    } else {
        dot_picture::draw(board.kind(), rim, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rows: &[&str], compact: &str) {
        assert_eq!(parse(&rows.join("\n")).unwrap().to_string(), compact);
    }

    #[track_caller]
    fn refused(rows: &[&str], message: &str) {
        assert_eq!(parse(&rows.join("\n")).unwrap_err().to_string(), format!("diagram, {message}"));
    }

    #[test]
    fn sizes_and_dots() {
        check(&["+---+", "|   |", "+---+"], "1x1:f");
        check(&["+-+", "| |", "+-+"], "1x1:f");
        check(&["+-----+   ", "|     |", "|     |", "+-----+"], "1x1:f");
        check(&[". .-.", "|", ". .-."], "1x2:1a");
        check(&["+ +", "", "+ +"], "1x1:0");
        check(&["", "   ", "\t  +---+", "\t  |", "\t  +---+\r", ""], "1x1:7");
    }

    #[test]
    fn marks_inside_boxes_mean_nothing() {
        check(&["+---+---+---+", "| A | Ä1| . .", "+---+---+---+"], "1x3:1ff");
        check(&["+  .  +", "|  .  .", "+  .  +"], "1x1:4");
    }

    #[test]
    fn no_rectangle_of_dots() {
        refused(&[], "row 1, column 1: there are no dots");
        refused(&["", " |"], "row 2, column 2: expected the first dot, '+' or '.', found '|'");
        refused(&["+", "", "+"], "row 1, column 1: expected a row of at least two dots, found one");
        refused(&["++", "", "++"], "row 1, column 2: there is no room for a line between two dots");
        refused(&["+---+"], "row 1, column 1: expected at least two rows of dots, found one");
        refused(&["+---+", "+---+"], "row 2, column 1: expected a row of boxes between two rows of dots");
        refused(&["+---+", "|   |"], "row 2, column 1: expected a row of dots as the last row");
        refused(&["+-+-+", "| |", "+-+"], "row 3, column 5: expected a dot '+' as in the first row, found ' '");
        refused(&["+--+-+"], "row 1, column 6: expected the dots at equal distances, 3 columns as the first two");
        refused(&["+-+--+-+"], "row 1, column 6: expected the dots at equal distances, 2 columns as the first two");
        refused(
            &["+-+", "", "+-+-+"],
            "row 3, column 4: expected nothing left or right of the first row of dots, found '-'",
        );
        refused(
            &[" +-+", "|| |", " +-+"],
            "row 2, column 1: expected nothing left or right of the first row of dots, found '|'",
        );
    }

    #[test]
    fn no_lines() {
        refused(&["+--- +", "", "+    +"], "row 1, column 5: the line is drawn only in part");
        refused(&["+-+", "| |", "", "+-+"], "row 3, column 1: the line is drawn only in part");
        refused(&["+-+", "-", "+-+"], "row 2, column 1: expected '|' or a space, found '-'");
        refused(&["+A1-+", "", "+---+"], "row 1, column 2: expected '-' or a space, found 'A'");
        refused(
            &["+---+", "| --|", "+---+"],
            "row 2, column 3: expected a space, a letter or a digit inside a box, found '-'",
        );
        refused(
            &["+-+", "|\t|", "+-+"],
            "row 2, column 2: expected a space, a letter or a digit inside a box, found '\\t'",
        );
    }

    #[test]
    fn too_large() {
        let dots = "+ ".repeat(9);
        let text = [dots.as_str(); 9].join("\n\n");
        assert_eq!(parse(&text), Err(BoardError::TooManyLines { board: "8x8".to_owned(), lines: 144 }));
    }

    #[track_caller]
    fn check_draw(compact: &str, label: impl Fn(LineIdx) -> Option<&'static str>, expect: &[&str]) {
        let position: Position = compact.parse().unwrap();
        assert_eq!(
            draw(&position, Rim::Bare, |line| label(line).map(str::to_owned)).lines().collect::<Vec<_>>(),
            expect
        );
    }

    #[test]
    fn draws() {
        check_draw("1x2:35", |_| None, &["+---+   +", "|   |", "+---+   +"]);
        check_draw("1x2:35", |_| Some("*"), &["+---+ * +", "|   |   *", "+---+ * +"]);
        check_draw(
            "1x2:2",
            |line| [Some("2"), Some("-3"), Some("2"), None, Some("-1"), Some("2"), Some("0")][line],
            &[" +  2 +----+", "-1    2    0", " +  2 +    +"],
        );
        check_draw("closed:2:1", |line| Some(["", "1", "-1"][line]), &["+----+----+", "|   -1    |", "+----+  1 +"]);
        check_draw("closed:1:0", |_| None, &["+---+", "|   |", "+   +"]);
        check_draw("open:2:35", |_| None, &["+---+   +", "|   |", "+---+   +"]);
        check_draw("1x1:0", |_| Some("-10"), &[" + -10 +", "-10   -10", " + -10 +"]);
        let named = |compact: &str| draw(&compact.parse().unwrap(), Rim::Names, |_| Some("-1".to_owned()));
        let expect = ["2  +----+----+", "  -1    |   -1", "1  + -1 + -1 +", "   a    b    c"];
        assert_eq!(named("1x2:23").lines().collect::<Vec<_>>(), expect);
        assert_eq!(named("9x1").lines().next(), Some("10  + -1 +"));
    }
}
