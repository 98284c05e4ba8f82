//! `dab query`: scores, best moves and best play of positions.
//!
//! Positions come from the command line and from a batch with one position a line. A batch is read as it comes: a
//! chunk is what is there, answered in parallel and printed in order before the next one is read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use dab_board::notation;
use dab_board::{Board, BoardError, LineSet, Position};
use dab_book::Book;
use dab_store::ScoreRead;
use rayon::prelude::*;

use crate::cache::Cache;
use crate::failure::Usage;
use crate::options::{QueryOptions, Setting};
use crate::output::Output;
use crate::run::{Files, Run};

use self::answer::{Scored, Source};
use self::solved::{Solved, is_beyond};

mod answer;
pub(crate) mod solved;

/// Lines of a batch that are answered before anything is printed, at most.
const CHUNK: usize = 1 << 14;
/// Lines that a thread answers at a time.
const PIECE: usize = 1 << 7;

pub(crate) fn run(options: &QueryOptions, setting: &Setting) -> anyhow::Result<()> {
    let output = setting.output;
    let Some(from) = &options.from else {
        return answer_all(options, output, None, |position, out| on_the_spot(position, options, output, out));
    };
    let run = Run::open(from)?;
    if let Files::Run(_) = run.files {
        run.require_finished()?;
    }
    let penalty = run.rules.penalty;
    if let Some(asked) = options.penalty.filter(|&asked| asked != i32::from(penalty)) {
        let from = from.display();
        return Err(Usage(format!(
            "{from} was solved with last-move penalty {penalty}, not {asked}: leave out --penalty, ask a run solved with \
             --penalty {asked}, or leave out --from to solve on the spot"
        ))
        .into());
    }
    let cache = Cache::new(&run.space, &run.files, setting.memory);
    // A few questions do not pay for keeping anything; marks ask many.
    let scores: &dyn ScoreRead = if options.batch.is_some() || options.marks { &cache } else { &run.files };
    let book = Book::new(&run.space, scores);
    let source = Source { book, name: run.files.kind(), penalty, marks: options.marks };
    let board = run.space.layout().units().start().board();
    answer_all(options, output, Some(board), |position, out| match source.ask(position, output, out) {
        Err(error) if error.downcast_ref().is_some_and(is_beyond) => below(&error, position, &source, output, out),
        answered => answered,
    })
}

/// Solves a position in memory and answers it.
fn on_the_spot(position: &Position, options: &QueryOptions, output: Output, out: &mut Vec<u8>) -> anyhow::Result<()> {
    let penalty = options.penalty.unwrap_or(0);
    let flag = if penalty == 0 { String::new() } else { format!(" --penalty {penalty}") };
    let remedy = format!("run 'dab solve {position}{flag}' (or solve its board) and ask with --from DIR");
    let solved = Solved::new(position, penalty, &remedy)?;
    output.note(format!("{position}: solved in memory, {} undrawn lines", position.undrawn().len()));
    solved.source(options.marks).ask(position, output, out)
}

/// The same for a position whose answer needs what a book leaves out, as `error` says.
fn below(
    error: &anyhow::Error,
    position: &Position,
    book: &Source<'_>,
    output: Output,
    out: &mut Vec<u8>,
) -> anyhow::Result<()> {
    let solved = Solved::new(position, book.penalty.into(), &error.to_string())?;
    output.note(format!("{position}: below the book, solved in memory, {} undrawn lines", position.undrawn().len()));
    solved.source(book.marks).ask(position, output, out)
}

impl Source<'_> {
    fn ask(&self, position: &Position, output: Output, out: &mut Vec<u8>) -> anyhow::Result<()> {
        output.write(&Scored::new(position, self, !output.json)?, out)
    }
}

