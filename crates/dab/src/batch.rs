//! Many questions in a text, a line each: read as they come, answered in parallel, written in order.
//!
//! ```text
//!    lines ─► chunk (the lines that are there) ─► pieces, each answered by a thread while it is quick ─► rest, one by one
//! ```

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;

use dab_board::{Board, LineSet, Position};
use rayon::prelude::*;

use crate::Error;
use crate::text::{self, Asked};

/// Lines of a chunk at most.
const CHUNK: usize = 1 << 14;
/// Lines that a thread answers at a time.
const PIECE: usize = 1 << 7;

/// The effort that may be spent on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A moment, because other questions are answered at the same time.
    Quick,
    /// As much as a solve on demand takes, with all threads and all memory.
    Any,
}

/// The lines of a text that hold questions: neither blank nor beginning with `#`.
pub struct Lines<R> {
    reader: BufReader<R>,
    n_read: usize,
}

impl<R: Read> Lines<R> {
    /// The lines of `text`.
    pub fn new(text: R) -> Self {
        Self { reader: BufReader::with_capacity(1 << 20, text), n_read: 0 }
    }

    /// Fills `lines` with the next lines and their numbers: at least one, and others that can be had without waiting.
    /// False at the end of the text.
    ///
    /// # Errors
    /// The number of the line that cannot be read, and why.
    pub fn read(&mut self, lines: &mut Vec<(usize, String)>) -> Result<bool, (usize, io::Error)> {
        lines.clear();
        let is_waiting = |reader: &BufReader<R>| reader.buffer().contains(&b'\n');
        while lines.is_empty() || (lines.len() < CHUNK && is_waiting(&self.reader)) {
            let mut line = String::new();
            self.n_read += 1;
            if self.reader.read_line(&mut line).map_err(|error| (self.n_read, error))? == 0 {
                break;
            }
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                lines.push((self.n_read, line.to_owned()));
            }
        }
        Ok(!lines.is_empty())
    }
}

/// Writes the answers to the questions `0..n` in order. `answer` appends one to a text, or says that it takes more than the
/// effort.
///
/// # Errors
/// The first one of `answer` or `out`; the answers before it are written.
pub fn answer_in_order<E: From<io::Error> + Send>(
    n: usize,
    answer: impl Fn(usize, Effort, &mut Vec<u8>) -> Result<bool, E> + Sync,
    out: &mut impl Write,
) -> Result<(), E> {
    // The answers of a piece until one of them takes more than a moment, and how many that are.
    let pieces = (0..n.div_ceil(PIECE)).into_par_iter().map(|piece| {
        let (first, end) = (PIECE * piece, n.min(PIECE * (piece + 1)));
        let mut text = Vec::new();
        let not_answered = (first..end).find_map(|i| match answer(i, Effort::Quick, &mut text) {
            Ok(true) => None,
            Ok(false) => Some(Ok(i)),
            Err(error) => Some(Err(error)),
        });
        (text, not_answered.unwrap_or(Ok(end)), end)
    });
    let pieces: Vec<(Vec<u8>, Result<usize, E>, usize)> = pieces.collect();
    for (text, done, end) in pieces {
        out.write_all(&text)?;
        let rest = done.and_then(|next| {
            (next..end).try_for_each(|i| {
                let mut text = Vec::new();
                answer(i, Effort::Any, &mut text)?;
                Ok(out.write_all(&text)?)
            })
        });
        if rest.is_err() {
            out.flush()?;
            return rest;
        }
    }
    Ok(out.flush()?)
}

/// Reads positions; those of one board without making it again, which takes longer than an answer.
pub struct Parser<'a> {
    /// The board, and the beginning of its positions.
    known: Option<(&'a Arc<Board>, String)>,
    /// The board of positions whose notation does not tell it.
    told: Option<&'a Arc<Board>>,
}

impl<'a> Parser<'a> {
    /// A parser of positions most of which are on `known`; `told` is the board of those whose notation does not tell it.
    pub fn new(known: Option<&'a Arc<Board>>, told: Option<&'a Arc<Board>>) -> Self {
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
    fn answers_come_in_order_until_an_error() {
        let answer = |i: usize, effort: Effort, text: &mut Vec<u8>| -> Result<bool, io::Error> {
            if i == 1000 {
                return Err(io::Error::other("thousand"));
            }
            // Every seventh one takes long.
            let is_answered = effort == Effort::Any || !i.is_multiple_of(7);
            if is_answered {
                text.extend(format!("{i}\n").bytes());
            }
            Ok(is_answered)
        };
        let mut out = Vec::new();
        assert!(answer_in_order(2000, answer, &mut out).is_err());
        let expected: String = (0..1000).map(|i| format!("{i}\n")).collect();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn lines_that_hold_questions() {
        let mut lines = Vec::new();
        let mut text = Lines::new(&b"# none\n 1x1:0 \n\n1x1:1"[..]);
        assert!(text.read(&mut lines).unwrap());
        assert_eq!(lines, [(2, "1x1:0".to_owned())]);
        assert!(text.read(&mut lines).unwrap());
        assert_eq!(lines, [(4, "1x1:1".to_owned())]);
        assert!(!text.read(&mut lines).unwrap());
    }
}
