//! `dab query`: scores, best moves and best play of positions.
//!
//! Positions come from the command line and from a batch with one position a line. A batch is read as it comes: a
//! chunk is what is there, answered in parallel and printed in order before the next one is read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use dab::{Files, Source, Tablebase};
use dab_board::{Board, LineSet, Position};
use dab_store::ScoreRead;
use rayon::prelude::*;

use crate::failure::Usage;
use crate::input::{self, Asked};
use crate::options::{QueryOptions, Setting};
use crate::output::Output;

use super::on_demand;

use self::answer::{Asking, Scored};

pub(crate) mod answer;

/// Lines of a batch that are answered before anything is printed, at most.
const CHUNK: usize = 1 << 14;
/// Lines that a thread answers at a time.
const PIECE: usize = 1 << 7;

pub(crate) fn run(options: &QueryOptions, setting: &Setting) -> anyhow::Result<()> {
    let output = setting.output;
    let Some(from) = &options.from else {
        return answer_all(options, output, None, |asked, effort, out| {
            on_the_spot(asked, options, setting, effort, out)
        });
    };
    let run = Tablebase::open(from)?;
    if let Files::Run(_) = run.files() {
        run.require_finished()?;
    }
    run.require_penalty(options.penalty)?;
    let cache = run.cache(setting.slab_budget(&run));
    // A few questions do not pay for keeping anything; marks ask many.
    let scores: &dyn ScoreRead = if options.batch.is_some() || options.marks { &cache } else { run.files() };
    let source = Source::new(&run, run.book_through(scores));
    let asking = Asking { source: &source, marks: options.marks, setting };
    let board = run.board();
    answer_all(options, output, Some(board), |asked, effort, out| {
        check_penalty(asked, &source)?;
        match Scored::new(&asked.position, &asking, !output.json) {
            Err(error) if error.downcast_ref().is_some_and(dab::Error::is_beyond) => {
                below(&error, &asked.position, &asking, effort, out)
            }
            answered => output.write(&answered?, out).map(|()| true),
        }
    })
}

/// Refuses a position whose text charges another penalty than the scores do.
fn check_penalty(asked: &Asked, source: &Source<'_>) -> anyhow::Result<()> {
    match asked.penalty {
        Some(penalty) if penalty != i32::from(source.penalty) => Err(Usage(format!(
            "{} is to be played with a last-move penalty of {penalty}, but the {} has a penalty of {}; ask a run with \
             that penalty, or write the position without one",
            asked.position, source.kind, source.penalty,
        ))
        .into()),
        _ => Ok(()),
    }
}

/// What may be spent on an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// A moment: others are answered at the same time.
    Quick,
    /// What solving on the spot may take, all threads and all memory.
    Any,
}

/// Solves a position and answers it, unless that takes more than the effort.
fn on_the_spot(
    asked: &Asked,
    options: &QueryOptions,
    setting: &Setting,
    effort: Effort,
    out: &mut Vec<u8>,
) -> anyhow::Result<bool> {
    let (position, output) = (&asked.position, setting.output);
    let penalty = asked.penalty_or(options.penalty)?;
    let flag = if penalty == 0 { String::new() } else { format!(" --penalty {penalty}") };
    let remedy = format!("run 'dab solve {position}{flag} --out DIR' (or solve its board) and ask with --from DIR");
    let Some(solved) = solve(position, penalty, setting, effort, &remedy)? else { return Ok(false) };
    output.note(format!(
        "{position}: solved {}, {} undrawn lines",
        on_demand::place(&solved),
        position.undrawn().len()
    ));
    output.write(&answer(&solved, position, options.marks, setting)?, out)?;
    Ok(true)
}

/// The same for a position whose answer needs what a book leaves out, as `error` says.
fn below(
    error: &anyhow::Error,
    position: &Position,
    book: &Asking<'_>,
    effort: Effort,
    out: &mut Vec<u8>,
) -> anyhow::Result<bool> {
    let (setting, output) = (book.setting, book.setting.output);
    let solved = solve(position, book.source.penalty.into(), setting, effort, &error.to_string())?;
    let Some(solved) = solved else { return Ok(false) };
    let (place, undrawn) = (on_demand::place(&solved), position.undrawn().len());
    output.note(format!("{position}: below the book, solved {place}, {undrawn} undrawn lines"));
    output.write(&answer(&solved, position, book.marks, setting)?, out)?;
    Ok(true)
}

