//! Printed output: results on standard output as text or JSON lines, everything else on standard error.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, Write};

use dab_board::notation::{Rim, diagram};
use dab_board::{Board, LineIdx, Position, Score};
use dab_table::{Answer, Mark};
use serde::Serialize;

use crate::failure::{Result, wrong};

pub(crate) use dab::figures::{Bytes, Count, Time, plural};
pub(crate) use dab::text::list;

/// Writes the text of a result behind other text.
pub(crate) type Text<T> = fn(&T, &mut String) -> fmt::Result;

/// The form in which results are printed.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
    /// Whether notes are left out.
    pub(crate) quiet: bool,
}

impl Output {
    /// Prints a result and a line break: as JSON, or as the text that `text` makes of it.
    pub(crate) fn print<T: Serialize>(self, result: &T, text: Text<T>) -> Result<()> {
        let mut out = Vec::new();
        if self.json {
            json_line(result, &mut out)?;
        } else {
            let mut written = String::new();
            text(result, &mut written).map_err(|error| wrong(error.to_string()))?;
            out.extend(visible(&written).bytes());
            out.push(b'\n');
        }
        Ok(io::stdout().lock().write_all(&out)?)
    }

    /// Tells a human something that is no result.
    pub(crate) fn note(self, text: impl Display) {
        if !self.json && !self.quiet {
            message(text);
        }
    }
}

/// Appends an object of JSON and a line break. Its first field is the version of what docs/JSON.md describes.
pub(crate) fn json_line<T: Serialize>(result: &T, out: &mut Vec<u8>) -> Result<()> {
    const HEAD: &[u8] = br#"{"version":1"#;
    out.extend(HEAD);
    let brace = out.len();
    serde_json::to_writer(&mut *out, result).map_err(io::Error::from)?;
    out[brace] = b',';
    out.push(b'\n');
    Ok(())
}

/// Prints a message; a closed standard error is no reason to fail.
pub(crate) fn message(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(&text.to_string()));
}

/// A text as a terminal may have it: names of coins and files are anybody's, and a terminal obeys control characters. Line breaks
/// and tabs are left.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(is_obeyed) {
        return text.into();
    }
    let escaped = |c: char| if is_obeyed(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escaped).collect()
}

/// Columns of text that rows of words fill at most.
const COLUMNS: usize = 80;

/// A label and words behind it, in rows that begin below each other.
pub(crate) fn rows<W: AsRef<str>>(label: &str, words: impl IntoIterator<Item = W>) -> String {
    let indent = label.chars().count();
    let (mut text, mut column) = (label.to_owned(), indent);
    for word in words {
        let word = word.as_ref();
        let width = word.chars().count();
        if column > indent && column + 1 + width > COLUMNS {
            text += &format!("\n{:indent$}", "");
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += width;
    }
    text
}

/// A label and the names of some lines behind it.
pub(crate) fn lines(label: &str, board: &Board, lines: impl IntoIterator<Item = LineIdx>) -> String {
    rows(label, lines.into_iter().map(|line| board.line_name(line)))
}

/// A position with the score of every move on its line, marks behind it, the best ones with a star.
pub(crate) fn picture(position: &Position, answer: &Answer) -> String {
    diagram::draw(position, Rim::Names, |line: LineIdx| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_nothing_to_obey() {
        assert!(matches!(visible("a\tb\né"), Cow::Borrowed("a\tb\né")));
        assert_eq!(visible("\u{1b}[2J\r\u{9b}1m\n"), "\\u{1b}[2J\\r\\u{9b}1m\n");
    }

    #[test]
    fn rows_are_no_wider_than_a_terminal() {
        assert_eq!(rows("best  ", ["a1-b1", "b1-c1"]), "best  a1-b1 b1-c1");
        let text = rows("best  ", std::iter::repeat_n("a1-b1", 30));
        assert!(text.lines().all(|row| row.len() <= 80) && text.lines().nth(1).unwrap().starts_with("      a1-b1 "));
        assert_eq!(text.matches("a1-b1").count(), 30);
    }
}
