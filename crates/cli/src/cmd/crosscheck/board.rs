//! `dab crosscheck board`: the theory against every simple loony endgame of a solved board.

use std::fmt::{self, Display};
use std::path::Path;

use anyhow::bail;
use dab_book::Book;
use dab_solve::{Observer, SolveError};
use dab_space::SpaceKind;
use rayon::prelude::*;
use serde::Serialize;

use super::survey::{JointFree, Tally, check_opened};
use crate::cache::Cache;
use crate::failure::Usage;
use crate::options::Setting;
use crate::output::Count;
use crate::progress::Progress;
use crate::run::Run;

#[derive(Serialize)]
struct Report {
    board: String,
    /// Stored positions that are simple loony endgames.
    endgames: u64,
    /// Positions, each one line after such an endgame, that were compared with plain recursion.
    opened: u64,
    multisets: Vec<Multiset>,
    disagreements: u64,
    first: Option<String>,
}

#[derive(Serialize)]
struct Multiset {
    endgame: String,
    positions: u64,
}

pub(crate) fn run(from: &Path, setting: &Setting) -> anyhow::Result<()> {
    let run = Run::open(from)?;
    if run.space.kind() != SpaceKind::Quiet || run.rules.penalty != 0 {
        let (dir, game) = (from.display(), run.files.game());
        return Err(Usage(format!(
            "{dir} is a run of the {} space with penalty {}: the theory is checked on runs of the quiet space without \
             penalty",
            game.space, game.penalty
        ))
        .into());
    }
    run.require_all()?;
    let cache = Cache::new(&run.space, &run.files, run.slab_budget(setting));
    let book = Book::new(&run.space, &cache);
    let joint_free = JointFree::new(&run.space);
    let progress = Progress::new(run.space.layout().total_positions())?;
    let mut tally = Tally::default();
    for (layer, keys) in run.space.layout().layers().iter().enumerate() {
        progress.layer(layer);
        let of_slab = |&key| {
            if progress.should_stop() {
                return Err(anyhow::Error::from(SolveError::Stopped { layer }));
            }
            progress.positions(run.space.layout().positions(key));
            Ok(joint_free.survey(&run.space, &book, key)?)
        };
        let of_layer = keys.par_iter().with_max_len(1).map(of_slab);
        tally = tally.merge(of_layer.try_reduce(Tally::default, |a, b| Ok(a.merge(b)))?);
    }
    let (opened, tally) = check_opened(&book, tally)?;
    drop(progress);
    let multiset = |((_, endgame), positions)| Multiset { endgame, positions };
    let report = Report {
        board: run.files.game().start.clone(),
        endgames: tally.endgames.values().sum(),
        opened,
        multisets: tally.endgames.into_iter().map(multiset).collect(),
        disagreements: tally.disagreements,
        first: tally.first.map(|(_, first)| first),
    };
    setting.output.print(&report)?;
    match report.first {
        None => Ok(()),
        Some(first) => {
            bail!("{} disagreements between theory and {}, first {first}", report.disagreements, from.display())
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Multiset { endgame, positions } in &self.multisets {
            writeln!(f, "{:>14}  {endgame}", Count((*positions).into()))?;
        }
        let Self { board, multisets, .. } = self;
        let (endgames, opened) = (Count(self.endgames.into()), Count(self.opened.into()));
        writeln!(f, "{board}: {endgames} stored positions are simple loony endgames, {} multisets", multisets.len())?;
        writeln!(f, "{opened} positions one line later were compared with plain recursion")?;
        write!(f, "{} disagreements", Count(self.disagreements.into()))
    }
}
