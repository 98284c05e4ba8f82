//! `dab query`: scores, best moves and best play of positions.
//!
//! Positions come from the command line and from a batch with one position a line. A batch is read as it comes: a
//! chunk is what is there, answered in parallel and printed in order before the next one is read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::Context;
use dab_board::Position;
use dab_board::notation;
use dab_book::Book;
use dab_solve::{Rules, solve};
use dab_space::{Space, SpaceKind};
use dab_store::{MemoryStore, ScoreRead};
use rayon::prelude::*;

use crate::cache::Cache;
use crate::failure::Usage;
use crate::options::{QueryOptions, Setting};
use crate::output::Output;
use crate::run::Run;

use self::answer::{Scored, Source};

mod answer;

/// Most undrawn lines of a position that is solved on the spot.
const MAX_UNDRAWN: usize = 30;
/// Lines of a batch that are answered together, at most.
const CHUNK: usize = 1 << 14;

pub(crate) fn run(options: &QueryOptions, setting: &Setting) -> anyhow::Result<()> {
    let Some(from) = &options.from else {
        return answer_all(options, setting.output, |position| on_the_spot(position, setting.output));
    };
    let run = Run::open(from)?;
    run.require_finished()?;
    let cache = Cache::new(&run.space, &run.dir, setting.memory);
    // A few questions do not pay for keeping anything.
    let scores: &dyn ScoreRead = if options.batch.is_some() { &cache } else { &run.dir };
    let source = Source { book: Book::new(&run.space, scores), name: "run", penalty: run.rules.penalty };
    answer_all(options, setting.output, |position| source.ask(position, setting.output))
}

/// Solves a position in memory and answers it.
fn on_the_spot(position: &Position, output: Output) -> anyhow::Result<String> {
    let undrawn = position.undrawn().len();
    if undrawn > MAX_UNDRAWN {
        return Err(Usage(format!(
            "{position} has {undrawn} undrawn lines, but at most {MAX_UNDRAWN} are solved on the spot; run \
             'dab solve {position}' (or solve its board) and ask with --from DIR"
        ))
        .into());
    }
    output.note(format!("{position}: solved in memory, {undrawn} undrawn lines"));
    let space = Space::new(position.clone(), SpaceKind::Quiet)?;
    let rules = Rules::new(&space, 0)?;
    let scores = MemoryStore::new(space.n_layers());
    solve(&space, rules, &scores, u64::MAX, &())?;
    Source { book: Book::new(&space, &scores), name: "solved", penalty: rules.penalty }.ask(position, output)
}

impl Source<'_> {
    fn ask(&self, position: &Position, output: Output) -> anyhow::Result<String> {
        output.render(&Scored::new(position, self, !output.json)?)
    }
}

fn answer_all(
    options: &QueryOptions,
    output: Output,
    ask: impl Fn(&Position) -> anyhow::Result<String> + Sync,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let between = if output.json { "" } else { "\n" };
    for (i, position) in options.positions.iter().enumerate() {
        let text = ask(position)?;
        writeln!(out, "{}{text}", if i == 0 { "" } else { between })?;
    }
    let Some(batch) = &options.batch else { return Ok(()) };
    let mut batch = Batch::open(batch)?;
    let mut lines = Vec::new();
    let mut first = options.positions.is_empty();
    while batch.read(&mut lines)? {
        let answer = |(number, line): &(usize, String)| {
            let answer = notation::parse(line).map_err(anyhow::Error::from).and_then(|position| ask(&position));
            answer.with_context(|| format!("{}, line {number}", batch.name))
        };
        let answers: Vec<anyhow::Result<String>> = lines.par_iter().map(answer).collect();
        let mut chunk = String::new();
        let mut failed = None;
        for answer in answers {
            match answer {
                Ok(answer) => {
                    chunk += if std::mem::take(&mut first) { "" } else { between };
                    chunk += &answer;
                    chunk.push('\n');
                }
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        out.write_all(chunk.as_bytes())?;
        out.flush()?;
        failed.map_or(Ok(()), Err)?;
    }
    Ok(())
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
