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
mod cluster;
mod cmd;
mod failure;
mod input;
mod options;
mod output;
mod progress;
mod remedy;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;
use crate::cluster::Cluster;
use crate::options::{Options, Setting, Verb};

/// Exit code of a program that panicked.
const PANICKED: u8 = 101;

/// Slabs of all sizes come and go on all threads; the system's allocator spends a third of a large solve on that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // The allocator asks for huge pages. Each is resident as a whole as soon as a byte of it is touched, so small solves
    // took twice the memory and none were faster. Where there is no such setting, nothing is lost.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    let options = match Options::try_from(Args::parse()) {
        Ok(options) => options,
        Err(error) => return failure::usage(&error),
    };
    let Options { verb, mut setting } = options;
    let joined = match verb {
        Verb::Solve(_) => Cluster::join(&mut setting),
        _ => Ok(Cluster::alone()),
    };
    let cluster = match joined {
        Ok(cluster) => cluster,
        Err(error) => return failure::report(&error).into(),
    };
    // A process that is one of many ends them all, whatever goes wrong: they would wait for it.
    match catch_unwind(AssertUnwindSafe(|| run(verb, &setting, &cluster))) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            let code = failure::report(&error);
            cluster.abort(code);
            code.into()
        }
        Err(panic) => {
            cluster.abort(PANICKED);
            resume_unwind(panic)
        }
    }
}

fn run(verb: Verb, setting: &Setting, cluster: &Cluster) -> anyhow::Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(setting.threads).build_global()?;
    match verb {
        Verb::Solve(options) => cmd::solve::run(&options, setting, cluster),
        Verb::Slabs { dir, ready: false } => cmd::slabs::show(&dir, setting),
        Verb::Slabs { dir, ready: true } => cmd::slabs::ready(&dir, setting),
        Verb::SolveSlab { dir, layer, slabs } => cmd::slabs::solve(&dir, layer, &slabs, setting),
        Verb::Plan(options) => cmd::plan::run(&options, setting),
        Verb::Convert { input, to } => cmd::convert::run(&input, to, setting),
        Verb::Query(options) => cmd::query::run(&options, setting),
        Verb::Problems { path, only } => cmd::problems::run(path.as_deref(), &only, setting),
        Verb::Review { game, from, penalty } => cmd::review::run(&game, from.as_deref(), penalty, setting),
        Verb::Penalties { position, to } => cmd::penalties::run(&position, to, setting),
        Verb::Nimstring(positions) => cmd::nimstring::run(&positions, setting),
        Verb::Search { position, penalty } => cmd::search::run(&position, penalty, setting),
        Verb::Verify { path, level, repair } => cmd::verify::run(&path, level, repair, setting),
        Verb::Book { dir, extent, out } => cmd::book::run(&dir, &extent, &out, setting),
        Verb::Draw { record, scores, from, out } => cmd::draw::run(&record, scores, from.as_deref(), &out, setting),
        Verb::Plot { from, out } => cmd::plot::run(&from, &out, setting),
        Verb::Serve { from, port } => cmd::serve::run(&from, port, setting),
        Verb::Info(path) => cmd::info::run(&path, setting),
        Verb::Endgame(position) => cmd::endgame::run(&position, setting),
        Verb::CrosscheckEndgames(sets) => cmd::crosscheck::endgames::run(&sets, setting),
        Verb::CrosscheckBoard(from) => cmd::crosscheck::board::run(&from, setting),
        Verb::CrosscheckRuns { one, other } => cmd::crosscheck::runs::run(&one, &other, setting),
    }
}
