//! `dab`: the command line of the Dots-and-Boxes solver.
//!
//! ```text
//!    board → space → solve → store → book → answers
//! ```
//! [`args`] parses the arguments, [`input`] reads the positions in them, a verb of [`cmd`] does the work, [`output`]
//! prints it. Results go to standard output, everything else to standard error; [`failure`] has the exit codes.
#![forbid(unsafe_code)]

mod args;
mod cluster;
mod cmd;
mod error;
mod failure;
mod input;
mod interrupt;
mod options;
mod output;
mod progress;

use std::process::ExitCode;

use clap::FromArgMatches;
use dab::crosscheck::Sample;
use dab_endgame::Family;

use crate::args::{Args, Crosscheck, Verb};
use crate::cmd::crosscheck::Kind;
use crate::failure::Result;
use crate::options::Setting;
use crate::output::Output;

/// Slabs of all sizes come and go on all threads; the system's allocator spends a third of a large solve on that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // The allocator asks for huge pages. Each is resident as a whole as soon as a byte of it is touched, so small solves
    // took twice the memory and none were faster. Where there is no such setting, nothing is lost.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    interrupt::survive_file_limit();
    let Args { verb, json, quiet, threads, memory } =
        match Args::grouped().try_get_matches().and_then(|asked| Args::from_arg_matches(&asked)) {
            Ok(args) => args,
            Err(error) => return failure::report_arguments(&error, Args::output_asked()).into(),
        };
    if quiet {
        progress::be_quiet();
    }
    let output = Output { json, quiet };
    match Setting::new(output, threads, memory).and_then(|setting| run(verb, &setting)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error, output).into(),
    }
}

fn run(verb: Verb, setting: &Setting) -> Result<()> {
    // A solve may share the machine with other processes, so it starts its threads itself.
    if !matches!(verb, Verb::Solve(_)) {
        setting.start_threads()?;
    }
    // The table of a search is one large block, most of whose pages are used: huge pages halve the time of look-ups.
    #[cfg(target_os = "linux")]
    if matches!(verb, Verb::Search(_)) {
        let _ = rustix::thread::disable_transparent_huge_pages(false);
    }
    match verb {
        Verb::Solve(solve) => cmd::solve::run(solve, *setting),
        Verb::Plan(plan) => cmd::plan::run(plan, setting),
        Verb::Convert(convert) => cmd::convert::run(&convert, setting),
        Verb::Query(query) => cmd::query::run(&query, setting),
        Verb::Problems { path, only } => cmd::problems::run(path.as_deref(), &only.unwrap_or_default(), setting),
        Verb::Puzzles(puzzles) => cmd::puzzles::run(&puzzles, setting),
        Verb::Review(review) => cmd::review::run(&review, setting),
        Verb::Penalties { position, told, max_penalty } => {
            cmd::penalties::run(&input::position(&position, told.get())?, max_penalty, setting)
        }
        Verb::Nimstring(nimstring) => cmd::nimstring::run(&nimstring, setting),
        Verb::Search(search) => cmd::search::run(&search, setting),
        Verb::Verify { path, level, repair } => cmd::verify::run(&path, level, repair, setting),
        Verb::Book(book) => cmd::book::run(&book, setting),
        Verb::Draw(draw) => cmd::draw::run(&draw, setting),
        Verb::Plot { path, picture } => cmd::plot::run(&path, &picture, setting),
        Verb::Serve { from, port, time, disk, allow_origin } => {
            cmd::serve::run(&from, port, time, allow_origin.as_deref(), &setting.with_disk(disk))
        }
        Verb::Export(export) => cmd::export::run(&export, setting),
        Verb::Survey { path, nimstring, plot } => cmd::survey::run(&path, nimstring.as_deref(), plot, setting),
        Verb::Census { path, lines } => cmd::census::run(&path, lines, setting),
        Verb::Info { path } => cmd::info::run(path.as_deref(), setting),
        Verb::Endgame(endgame) => cmd::endgame::run(&endgame, setting),
        Verb::Caribou(caribou) => cmd::caribou::run(&caribou, setting),
        Verb::Completions { shell } => cmd::shell::completions(shell),
        Verb::Man { dir } => cmd::shell::man(&dir, setting),
        Verb::Crosscheck(Crosscheck::Endgames { max_boxes, amalgamated, all, odd_loops }) => {
            const ALL: Kind = (Family::all, 60);
            const AMALGAMATED: Kind = (Family::amalgamated, 121);
            let kinds = match (amalgamated, all, odd_loops) {
                (true, ..) => vec![AMALGAMATED],
                (_, true, _) => vec![ALL],
                (.., true) => vec![(Family::with_odd_loops as _, 42)],
                _ => vec![ALL, AMALGAMATED],
            };
            cmd::crosscheck::endgames(&kinds, max_boxes, setting)
        }
        Verb::Crosscheck(Crosscheck::Board { from }) => cmd::crosscheck::board(&from, setting),
        Verb::Crosscheck(Crosscheck::Program { max_boxes, from, program, .. }) => {
            cmd::crosscheck::program(from.as_deref(), max_boxes, &program, setting)
        }
        Verb::Crosscheck(Crosscheck::Search { from, positions, first_layer, seed }) => {
            cmd::crosscheck::search(&from, Sample { positions, first_layer, seed }, setting)
        }
        Verb::Crosscheck(Crosscheck::Runs { one, other }) => cmd::crosscheck::runs(&one, &other, setting),
    }
}
