//! `dab crosscheck board`: the theory against every simple loony endgame of a solved board.

use std::fmt::{self, Display};
use std::path::Path;

use anyhow::bail;
use dab::Tablebase;
use dab::crosscheck::{self, BoardCheck, MultisetCount};
use serde::Serialize;

use crate::options::Setting;
use crate::output::Count;
use crate::progress::Progress;

#[derive(Serialize)]
#[serde(transparent)]
struct Report(BoardCheck);

pub(crate) fn run(from: &Path, setting: &Setting) -> anyhow::Result<()> {
    let run = Tablebase::open(from)?;
    let progress = Progress::new(run.space().layout().total_positions())?;
    let report = Report(crosscheck::board(&run, run.slab_budget(setting.limits()), &progress)?);
    drop(progress);
    setting.output.print(&report)?;
    match report.0 {
        BoardCheck { first: None, .. } => Ok(()),
        BoardCheck { first: Some(first), disagreements, .. } => {
            bail!("{disagreements} disagreements between theory and {}, first {first}", from.display())
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(BoardCheck { board, endgames, opened, multisets, disagreements, .. }) = self;
        for MultisetCount { endgame, positions } in multisets {
            writeln!(f, "{:>14}  {endgame}", Count((*positions).into()))?;
        }
        let (endgames, opened) = (Count((*endgames).into()), Count((*opened).into()));
        writeln!(f, "{board}: {endgames} stored positions are simple loony endgames, {} multisets", multisets.len())?;
        writeln!(f, "{opened} positions one line later were compared with plain recursion")?;
        write!(f, "{} disagreements", Count((*disagreements).into()))
    }
}
