//! Text form of positions: `3^2+4+6l+8l^3`.
//!
//! ```text
//! position  = "0" | component { "+" component }        "0" is the empty position; a comma or spaces are as good as "+"
//! component = length [ "l" ] [ "^" count ]             l marks a loop; count is 1 or more
//! ```
//! Components may repeat and come in any order; printing is canonical: chains ascending, then loops ascending, equal ones
//! merged, with "+" alone between them. Every error carries the column, in bytes from 1, at which the offending token starts.

use std::{fmt, str::FromStr};

use crate::{
    Component::{self, Chain, Loop},
    Position, PositionError,
};

/// Why a text is not a position, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {kind}")]
pub struct ParseError {
    /// Column in bytes, from 1, of the offending token.
    column: usize,
    /// The mistake there.
    #[source]
    kind: ParseErrorKind,
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ParseErrorKind {
    /// A token that the grammar does not allow here.
    #[error("expected {expected}, found {}", show(*.found))]
    Unexpected { expected: &'static str, found: Option<char> },
    /// A length that does not fit 64 bits.
    #[error("the length {0} is above {max}", max = u64::MAX)]
    LengthOverflow(String),
    /// A count that does not fit 32 bits.
    #[error("the count {0} is above {max}", max = u32::MAX)]
    CountOverflow(String),
    /// `3^0`.
    #[error("a count is at least 1; leave the component out instead")]
    ZeroCount,
    /// Well-formed, but no component of a position.
    #[error(transparent)]
    Component(#[from] PositionError),
}

fn show(c: Option<char>) -> String {
    c.map_or("the end".to_owned(), |c| format!("{c:?}"))
}

impl FromStr for Position {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Position, ParseError> {
        parse(text, Position::add)
    }
}

/// Reads a position, each component by `add`.
pub(crate) fn parse(
    text: &str,
    add: fn(&mut Position, Component, u32) -> Result<(), PositionError>,
) -> Result<Position, ParseError> {
    let mut position = Position::default();
    if text == "0" {
        return Ok(position);
    }
    let mut scan = Scanner { text, at: 0 };
    loop {
        let start = scan.at;
        let (component, count) = scan.component()?;
        add(&mut position, component, count).map_err(|error| scan.error(start, error.into()))?;
        let is_apart = scan.skip_spaces();
        if scan.at == text.len() {
            return Ok(position);
        }
        if scan.accept('+') || scan.accept(',') {
            scan.skip_spaces();
        } else if !is_apart {
            return Err(scan.unexpected("`+`"));
        }
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn component(&mut self) -> Result<(Component, u32), ParseError> {
        let n = self.number("the length of a component", ParseErrorKind::LengthOverflow)?;
        let component = if self.accept('l') { Loop(n) } else { Chain(n) };
        if !self.accept('^') {
            return Ok((component, 1));
        }
        let start = self.at;
        match self.number("a count", ParseErrorKind::CountOverflow)? {
            0 => Err(self.error(start, ParseErrorKind::ZeroCount)),
            count => Ok((component, count)),
        }
    }

    fn number<T: FromStr>(
        &mut self,
        expected: &'static str,
        overflow: fn(String) -> ParseErrorKind,
    ) -> Result<T, ParseError> {
        let rest = &self.text[self.at..];
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        if digits.is_empty() {
            return Err(self.unexpected(expected));
        }
        // A run of digits fails to parse only when it is too large.
        let number = digits.parse().map_err(|_| self.error(self.at, overflow(digits.to_owned())))?;
        self.at += digits.len();
        Ok(number)
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// Passes over spaces, and says whether there were any.
    fn skip_spaces(&mut self) -> bool {
        let start = self.at;
        while self.accept(' ') {}
        self.at > start
    }

    fn unexpected(&self, expected: &'static str) -> ParseError {
        let found = self.text[self.at..].chars().next();
        self.error(self.at, ParseErrorKind::Unexpected { expected, found })
    }

    fn error(&self, at: usize, kind: ParseErrorKind) -> ParseError {
        ParseError { column: at + 1, kind }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("0");
        }
        for (i, (component, count)) in self.multiset().iter().enumerate() {
            let plus = if i == 0 { "" } else { "+" };
            match count {
                1 => write!(f, "{plus}{component}")?,
                _ => write!(f, "{plus}{component}^{count}")?,
            }
        }
        Ok(())
    }
}
