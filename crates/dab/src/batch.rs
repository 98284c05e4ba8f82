//! Many questions in a text, a line each: read as they come, answered in parallel, written in order.
//!
//! ```text
//!    lines ─► chunk (the lines that are there) ─► pieces, each answered by a thread while it is quick ─► rest, one by one
//! ```

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dab_board::notation::Context;
use dab_board::{Board, LineSet, Position, Start};
use dab_space::caught;
use dab_store::Crew;

use crate::text::{self, Asked};
use crate::{Error, ErrorKind};

/// Lines of a chunk at most.
const CHUNK: usize = 1 << 14;
/// Bytes of a line at most. A position takes a few hundred in any notation.
const LINE_BYTES: usize = 1 << 16;
/// Lines that a thread answers at a time.
const PIECE: usize = 1 << 7;

/// The effort that may be spent on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What tables hold; nothing is solved.
    Tables,
    /// A moment, because other questions are answered at the same time.
    Quick,
    /// As much as a solve on demand takes, with all threads and all memory.
    Any,
}

/// The lines of a text that hold questions: neither blank nor beginning with `#`.
struct Lines<R> {
    reader: BufReader<R>,
    n_read: usize,
}

impl<R: Read> Lines<R> {
    /// The lines of `text`.
    fn new(text: R) -> Self {
        Self { reader: BufReader::with_capacity(1 << 20, text), n_read: 0 }
    }

    /// Fills `lines` with the next lines and their numbers: at least one, and others that can be had without waiting.
    /// False at the end of the text.
    ///
    /// # Errors
    /// The number of the line that cannot be read, and why.
    fn read(&mut self, lines: &mut Vec<(usize, String)>) -> Result<bool, (usize, io::Error)> {
        lines.clear();
        let is_waiting = |reader: &BufReader<R>| reader.buffer().contains(&b'\n');
        while lines.is_empty() || (lines.len() < CHUNK && is_waiting(&self.reader)) {
            self.n_read += 1;
            let Some(line) = self.line().map_err(|error| (self.n_read, error))? else { break };
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                lines.push((self.n_read, line.to_owned()));
            }
        }
        Ok(!lines.is_empty())
    }

    /// The next line; `None` at the end of the text.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        if self.reader.by_ref().take(LINE_BYTES as u64 + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() > LINE_BYTES {
            return Err(io::Error::other(format!("it has more than {LINE_BYTES} bytes")));
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}

/// Writes the answers to the lines of a text in order. `answer` appends one to a text, or says that it takes more than the
/// effort. `failed` is told the number and the text of a line that cannot be answered; it appends something else, or gives the
/// error back, which ends the batch. Returns the number of lines, and of those that were not answered.
///
/// # Errors
/// The first one of `failed` or `out`; the answers before it are written. Also if the text cannot be read; `unreadable` makes
/// an error of the number of the line and the reason.
pub fn answer_lines(
    text: impl Read,
    answer: impl Fn(&str, Effort, &mut Vec<u8>) -> Result<bool, Error> + Sync,
    failed: impl Fn(usize, &str, Error, &mut Vec<u8>) -> Result<(), Error> + Sync,
    unreadable: impl Fn(usize, io::Error) -> Error,
    out: &mut impl Write,
) -> Result<(usize, usize), Error> {
    let (mut text, mut lines) = (Lines::new(text), Vec::new());
    let (mut n_lines, mut n_failed) = (0, 0);
    while text.read(&mut lines).map_err(|(line, error)| unreadable(line, error))? {
        let answer = |i: usize, effort: Effort, out: &mut Vec<u8>| answer(&lines[i].1, effort, out);
        let failed = |i: usize, error: Error, out: &mut Vec<u8>| failed(lines[i].0, &lines[i].1, error, out);
        n_failed += answer_in_order(lines.len(), answer, failed, out)?;
        n_lines += lines.len();
    }
    Ok((n_lines, n_failed))
}

/// The same for the questions `0..n`. Returns the number of those that were not answered.
fn answer_in_order(
    n: usize,
    answer: impl Fn(usize, Effort, &mut Vec<u8>) -> Result<bool, Error> + Sync,
    failed: impl Fn(usize, Error, &mut Vec<u8>) -> Result<(), Error> + Sync,
    out: &mut impl Write,
) -> Result<usize, Error> {
    let n_failed = AtomicUsize::new(0);
    let try_answer = |i: usize, effort: Effort, text: &mut Vec<u8>| {
        let before = text.len();
        let answered = caught(|| answer(i, effort, text)).unwrap_or_else(|said| Err(defect(&said)));
        answered.or_else(|error| {
            text.truncate(before);
            n_failed.fetch_add(1, Ordering::Relaxed);
            failed(i, error, text).map(|()| true)
        })
    };
    // The answers of a piece until one of them takes more than a moment, and how many that are.
    let answered = |piece| {
        let (first, end) = (PIECE * piece, n.min(PIECE * (piece + 1)));
        let mut text = Vec::new();
        let not_answered = (first..end).find_map(|i| match try_answer(i, Effort::Quick, &mut text) {
            Ok(true) => None,
            Ok(false) => Some(Ok(i)),
            Err(error) => Some(Err(error)),
        });
        (text, not_answered.unwrap_or(Ok(end)), end)
    };
    for (text, done, end) in Crew::Together.map((0..n.div_ceil(PIECE)).collect(), answered) {
        out.write_all(&text)?;
        let rest = done.and_then(|next| {
            (next..end).try_for_each(|i| {
                let mut text = Vec::new();
                try_answer(i, Effort::Any, &mut text)?;
                Ok(out.write_all(&text)?)
            })
        });
        if rest.is_err() {
            out.flush()?;
        }
        rest?;
    }
    out.flush()?;
    Ok(n_failed.into_inner())
}

