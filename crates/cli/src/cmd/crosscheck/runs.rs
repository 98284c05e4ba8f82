//! `dab crosscheck runs`: two solved runs or books of one start against each other, such as its two spaces.

use std::fmt::{self, Display};
use std::path::Path;

use anyhow::bail;
use dab::Tablebase;
use dab::crosscheck::{self, RunCheck};
use serde::Serialize;

use crate::options::Setting;
use crate::output::Count;
use crate::progress::Progress;

#[derive(Serialize)]
#[serde(transparent)]
struct Report(RunCheck);

pub(crate) fn run(one: &Path, other: &Path, setting: &Setting) -> anyhow::Result<()> {
    let (ours, theirs) = (Tablebase::open(one)?, Tablebase::open(other)?);
    let slab_bytes = budget(&ours, &theirs, setting)?;
    let progress = Progress::new(ours.files().layers().map(|layer| u128::from(layer.positions)).sum())?;
    let report = Report(crosscheck::runs(&ours, &theirs, slab_bytes, &progress)?);
    drop(progress);
    setting.output.print(&report)?;
    match report.0 {
        RunCheck { first: None, .. } => Ok(()),
        RunCheck { first: Some(first), disagreements, .. } => bail!("{disagreements} scores differ, first {first}"),
    }
}

/// Bytes for slabs of the other one, when each thread holds a slab of the first one and what it asks of the other.
fn budget(ours: &Tablebase, theirs: &Tablebase, setting: &Setting) -> anyhow::Result<u64> {
    for run in [ours, theirs] {
        run.check_memory(setting.limits())?;
    }
    let taken = crosscheck::thread_memory(ours).saturating_mul(setting.threads as u64);
    Ok(theirs.slab_budget(setting.limits()).saturating_sub(taken).saturating_sub(ours.plan().index().bytes()))
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(RunCheck { one, other, layers, positions, disagreements, .. }) = self;
        writeln!(f, "{one} and {other}: {} positions of {layers} layers compared", Count((*positions).into()))?;
        write!(f, "{} disagreements", Count((*disagreements).into()))
    }
}
