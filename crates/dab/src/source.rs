//! Scores to ask, together with the rules that they belong to.

use dab_board::{LineIdx, Position};
use dab_book::{Answer, Book, Marks};

use crate::{Error, Tablebase};

/// A table with the way in which it is read.
pub struct Source<'a> {
    /// Answers.
    pub book: Book<'a>,
    /// `run`, `book` or `solved`, as [`crate::Files::kind`].
    pub kind: &'static str,
    /// The last-move penalty, in boxes.
    pub penalty: i8,
}

/// One line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The lines in the order in which they are drawn.
    pub lines: Vec<LineIdx>,
    /// Whether it reaches the end of the game.
    pub is_whole: bool,
}

impl<'a> Source<'a> {
    /// Answers of `table` read through `book`.
    pub fn new(table: &Tablebase, book: Book<'a>) -> Self {
        Self { book, kind: table.files().kind(), penalty: table.penalty() }
    }

    /// The answer for a position; marks take a walk over all that best play can reach.
    ///
    /// # Errors
    /// As [`Tablebase::answer`].
    pub fn answer(&self, position: &Position, marks: bool) -> Result<Answer, Error> {
        let answer = if marks { Marks::new(&self.book).answer(position) } else { self.book.answer(position) };
        Ok(answer?)
    }

    /// One line of best play, always the lowest best line. Where the scores end, `beyond` may know the rest; if it does
    /// not, the play ends there.
    ///
    /// # Errors
    /// As [`Tablebase::best_play`], and those of `beyond`.
    pub fn best_play<E: From<Error>>(
        &self,
        position: &Position,
        beyond: impl FnOnce(&Position) -> Result<Option<Vec<LineIdx>>, E>,
    ) -> Result<Play, E> {
        let mut lines = Vec::new();
        let mut now = position.clone();
        loop {
            let answer = match self.answer(&now, false) {
                Err(error) if error.is_beyond() => {
                    let rest = beyond(&now)?;
                    let is_whole = rest.is_some();
                    lines.extend(rest.unwrap_or_default());
                    return Ok(Play { lines, is_whole });
                }
                answer => answer?,
            };
            let Some(line) = answer.best().next() else { return Ok(Play { lines, is_whole: true }) };
            lines.push(line);
            now = now.draw(line).0;
        }
    }
}