/// The error of a line whose answer panicked.
fn defect(said: &str) -> Error {
    Error::new(ErrorKind::Wrong, format!("a defect of dab ({said}): please report it with this line"))
}

/// Reads positions; those of one board without making it again, which takes longer than an answer.
pub struct Parser<'a> {
    /// The board, and the beginning of its positions.
    known: Option<(&'a Arc<Board>, String)>,
    /// Board and start of the others, where their texts do not say them.
    told: Context<'a>,
}

impl<'a> Parser<'a> {
    /// A parser of positions most of which are on `known`; `told` is what their texts do not say.
    pub fn new(known: Option<&'a Arc<Board>>, told: Context<'a>) -> Self {
        let known = known.filter(|_| told.start == Start::American);
        Self { known: known.map(|board| (board, format!("{}:", board.name()))), told }
    }

    /// Reads a position in any notation.
    ///
    /// # Errors
    /// As [`text::read`].
    pub fn parse(&self, text: &str) -> Result<Asked, Error> {
        let known = self.known.as_ref().and_then(|(board, prefix)| {
            let mask = text.strip_prefix(prefix)?;
            let is_hex = mask.bytes().all(|byte| byte.is_ascii_hexdigit());
            let drawn = u128::from_str_radix(mask, 16).ok().filter(|_| is_hex)?;
            Position::new(Arc::clone(board), LineSet(drawn)).ok()
        });
        // The notation knows how to say what is wrong with any other text.
        match known {
            Some(position) => Ok(Asked { position, penalty: None }),
            None => text::read(text, None, self.told, text::graph_of_file).map(|input| Asked::from(&input.record)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order() {
        let answer = |i: usize, effort: Effort, text: &mut Vec<u8>| -> Result<bool, Error> {
            if i == 1000 {
                text.extend(b"part of an answer");
                return Err(Error::input("thousand"));
            }
            // Every seventh one takes long.
            let is_answered = effort == Effort::Any || !i.is_multiple_of(7);
            if is_answered {
                text.extend(format!("{i}\n").bytes());
            }
            Ok(is_answered)
        };
        let mut out = Vec::new();
        let stop = |_: usize, error, _: &mut Vec<u8>| Err(error);
        assert!(answer_in_order(2000, answer, stop, &mut out).is_err());
        let expected = |n: usize| -> String { (0..n).map(|i| format!("{i}\n")).collect() };
        assert_eq!(String::from_utf8(out).unwrap(), expected(1000));
        let mut out = Vec::new();
        let note = |i: usize, error: Error, text: &mut Vec<u8>| {
            text.extend(format!("{i}: {error}\n").bytes());
            Ok(())
        };
        assert_eq!(answer_in_order(2000, answer, note, &mut out).unwrap(), 1);
        assert_eq!(String::from_utf8(out).unwrap(), expected(2000).replace("\n1000\n", "\n1000: thousand\n"));
    }

    #[test]
    fn a_panic_is_the_error_of_its_line() {
        let answer = |i: usize, effort: Effort, text: &mut Vec<u8>| -> Result<bool, Error> {
            text.extend(format!("{i}\n").bytes());
            assert!(!i.is_multiple_of(300), "no answer to {i}");
            // Some of them in the second round.
            Ok(effort == Effort::Any || !i.is_multiple_of(7))
        };
        let mut out = Vec::new();
        let note = |i: usize, error: Error, text: &mut Vec<u8>| {
            text.extend(format!("{i}: {error}\n").bytes());
            Ok(())
        };
        // Those that take long are begun again.
        let answer = |i: usize, effort: Effort, text: &mut Vec<u8>| {
            let before = text.len();
            let answered = answer(i, effort, text);
            if let Ok(false) = answered {
                text.truncate(before);
            }
            answered
        };
        assert_eq!(answer_in_order(700, answer, note, &mut out).unwrap(), 3);
        let defect = |i: usize| format!("{i}: a defect of dab (no answer to {i}): please report it with this line\n");
        let line = |i: usize| if i.is_multiple_of(300) { defect(i) } else { format!("{i}\n") };
        assert_eq!(String::from_utf8(out).unwrap(), (0..700).map(line).collect::<String>());
    }

    #[test]
    fn lines_that_hold_questions() {
        let mut lines = Vec::new();
        let mut text = Lines::new(&b"# none\n 1x1:0 \n\n1x1:\xff"[..]);
        assert!(text.read(&mut lines).unwrap());
        assert_eq!(lines, [(2, "1x1:0".to_owned())]);
        assert!(text.read(&mut lines).unwrap());
        // Bytes that are no text belong to a line like any other, which is wrong.
        assert_eq!(lines, [(4, "1x1:\u{fffd}".to_owned())]);
        assert!(!text.read(&mut lines).unwrap());
    }

    #[test]
    fn lines_without_an_end_are_refused() {
        // More than any memory holds.
        let endless = io::repeat(b'1').take(1 << 60);
        let (mut lines, mut text) = (Vec::new(), Lines::new((&b"1x1:0\n"[..]).chain(endless)));
        assert!(text.read(&mut lines).unwrap());
        let (line, error) = text.read(&mut lines).unwrap_err();
        assert_eq!((line, error.to_string().as_str()), (2, "it has more than 65536 bytes"));
    }
}
