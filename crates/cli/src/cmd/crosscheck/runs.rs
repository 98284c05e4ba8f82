//! `dab crosscheck runs`: two solved runs or books of one start against each other, such as its two spaces.

use std::fmt::{self, Display};

use anyhow::bail;
use dab_board::LineSet;
use dab_book::Book;
use dab_solve::SlabCache;
use dab_solve::{Observer, SolveError};
use dab_store::ScoreRead;
use rayon::prelude::*;
use serde::Serialize;

use crate::cmd::solve::check_memory;
use crate::failure::Usage;
use crate::options::{RunsOptions, Setting};
use crate::output::Count;
use crate::progress::Progress;
use crate::run::Run;

#[derive(Serialize)]
struct Report {
    one: String,
    other: String,
    /// Layers of the first one that were compared.
    layers: usize,
    positions: u64,
    disagreements: u64,
    first: Option<String>,
}

/// Positions that are looked up together.
const TOGETHER: usize = 1 << 18;
/// Bytes that each of them takes meanwhile: the position, its run, its place, two numbers.
const BYTES_ASKED: usize = 120;

/// Positions compared, how many of them differ, and the first that does.
#[derive(Default)]
struct Tally {
    positions: u64,
    disagreements: u64,
    first: Option<String>,
}

impl Tally {
    fn merge(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            disagreements: self.disagreements + other.disagreements,
            first: self.first.or(other.first),
        }
    }
}

pub(crate) fn run(RunsOptions { one, other }: &RunsOptions, setting: &Setting) -> anyhow::Result<()> {
    let (ours, theirs) = (Run::open(one)?, Run::open(other)?);
    theirs.require_all()?;
    let [game, their_game] = [ours.files.game(), theirs.files.game()];
    if (&game.start, game.penalty) != (&their_game.start, their_game.penalty) {
        return Err(Usage(format!(
            "{} is of {} with penalty {}, but {} of {} with penalty {}: only scores of the same game can agree",
            one.display(),
            game.start,
            game.penalty,
            other.display(),
            their_game.start,
            their_game.penalty
        ))
        .into());
    }
    let inputs = SlabCache::to_check(&theirs.space, &theirs.files, budget(&ours, &theirs, setting)?);
    let book = Book::new(&theirs.space, &inputs);
    let layers: Vec<usize> = ours.files.layers().map(|layer| layer.layer).collect();
    let progress = Progress::new(ours.files.layers().map(|layer| u128::from(layer.positions)).sum())?;
    let mut tally = Tally::default();
    for &layer in &layers {
        progress.layer(layer);
        let of_slab = |slab: usize| -> anyhow::Result<Tally> {
            if progress.should_stop() {
                return Err(SolveError::Stopped { layer }.into());
            }
            let compared = compare(&ours, layer, slab, &book)?;
            progress.positions(compared.positions);
            Ok(compared)
        };
        let slabs = (0..ours.space.layout().layers()[layer].len()).into_par_iter().with_max_len(1);
        tally = tally.merge(slabs.map(of_slab).try_reduce(Tally::default, |a, b| Ok(a.merge(b)))?);
    }
    drop(progress);
    let report = Report {
        one: one.display().to_string(),
        other: other.display().to_string(),
        layers: layers.len(),
        positions: tally.positions,
        disagreements: tally.disagreements,
        first: tally.first,
    };
    setting.output.print(&report)?;
    match report.first {
        None => Ok(()),
        Some(first) => bail!("{} scores differ, first {first}", report.disagreements),
    }
}

/// Bytes for slabs of the other one, when each thread holds a slab of the first one and what it asks of the other.
fn budget(ours: &Run, theirs: &Run, setting: &Setting) -> anyhow::Result<u64> {
    for run in [ours, theirs] {
        check_memory(&run.plan(), run.space.layout().units(), setting, "")?;
    }
    let of_thread = ours.space.layout().largest_slab() + (TOGETHER * BYTES_ASKED) as u64;
    let taken = of_thread.saturating_mul(setting.threads as u64);
    Ok(theirs.slab_budget(setting).saturating_sub(taken).saturating_sub(ours.plan().index().bytes()))
}

/// Holds every score of a slab against the answer of the other book.
fn compare(ours: &Run, layer: usize, slab: usize, theirs: &Book<'_>) -> anyhow::Result<Tally> {
    let space = &ours.space;
    let key = space.layout().layers()[layer][slab];
    let shape = space.shape(key);
    let scores = ours.files.read_slab(layer, slab, shape)?;
    let mut tally = Tally { positions: scores.len() as u64, ..Tally::default() };
    let board = space.layout().units().start().board().kind();
    for (chunk, scores) in scores.chunks(TOGETHER).enumerate() {
        let drawn = |at: usize| space.lines_of(space.mask_at(key, at / shape.cols(), at % shape.cols()));
        let drawn: Vec<LineSet> = (chunk * TOGETHER..).take(scores.len()).map(drawn).collect();
        for ((&score, said), drawn) in scores.iter().zip(theirs.probe_all(&drawn)?).zip(drawn) {
            if said.0 != score {
                tally.disagreements += 1;
                tally.first.get_or_insert_with(|| format!("{board}:{:x}: {score} and {said}", drawn.0));
            }
        }
    }
    Ok(tally)
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { one, other, layers, .. } = self;
        writeln!(f, "{one} and {other}: {} positions of {layers} layers compared", Count(self.positions.into()))?;
        write!(f, "{} disagreements", Count(self.disagreements.into()))
    }
}