fn solve(
    position: &Position,
    penalty: i32,
    setting: &Setting,
    effort: Effort,
    remedy: &str,
) -> anyhow::Result<Option<Tablebase>> {
    match effort {
        Effort::Quick => on_demand::solve_if_quick(position, penalty, setting),
        Effort::Any => on_demand::solve(position, penalty, setting, remedy).map(Some),
    }
}

/// The answer of a table that was solved for this position.
fn answer(solved: &Tablebase, position: &Position, marks: bool, setting: &Setting) -> anyhow::Result<Scored> {
    let cache;
    let book = match solved.files() {
        // Marks ask many questions.
        Files::Temporary(..) if marks => {
            cache = solved.cache(setting.memory);
            solved.book_through(&cache)
        }
        _ => solved.book(),
    };
    let asking = Asking { source: &Source::new(solved, book), marks, setting };
    Scored::new(position, &asking, !setting.output.json)
}

/// Answers the positions of the command line and of the batch, most of which are on `board`. `ask` says whether it did.
fn answer_all(
    options: &QueryOptions,
    output: Output,
    board: Option<&Arc<Board>>,
    ask: impl Fn(&Asked, Effort, &mut Vec<u8>) -> anyhow::Result<bool> + Sync,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    // Texts are set apart by an empty line.
    let ask = |asked: &Asked, is_first: bool, effort: Effort, out: &mut Vec<u8>| {
        let before = out.len();
        if !is_first && !output.json {
            out.push(b'\n');
        }
        let is_answered = ask(asked, effort, out)?;
        if !is_answered {
            out.truncate(before);
        }
        Ok(is_answered)
    };
    for (i, asked) in options.positions.iter().enumerate() {
        let mut text = Vec::new();
        ask(asked, i == 0, Effort::Any, &mut text)?;
        out.write_all(&text)?;
    }
    let Some(batch) = &options.batch else { return Ok(()) };
    let mut batch = Batch::open(batch)?;
    let parser = Parser::new(board, options.board.as_ref());
    let mut lines = Vec::new();
    let mut n_answered = options.positions.len();
    while batch.read(&mut lines)? {
        let answer = |i: usize, effort: Effort, out: &mut Vec<u8>| {
            let (number, line) = &lines[i];
            let is_first = n_answered + i == 0;
            let answered = parser.parse(line).and_then(|asked| ask(&asked, is_first, effort, out));
            answered.with_context(|| format!("{}, line {number}", batch.name))
        };
        // The answers of a piece until one of them takes more than a moment, and how many that are.
        let pieces = lines.par_chunks(PIECE).enumerate().map(|(piece, lines)| {
            let mut text = Vec::new();
            let not_answered =
                (0..lines.len()).find_map(|i| match answer(PIECE * piece + i, Effort::Quick, &mut text) {
                    Ok(true) => None,
                    Ok(false) => Some(Ok(i)),
                    Err(error) => Some(Err(error)),
                });
            (text, not_answered.unwrap_or(Ok(lines.len())))
        });
        let pieces: Vec<(Vec<u8>, anyhow::Result<usize>)> = pieces.collect();
        for (piece, (text, done)) in pieces.into_iter().enumerate() {
            out.write_all(&text)?;
            let (first, end) = (PIECE * piece, lines.len().min(PIECE * (piece + 1)));
            let rest = done.and_then(|answered| {
                (first + answered..end).try_for_each(|i| {
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
        out.flush()?;
        n_answered += lines.len();
    }
    Ok(())
}

/// Reads positions, those of one board without making it again: that takes longer than an answer.
struct Parser<'a> {
    /// The board, and how its positions begin.
    known: Option<(&'a Arc<Board>, String)>,
    /// The board of positions whose notation does not tell it.
    told: Option<&'a Arc<Board>>,
}

impl<'a> Parser<'a> {
    fn new(board: Option<&'a Arc<Board>>, told: Option<&'a Arc<Board>>) -> Self {
        Self { known: board.map(|board| (board, format!("{}:", board.name()))), told }
    }

    fn parse(&self, text: &str) -> anyhow::Result<Asked> {
        let known = self.known.as_ref().and_then(|(board, prefix)| {
            let mask = text.strip_prefix(prefix)?;
            let is_hex = mask.bytes().all(|byte| byte.is_ascii_hexdigit());
            let drawn = u128::from_str_radix(mask, 16).ok().filter(|_| is_hex)?;
            Position::new(Arc::clone(board), LineSet(drawn)).ok()
        });
        // What is wrong with anything else the notation knows how to say.
        match known {
            Some(position) => Ok(Asked { position, penalty: None }),
            None => input::parse(text, None, self.told).map(|input| Asked::from(&input.record)),
        }
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
