//! Printed output: results on standard output as text or JSON lines, everything else on standard error.

use std::fmt::{self, Display};
use std::io::{self, Write};

use dab_board::notation::diagram;
use dab_board::{LineIdx, Position, Score};
use dab_book::{Answer, Mark};
use serde::Serialize;

pub(crate) use dab::figures::{Bytes, Count, Time};
pub(crate) use dab::text::list;

/// Writes the text of a result behind other text.
pub(crate) type Text<T> = fn(&T, &mut String) -> fmt::Result;

/// The form in which results are printed.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
}

impl Output {
    /// Writes a result and a line break: as JSON, or as the text that `text` makes of it.
    pub(crate) fn write<T: Serialize>(self, result: &T, text: Text<T>, out: &mut impl Write) -> anyhow::Result<()> {
        if self.json {
            serde_json::to_writer(&mut *out, result)?;
        } else {
            let mut written = String::new();
            text(result, &mut written)?;
            out.write_all(written.as_bytes())?;
        }
        Ok(writeln!(out)?)
    }

    /// Prints a result.
    pub(crate) fn print<T: Serialize>(self, result: &T, text: Text<T>) -> anyhow::Result<()> {
        let mut out = Vec::new();
        self.write(result, text, &mut out)?;
        Ok(io::stdout().lock().write_all(&out)?)
    }

    /// Tells a human something that is no result.
    pub(crate) fn note(self, text: impl Display) {
        if !self.json {
            message(text);
        }
    }
}

/// Prints a message; a closed standard error is no reason to fail.
pub(crate) fn message(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// A position with the score of every move on its line, marks behind it, the best ones with a star.
pub(crate) fn picture(position: &Position, answer: &Answer) -> String {
    diagram::draw(position, |line: LineIdx| {
        let m = answer.moves.iter().find(|m| m.line == line)?;
        let star = if m.score == answer.score { "*" } else { "" };
        Some(format!("{}{star}", marked(m.score, m.mark)))
    })
}

/// A score with its loony mark, if it has one: `-3v`.
pub(crate) fn marked(score: Score, mark: Option<Mark>) -> String {
    format!("{score}{}", mark.map_or("", Mark::symbol))
}

/// The last-move penalty of a score as text that follows its position, if there is one.
pub(crate) fn with_penalty(penalty: impl Into<i32>) -> String {
    match penalty.into() {
        0 => String::new(),
        penalty => format!(", last-move penalty {penalty}"),
    }
}
