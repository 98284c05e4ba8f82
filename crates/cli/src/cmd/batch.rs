//! Batches: many questions in a file or on standard input, a line each, answered by an object of JSON each, in order.
//!
//! ```text
//!    lines ─► chunk (the lines that are there) ─► pieces, each answered by a thread while it is quick ─► rest, one by one
//! ```
//! A line that cannot be answered gets an object with its error, unless the batch is strict.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dab::text::{Asked, graph_of_file, read};
use dab::{Effort, Error, ErrorKind};
use dab_board::notation::Context;
use dab_board::{Board, LineSet, Position, Start};
use dab_space::caught;
use dab_store::Crew;
use serde::Serialize;

use crate::args::Batch;
use crate::failure::{self, Failure, Result, wrong};
use crate::output::{json_line, plural};

/// Lines of a chunk at most.
const CHUNK: usize = 1 << 14;
/// Bytes of a line at most. A position takes a few hundred in any notation.
const LINE_BYTES: usize = 1 << 16;
/// Lines that a thread answers at a time.
const PIECE: usize = 1 << 7;

/// The answer to a line that cannot be answered.
#[derive(Serialize)]
struct Fault<'a> {
    #[serde(flatten)]
    failure: Failure,
    line: usize,
    input: &'a str,
}

/// Answers every line of a batch. `answer` appends an object and a line break, or says that it takes more than the effort.
pub(super) fn run(batch: &Batch, answer: impl Fn(&str, Effort, &mut Vec<u8>) -> Result<bool> + Sync) -> Result<()> {
    let Some(path) = &batch.batch else { return Ok(()) };
    let (name, text): (String, Box<dyn Read>) = if path == Path::new("-") {
        ("standard input".to_owned(), Box::new(io::stdin()))
    } else {
        let file = File::open(path).map_err(Error::io(format!("cannot open the batch {}", path.display())))?;
        (path.display().to_string(), Box::new(file))
    };
    let (mut text, mut lines) = (Lines::new(text), Vec::new());
    let (mut n_lines, mut n_failed) = (0, 0);
    let unreadable = |(line, error)| Error::io(format!("cannot read line {line} of {name}"))(error);
    while text.read(&mut lines).map_err(unreadable)? {
        let answer = |i: usize, effort: Effort, out: &mut Vec<u8>| answer(&lines[i].1, effort, out);
        let failed = |i: usize, error: Error, out: &mut Vec<u8>| {
            let (line, ref input) = lines[i];
            if batch.strict || error.kind() == ErrorKind::Interrupted {
                return Err(error.context(format!("{name}, line {line}")));
            }
            let failure = Failure::new(failure::text(&error), error.kind());
            json_line(&Fault { failure, line, input }, out)
        };
        n_failed += answer_in_order(lines.len(), answer, failed, &mut io::stdout().lock())?;
        n_lines += lines.len();
    }
    if n_failed > 0 {
        return Err(wrong(format!("{name}: {n_failed} of {} could not be answered", plural(n_lines as u64, "line"))));
    }
    Ok(())
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

/// Writes the answers to the questions `0..n` in order. `answer` appends one to a text, or says that it takes more than the
/// effort. `failed` is told a question that cannot be answered; it appends something else, or gives the error back, which ends
/// the batch. Returns the number of those that were not answered.
///
/// # Errors
/// The first one of `failed` or `out`; the answers before it are written.
fn answer_in_order(
    n: usize,
    answer: impl Fn(usize, Effort, &mut Vec<u8>) -> Result<bool> + Sync,
    failed: impl Fn(usize, Error, &mut Vec<u8>) -> Result<()> + Sync,
    out: &mut impl Write,
) -> Result<usize> {
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
pub(super) struct Parser<'a> {
    /// The board, and the beginning of its positions.
    known: Option<(&'a Arc<Board>, String)>,
    /// Board and start of the others, where their texts do not say them.
    told: Context<'a>,
}

impl<'a> Parser<'a> {
    /// A parser of positions most of which are on `known`; `told` is what their texts do not say.
    pub(super) fn new(known: Option<&'a Arc<Board>>, told: Context<'a>) -> Self {
        let known = known.filter(|_| told.start == Start::American);
        Self { known: known.map(|board| (board, format!("{}:", board.name()))), told }
    }

    /// Reads a position in any notation.
    ///
    /// # Errors
    /// As [`read`].
    pub(super) fn parse(&self, text: &str) -> Result<Asked> {
        let known = self.known.as_ref().and_then(|(board, prefix)| {
            let mask = text.strip_prefix(prefix)?;
            let is_hex = mask.bytes().all(|byte| byte.is_ascii_hexdigit());
            let drawn = u128::from_str_radix(mask, 16).ok().filter(|_| is_hex)?;
            Position::new(Arc::clone(board), LineSet(drawn)).ok()
        });
        // The notation knows how to say what is wrong with any other text.
        match known {
            Some(position) => Ok(Asked { position, penalty: None }),
            None => read(text, None, self.told, graph_of_file).map(|input| Asked::from(&input.record)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::usage;

    #[test]
    fn answers_come_in_order_and_a_panic_is_the_error_of_its_line() {
        let answer = |i: usize, effort: Effort, text: &mut Vec<u8>| {
            // Every seventh one takes long.
            if effort == Effort::Quick && i.is_multiple_of(7) {
                return Ok(false);
            }
            text.extend(format!("{i}\n").bytes());
            assert!(i % 300 != 299, "no answer to {i}");
            if i == 1000 { Err(usage("thousand")) } else { Ok(true) }
        };
        let line = |i: usize| match i {
            1000 => "1000: thousand\n".to_owned(),
            _ if i % 300 == 299 => {
                format!("{i}: a defect of dab (no answer to {i}): please report it with this line\n")
            }
            _ => format!("{i}\n"),
        };
        let expected = |n: usize| -> String { (0..n).map(line).collect() };
        let mut out = Vec::new();
        let stop = |_: usize, error: Error, _: &mut Vec<u8>| Err(error);
        assert!(answer_in_order(2000, answer, stop, &mut out).is_err());
        assert_eq!(String::from_utf8(out).unwrap(), expected(299));
        let mut out = Vec::new();
        let note = |i: usize, error: Error, text: &mut Vec<u8>| {
            text.extend(format!("{i}: {error}\n").bytes());
            Ok(())
        };
        assert_eq!(answer_in_order(2000, answer, note, &mut out).unwrap(), 7);
        assert_eq!(String::from_utf8(out).unwrap(), expected(2000));
    }
}
