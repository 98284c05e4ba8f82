//! `dab crosscheck board`: the theory against every simple loony endgame of a solved board.

use std::fmt::{self, Display};
use std::path::Path;

use anyhow::bail;
use dab::crosscheck;
use dab_space::SpaceKind;
use serde::Serialize;

use crate::failure::Usage;
use crate::options::Setting;
use crate::output::Count;
use crate::progress::Progress;
use dab::Tablebase;

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
    let run = Tablebase::open(from)?;
    if run.space().kind() != SpaceKind::Quiet || run.penalty() != 0 {
        let (dir, game) = (from.display(), run.files().game());
        return Err(Usage(format!(
            "{dir} is a run of the {} space with penalty {}: the theory is checked on runs of the quiet space without \
             penalty",
            game.space, game.penalty
        ))
        .into());
    }
    run.require_all()?;
    let cache = run.cache(setting.slab_budget(&run));
    let progress = Progress::new(run.space().layout().total_positions())?;
    let check = crosscheck::board(run.space(), &run.book_through(&cache), &progress)?;
    drop(progress);
    let multiset = |((_, endgame), positions)| Multiset { endgame, positions };
    let report = Report {
        board: run.files().game().start.clone(),
        endgames: check.endgames.values().sum(),
        opened: check.opened,
        multisets: check.endgames.into_iter().map(multiset).collect(),
        disagreements: check.disagreements,
        first: check.first.map(|(_, first)| first),
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
