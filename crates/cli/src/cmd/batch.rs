//! Batches: many questions in a file or on standard input, a line each, answered by an object of JSON each, in order.
//!
//! A batch is read as it comes: the lines that are there are answered in parallel and printed before more are read. A line
//! that cannot be answered gets an object with its error, unless the batch is strict.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use dab::batch::{Effort, answer_lines};
use dab::{Error, ErrorKind};
use serde::Serialize;

use crate::args::Batch;
use crate::failure::{self, Failure, Result, wrong};
use crate::output::{json_line, plural};

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
    let failed = |line: usize, input: &str, error: Error, out: &mut Vec<u8>| {
        if batch.strict || error.kind() == ErrorKind::Interrupted {
            return Err(error.context(format!("{name}, line {line}")));
        }
        let failure = Failure::new(failure::text(&error), error.kind());
        json_line(&Fault { failure, line, input }, out)
    };
    let unreadable = |line, error| Error::io(format!("cannot read line {line} of {name}"))(error);
    let (n_lines, n_failed) = answer_lines(text, answer, failed, unreadable, &mut io::stdout().lock())?;
    if n_failed > 0 {
        return Err(wrong(format!("{name}: {n_failed} of {} could not be answered", plural(n_lines as u64, "line"))));
    }
    Ok(())
}
