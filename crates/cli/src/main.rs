//! `dab`: the command line of the Dots-and-Boxes solver.
//!
//! ```text
//!    board → space → solve → store → book → answers
//! ```
//! Arguments are parsed once into [`options`], a verb of [`cmd`] does the work, [`output`] prints it. Results go to
//! standard output, everything else to standard error. Exit codes: 0 done, 1 failed or damaged, 2 wrong usage or
//! input, 130 interrupted.
#![forbid(unsafe_code)]

mod args;
mod boards;
mod cache;
mod cmd;
mod failure;
mod input;
mod options;
mod output;
mod progress;
mod run;
mod theory;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;
use crate::options::{Options, Verb};

/// Slabs of all sizes come and go on all threads; the system's allocator spends a third of a large solve on that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let options = match Options::try_from(Args::parse()) {
        Ok(options) => options,
        Err(error) => return failure::usage(&error),
    };
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

fn run(Options { verb, setting }: Options) -> anyhow::Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(setting.threads).build_global()?;
    match verb {
        Verb::Solve(options) => cmd::solve::run(&options, &setting),
        Verb::Slabs { dir, ready: false } => cmd::slabs::show(&dir, &setting),
        Verb::Slabs { dir, ready: true } => cmd::slabs::ready(&dir, &setting),
        Verb::SolveSlab(options) => cmd::slabs::solve(&options, &setting),
        Verb::Plan(options) => cmd::plan::run(&options, &setting),
        Verb::Convert(options) => cmd::convert::run(&options, &setting),
        Verb::Query(options) => cmd::query::run(&options, &setting),
        Verb::Problems(options) => cmd::problems::run(&options, &setting),
        Verb::Review(options) => cmd::review::run(&options, &setting),
        Verb::Penalties(options) => cmd::penalties::run(&options, &setting),
        Verb::Nimstring(positions) => cmd::nimstring::run(&positions, &setting),
        Verb::Search(options) => cmd::search::run(&options, &setting),
        Verb::Verify(options) => cmd::verify::run(&options, &setting),
        Verb::Book(options) => cmd::book::run(&options, &setting),
        Verb::Info(path) => cmd::info::run(&path, &setting),
        Verb::Endgame(position) => cmd::endgame::run(&position, &setting),
        Verb::CrosscheckEndgames(sets) => cmd::crosscheck::endgames::run(&sets, &setting),
        Verb::CrosscheckBoard(from) => cmd::crosscheck::board::run(&from, &setting),
        Verb::CrosscheckRuns(options) => cmd::crosscheck::runs::run(&options, &setting),
    }
}
