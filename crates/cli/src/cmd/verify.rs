//! `dab verify`: are the files of a run what they were, and what the rules say?

use std::fmt::{self, Display};
use std::path::Path;

use dab_solve::SlabCache;
use dab_solve::kernel::Kernel;
use dab_solve::{Observer, SolveError, verify};
use dab_space::SlabShape;
use dab_store::{LayerSummary, RunDir, Scores, StoreError};
use rayon::prelude::*;
use serde::Serialize;

use crate::failure::Usage;
use crate::options::{Level, Setting, VerifyOptions};
use crate::output::{Count, message};
use crate::progress::Progress;
use dab::{Files, Tablebase};

/// Scores of each slab that level `sample` derives again.
const PER_SLAB: usize = 1000;

#[derive(Serialize)]
struct Report {
    path: String,
    level: &'static str,
    layers: usize,
    finished: usize,
    /// Positions whose scores were checked.
    positions: u64,
    digest: Option<String>,
    /// What was wrong and is repaired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repaired: Vec<String>,
}

pub(crate) fn run(VerifyOptions { path, level, repair }: &VerifyOptions, setting: &Setting) -> anyhow::Result<()> {
    let repaired = if *repair { repair_all(path, setting)? } else { Vec::new() };
    let files = Files::open(path)?;
    let (level, positions) = match level {
        Level::Checksums => ("checksums", checksums(&files)?),
        Level::Sample | Level::Full => {
            let run = Tablebase::open(path)?;
            run.require_all()?;
            let budget = setting.slab_budget(&run);
            setting.check_memory(&run)?;
            let progress = Progress::new(run.space().layout().total_positions())?;
            match level {
                Level::Full => ("full", verify::full(run.space(), run.rules(), run.files(), budget, &progress)?),
                _ => ("sample", verify::sample(run.space(), run.rules(), run.files(), budget, PER_SLAB, &progress)?),
            }
        }
    };
    setting.output.print(&Report {
        path: path.display().to_string(),
        level,
        layers: files.n_layers(),
        finished: files.layers().count(),
        positions,
        digest: files.digest().map(|digest| digest.to_string()),
        repaired,
    })
}

/// Repairs every finished layer, from the last one down; returns what was wrong.
fn repair_all(path: &Path, setting: &Setting) -> anyhow::Result<Vec<String>> {
    if path.is_file() {
        return Err(Usage(format!("{} is a book: make it again from its run with 'dab book'", path.display())).into());
    }
    let whole = Tablebase::of(Files::Run(RunDir::open_to_repair(path)?))?;
    setting.check_memory(&whole)?;
    let budget = setting.slab_budget(&whole);
    let (Files::Run(run), space, rules) = whole.into_parts() else { unreachable!("it was opened as a run") };
    let (kernel, inputs) = (Kernel::best(&space, rules), SlabCache::new(&space, &run, budget));
    let mut repaired = Vec::new();
    for (layer, keys) in space.layout().layers().iter().enumerate().rev() {
        let shapes: Vec<SlabShape<'_>> = keys.iter().map(|&key| space.shape(key)).collect();
        let recompute = |_, slab: usize| Ok::<_, StoreError>(Scores::from(kernel.slab(&inputs, keys[slab])?));
        for error in run.repair(layer, &shapes, recompute)? {
            message(format!("{error}: repaired"));
            repaired.push(error.to_string());
        }
    }
    Ok(repaired)
}

/// Checks every byte of every finished layer; returns the number of scores.
fn checksums(files: &Files) -> anyhow::Result<u64> {
    let summaries: Vec<LayerSummary> = files.layers().collect();
    for summary in &summaries {
        files.layer_file(summary.layer)?;
    }
    let positions: u64 = summaries.iter().map(|layer| layer.positions).sum();
    let progress = Progress::new(positions.into())?;
    for summary in summaries {
        progress.layer(summary.layer);
        let Some(file) = files.layer_file(summary.layer)? else { continue };
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
        let Self { path, level, layers, finished, .. } = self;
        write!(
            f,
            "{path}: level {level}: {finished} of {layers} layers checked, all correct, {} scores",
            Count(self.positions.into())
        )?;
        match &self.digest {
            Some(digest) => write!(f, ", digest {digest}"),
            None => write!(f, "; the run is not finished"),
        }
    }
}
