//! Reading a text character by character, always knowing the place.

use std::str::Chars;

use super::{Notation, NotationError};
use crate::error::shown;

/// A place in a text that is read in some notation; row and column count from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) notation: Notation,
    pub(super) row: usize,
    pub(super) column: usize,
}

impl Place {
    /// An error at this place.
    pub(super) fn error(self, problem: impl Into<String>) -> NotationError {
        let Self { notation, row, column } = self;
        NotationError::At { notation, row, column, problem: problem.into() }
    }
}

/// The unread rest of a text, with its place.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    rest: Chars<'a>,
    place: Place,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(notation: Notation, text: &'a str) -> Self {
        Self { rest: text.chars(), place: Place { notation, row: 1, column: 1 } }
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        if next == '\n' {
            self.place.row += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(next)
    }

    /// Passes over characters, and says how many.
    pub(super) fn skip(&mut self, passes: impl Fn(char) -> bool) -> usize {
        let mut n_skipped = 0;
        while self.peek().is_some_and(&passes) {
            self.next();
            n_skipped += 1;
        }
        n_skipped
    }

    /// Passes over white space, line breaks among them.
    pub(super) fn skip_space(&mut self) {
        self.skip(char::is_whitespace);
    }

    /// Passes over blanks within a row.
    pub(super) fn skip_blanks(&mut self) {
        self.skip(|c| c.is_whitespace() && c != '\n');
    }

    /// Passes over `wanted` if it is next.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Passes over `wanted`, which has to be next.
    pub(super) fn expect(&mut self, wanted: char) -> Result<(), NotationError> {
        if self.take(wanted) { Ok(()) } else { Err(self.expected(&format!("'{wanted}'"))) }
    }

    /// The error that something else was expected next: `what`.
    pub(super) fn expected(&self, what: &str) -> NotationError {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some('\n' | '\r') => "the end of the row".to_owned(),
            Some(c) => format!("{c:?}"),
        };
        self.place.error(format!("expected {what}, found {found}"))
    }

    /// The characters from here on that `belongs` takes, which stay unread.
    pub(super) fn word(&self, belongs: impl Fn(char) -> bool) -> &'a str {
        let text = self.rest.as_str();
        &text[..text.find(|c| !belongs(c)).unwrap_or(text.len())]
    }

    /// A number without sign.
    pub(super) fn number(&mut self, what: &str) -> Result<usize, NotationError> {
        let text = self.rest.as_str();
        let place = self.place;
        let n_digits = self.skip(|c| c.is_ascii_digit());
        match text[..n_digits].parse() {
            Ok(number) => Ok(number),
            Err(_) if n_digits == 0 => Err(self.expected(what)),
            Err(_) => Err(place.error(format!("{} is too large", shown(&text[..n_digits])))),
        }
    }

    /// A letter of either case, counted from `a` = 0.
    pub(super) fn letter(&mut self, what: &str) -> Result<usize, NotationError> {
        match self.peek() {
            Some(c) if c.is_ascii_alphabetic() => {
                self.next();
                Ok(c.to_ascii_lowercase() as usize - 'a' as usize)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Letters of either case as the name of a column, counted from `a` = 0; `aa` follows `z`.
    pub(super) fn letters(&mut self, what: &str) -> Result<usize, NotationError> {
        let mut column = self.letter(what)?;
        while let Ok(next) = self.letter(what) {
            column = column.saturating_add(1).saturating_mul(26).saturating_add(next);
        }
        Ok(column)
    }
}
