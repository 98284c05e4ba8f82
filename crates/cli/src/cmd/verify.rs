//! `dab verify`: are the files of a run what they were, and what the rules say?

use std::fmt::{self, Display};
use std::path::Path;

use dab_solve::{SolveError, Watch, verify};
use dab_store::{RunDir, ScoreRead};
use rayon::prelude::*;
use serde::Serialize;

use crate::cache::Cache;
use crate::options::{Level, Setting};
use crate::output::Count;
use crate::progress::Progress;
use crate::run::Run;

/// Scores of each slab that level `sample` derives again.
const PER_SLAB: usize = 1000;

#[derive(Serialize)]
struct Report {
    dir: String,
    level: &'static str,
    layers: usize,
    finished: usize,
    /// Positions whose scores were checked.
    positions: u64,
    digest: Option<String>,
}

pub(crate) fn run(path: &Path, level: Level, setting: &Setting) -> anyhow::Result<()> {
    let dir = RunDir::open(path)?;
    let (level, positions) = match level {
        Level::Checksums => ("checksums", checksums(&dir)?),
        Level::Sample | Level::Full => {
            let run = Run::open(path)?;
            run.require_finished()?;
            let progress = Progress::new(run.space.layout().total_positions())?;
            match level {
                Level::Full => ("full", verify::full(&run.space, run.rules, &run.dir, setting.memory, &progress)?),
                _ => {
                    // A sample reads more scores of a slab than decoding it once costs.
                    let cache = Cache::new(&run.space, &run.dir, setting.memory);
                    ("sample", verify::sample(&run.space, run.rules, &cache, PER_SLAB, &progress)?)
                }
            }
        }
    };
    setting.output.print(&Report {
        dir: path.display().to_string(),
        level,
        layers: dir.n_layers(),
        finished: finished(&dir).count(),
        positions,
        digest: dir.digest().map(|digest| digest.to_string()),
    })
}

fn finished(dir: &RunDir) -> impl Iterator<Item = usize> {
    (0..dir.n_layers()).filter(|&layer| dir.is_finished(layer))
}

/// Checks every byte of every finished layer; returns the number of scores.
fn checksums(dir: &RunDir) -> anyhow::Result<u64> {
    let summaries =
        finished(dir).map(|layer| Ok(dir.layer_file(layer)?.summary())).collect::<anyhow::Result<Vec<_>>>()?;
    let positions: u64 = summaries.iter().map(|layer| layer.positions).sum();
    let progress = Progress::new(positions.into())?;
    for summary in summaries {
        progress.layer(summary.layer);
        let file = dir.layer_file(summary.layer)?;
        (0..summary.slabs).into_par_iter().try_for_each(|slab| {
            if progress.should_stop() {
                return Err(SolveError::Stopped { layer: summary.layer });
            }
            Ok(file.verify_slab(slab)?)
        })?;
        progress.positions(summary.positions);
    }
    Ok(positions)
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dir, level, layers, finished, .. } = self;
        write!(f, "{dir}: {level} of {finished} of {layers} layers in order, {} scores", Count(self.positions.into()))?;
        match &self.digest {
            Some(digest) => write!(f, ", digest {digest}"),
            None => write!(f, "; the run is not finished"),
        }
    }
}
