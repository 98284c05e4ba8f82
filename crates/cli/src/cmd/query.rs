//! `dab query`: scores, best moves and best play of positions.
//!
//! Positions come from the command line and from a batch with one position a line. A batch is read as it comes: a
//! chunk is what is there, answered in parallel and printed in order before the next one is read.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use dab::batch::{self, Effort, Lines, Parser};
use dab::{Files, Source, Tablebase};
use dab_board::{Board, Position};
use dab_store::ScoreRead;

use crate::failure::Usage;
use crate::options::{QueryOptions, Setting};
use crate::output::Output;
use dab::text::Asked;

use super::on_demand;

use self::answer::{Asking, Scored};

pub(crate) mod answer;

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
    let cache = run.cache(run.slab_budget(setting.limits()));
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
    let (name, text): (String, Box<dyn Read>) = if batch == Path::new("-") {
        ("standard input".to_owned(), Box::new(io::stdin()))
    } else {
        let file = File::open(batch).with_context(|| format!("cannot open the batch {}", batch.display()))?;
        (batch.display().to_string(), Box::new(file))
    };
    let (mut text, parser) = (Lines::new(text), Parser::new(board, options.board.as_ref()));
    let (mut lines, mut n_answered) = (Vec::new(), options.positions.len());
    let unreadable = |(line, error)| anyhow::Error::new(error).context(format!("cannot read line {line} of {name}"));
    while text.read(&mut lines).map_err(unreadable)? {
        let answer = |i: usize, effort: Effort, out: &mut Vec<u8>| {
            let (number, line) = &lines[i];
            let asked = parser.parse(line).map_err(anyhow::Error::from);
            let answered = asked.and_then(|asked| ask(&asked, n_answered + i == 0, effort, out));
            answered.with_context(|| format!("{name}, line {number}"))
        };
        batch::answer_in_order(lines.len(), answer, &mut out)?;
        n_answered += lines.len();
    }
    Ok(())
}
