//! Printed output: results on standard output as text or JSON lines, everything else on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use dab_board::notation::diagram;
use dab_board::{LineIdx, Position, Score};
use dab_book::{Answer, Mark};
use serde::Serialize;

pub(crate) use dab::figures::{Bytes, Count, Time};

/// The form in which results are printed.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
}

impl Output {
    /// Writes a result and a line break.
    pub(crate) fn write(self, result: &(impl Serialize + Display), mut out: impl Write) -> anyhow::Result<()> {
        if self.json {
            serde_json::to_writer(&mut out, result)?;
        } else {
            write!(out, "{result}")?;
        }
        Ok(writeln!(out)?)
    }

    /// Prints a result.
    pub(crate) fn print(self, result: &(impl Serialize + Display)) -> anyhow::Result<()> {
        let mut text = Vec::new();
        self.write(result, &mut text)?;
        Ok(io::stdout().lock().write_all(&text)?)
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

/// Things one after the other, with something between them.
pub(crate) fn list<T: Display>(things: impl IntoIterator<Item = T>, between: &str) -> String {
    things.into_iter().map(|thing| thing.to_string()).collect::<Vec<_>>().join(between)
}