/// Answers the positions of the command line and of the batch, most of which are on `board`.
fn answer_all(
    options: &QueryOptions,
    output: Output,
    board: Option<&Arc<Board>>,
    ask: impl Fn(&Position, &mut Vec<u8>) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    // Texts are set apart by an empty line.
    let ask = |position: &Position, is_first: bool, out: &mut Vec<u8>| {
        if !is_first && !output.json {
            out.push(b'\n');
        }
        ask(position, out)
    };
    for (i, position) in options.positions.iter().enumerate() {
        let mut text = Vec::new();
        ask(position, i == 0, &mut text)?;
        out.write_all(&text)?;
    }
    let Some(batch) = &options.batch else { return Ok(()) };
    let mut batch = Batch::open(batch)?;
    let parser = Parser::new(board);
    let mut lines = Vec::new();
    let mut n_answered = options.positions.len();
    while batch.read(&mut lines)? {
        let answer = |piece: usize, i: usize, out: &mut Vec<u8>| {
            let (number, line) = &lines[PIECE * piece + i];
            let is_first = n_answered + PIECE * piece + i == 0;
            let answered = parser.parse(line).map_err(anyhow::Error::from).and_then(|p| ask(&p, is_first, out));
            answered.with_context(|| format!("{}, line {number}", batch.name))
        };
        let pieces = lines.par_chunks(PIECE).enumerate().map(|(piece, lines)| {
            let mut text = Vec::new();
            let done = (0..lines.len()).try_for_each(|i| answer(piece, i, &mut text));
            (text, done)
        });
        let pieces: Vec<(Vec<u8>, anyhow::Result<()>)> = pieces.collect();
        for (text, done) in pieces {
            out.write_all(&text)?;
            if done.is_err() {
                out.flush()?;
                return done;
            }
        }
        out.flush()?;
        n_answered += lines.len();
    }
    Ok(())
}

/// Reads positions, those of one board without making it again: that takes longer than an answer.
struct Parser<'a> {
    /// The board, and how its positions begin.
    known: Option<(&'a Arc<Board>, String)>,
}

impl<'a> Parser<'a> {
    fn new(board: Option<&'a Arc<Board>>) -> Self {
        Self { known: board.map(|board| (board, format!("{}:", board.kind()))) }
    }

    fn parse(&self, text: &str) -> Result<Position, BoardError> {
        let known = self.known.as_ref().and_then(|(board, prefix)| {
            let mask = text.strip_prefix(prefix)?;
            let is_hex = mask.bytes().all(|byte| byte.is_ascii_hexdigit());
            let drawn = u128::from_str_radix(mask, 16).ok().filter(|_| is_hex)?;
            Position::new(Arc::clone(board), LineSet(drawn)).ok()
        });
        // What is wrong with anything else the notation knows how to say.
        known.map_or_else(|| notation::parse(text), Ok)
    }
}

/// The lines of a batch that hold positions.
struct Batch {
    name: String,
    reader: BufReader<Box<dyn Read>>,
    n_lines: usize,
}

impl Batch {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let (name, file): (String, Box<dyn Read>) = if path == Path::new("-") {
            ("standard input".to_owned(), Box::new(io::stdin()))
        } else {
            let file = File::open(path).with_context(|| format!("cannot open the batch {}", path.display()))?;
            (path.display().to_string(), Box::new(file))
        };
        Ok(Self { name, reader: BufReader::with_capacity(1 << 20, file), n_lines: 0 })
    }

    /// Fills `lines` with the next lines and their numbers: at least one, and what else can be had without waiting.
    fn read(&mut self, lines: &mut Vec<(usize, String)>) -> anyhow::Result<bool> {
        lines.clear();
        let is_waiting = |reader: &BufReader<Box<dyn Read>>| reader.buffer().contains(&b'\n');
        while lines.is_empty() || (lines.len() < CHUNK && is_waiting(&self.reader)) {
            let mut line = String::new();
            self.n_lines += 1;
            let read = self.reader.read_line(&mut line);
            if read.with_context(|| format!("cannot read line {} of {}", self.n_lines, self.name))? == 0 {
                break;
            }
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                lines.push((self.n_lines, line.to_owned()));
            }
        }
        Ok(!lines.is_empty())
    }
}
