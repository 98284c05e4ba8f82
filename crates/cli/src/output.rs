//! Printed output: results on standard output as text or JSON lines, everything else on standard error.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

use serde::Serialize;

use crate::error::{Result, wrong};

pub(crate) use dab::figures::{Bytes, Count, Time, plural};
pub(crate) use dab::text::{picture, rows, with_penalty};

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
    /// Sets the text of result `i` apart from the one before it, by an empty line.
    pub(crate) fn set_apart(self, i: usize) -> Result<()> {
        if i > 0 && !self.json {
            io::stdout().lock().write_all(b"\n")?;
        }
        Ok(())
    }

    /// Prints a result and a line break: as JSON, or in words.
    pub(crate) fn print(self, result: &(impl Serialize + Display)) -> Result<()> {
        self.print_as(result, |result, f| write!(f, "{result}"))
    }

    /// As [`Output::print`], in the words that `text` makes of it.
    pub(crate) fn print_as<T: Serialize>(self, result: &T, text: Text<T>) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_nothing_to_obey() {
        assert!(matches!(visible("a\tb\né"), Cow::Borrowed("a\tb\né")));
        assert_eq!(visible("\u{1b}[2J\r\u{9b}1m\n"), "\\u{1b}[2J\\r\\u{9b}1m\n");
    }
}
