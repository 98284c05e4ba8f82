//! `dab crosscheck runs`: two solved runs or books of one start against each other, such as its two spaces.

use std::fmt::{self, Display};

use anyhow::bail;
use dab::crosscheck;
use dab_solve::SlabCache;
use serde::Serialize;

use crate::failure::Usage;
use crate::options::{RunsOptions, Setting};
use crate::output::Count;
use crate::progress::Progress;
use dab::Tablebase;

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

pub(crate) fn run(RunsOptions { one, other }: &RunsOptions, setting: &Setting) -> anyhow::Result<()> {
    let (ours, theirs) = (Tablebase::open(one)?, Tablebase::open(other)?);
    theirs.require_all()?;
    let [game, their_game] = [ours.files().game(), theirs.files().game()];
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
    let inputs = SlabCache::to_check(theirs.space(), theirs.files(), budget(&ours, &theirs, setting)?);
    let book = theirs.book_through(&inputs);
    let layers: Vec<usize> = ours.files().layers().map(|layer| layer.layer).collect();
    let progress = Progress::new(ours.files().layers().map(|layer| u128::from(layer.positions)).sum())?;
    let check = crosscheck::runs(ours.space(), ours.files(), &layers, &book, &progress)?;
    drop(progress);
    let report = Report {
        one: one.display().to_string(),
        other: other.display().to_string(),
        layers: layers.len(),
        positions: check.positions,
        disagreements: check.disagreements,
        first: check.first,
    };
    setting.output.print(&report)?;
    match report.first {
        None => Ok(()),
        Some(first) => bail!("{} scores differ, first {first}", report.disagreements),
    }
}

/// Bytes for slabs of the other one, when each thread holds a slab of the first one and what it asks of the other.
fn budget(ours: &Tablebase, theirs: &Tablebase, setting: &Setting) -> anyhow::Result<u64> {
    for run in [ours, theirs] {
        setting.check_memory(run)?;
    }
    let taken = crosscheck::thread_memory(ours.space()).saturating_mul(setting.threads as u64);
    Ok(setting.slab_budget(theirs).saturating_sub(taken).saturating_sub(ours.plan().index().bytes()))
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { one, other, layers, .. } = self;
        writeln!(f, "{one} and {other}: {} positions of {layers} layers compared", Count(self.positions.into()))?;
        write!(f, "{} disagreements", Count(self.disagreements.into()))
    }
}
