//! Checks of a run or a book, and repair of damaged slabs.

use std::path::Path;
use std::str::FromStr;

use dab_solve::kernel::Kernel;
use dab_solve::{Observer, SlabCache, verify};
use dab_space::{Layer, SlabId, SlabShape};
use dab_store::{LayerSummary, RunDir, Scores, StoreError};
use rayon::prelude::*;

use crate::{Error, Files, Limits, Tablebase};

/// Scores of each slab that [`Tablebase::verify_scores`] derives again.
const PER_SLAB: usize = 1000;

/// The part of a run that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Every block and every digest.
    Checksums,
    /// A sample of the scores of every slab, by the rules.
    Sample,
    /// Every score, by the rules.
    Full,
}

impl Level {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checksums => "checksums",
            Self::Sample => "sample",
            Self::Full => "full",
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Self::Checksums, Self::Sample, Self::Full].into_iter().find(|level| level.name() == text);
        known.ok_or_else(|| format!("unknown level '{text}': expected checksums, sample or full"))
    }
}

impl Files {
    /// Checks every byte of every finished layer, released slabs left out; returns the number of scores.
    ///
    /// # Errors
    /// At the first byte that is damaged, or if `observer` stops it.
    pub fn verify_checksums(&self, observer: &dyn Observer) -> Result<u64, Error> {
        let summaries: Vec<LayerSummary> = self.layers().collect();
        for summary in &summaries {
            self.layer_file(summary.layer)?;
        }
        let mut verified = 0;
        for summary in &summaries {
            observer.layer(summary.layer);
            let Some(file) = self.layer_file(summary.layer)? else {
                verified += summary.positions;
                continue;
            };
            let checked = (0..summary.slabs).into_par_iter().map(|slab| {
                if observer.should_stop() {
                    return Err(Error::CheckStopped);
                }
                match file.verify_slab(slab) {
                    Err(StoreError::Released { .. }) => Ok(0),
                    checked => Ok(checked.map(|()| file.positions(slab))?),
                }
            });
            verified += checked.sum::<Result<u64, Error>>()?;
            observer.positions(summary.positions);
        }
        Ok(verified)
    }
}

impl Tablebase {
    /// Derives stored scores once more by the rules, all of them or a sample of each slab; returns their number.
    ///
    /// # Errors
    /// At the first score that is wrong, if a layer is not here, memory does not suffice, or `observer` stops it.
    pub fn verify_scores(&self, all: bool, limits: Limits, observer: &dyn Observer) -> Result<u64, Error> {
        self.require_all()?;
        self.check_memory(limits)?;
        let (space, rules, scores, budget) =
            (self.space(), self.rules(), self.files().scores(), self.slab_budget(limits));
        let verified = match all {
            true => verify::full(space, rules, scores, budget, observer),
            false => verify::sample(space, rules, scores, budget, PER_SLAB, observer),
        };
        verified.map_err(Error::of_check)
    }
}

/// Computes the damaged slabs of a run again, from the last layer down; returns the faults, and tells each at once.
///
/// # Errors
/// If it is no run, memory does not suffice, or a layer that is computed again is not the one that was lost.
pub fn repair(path: &Path, limits: Limits, tell: &dyn Fn(&str)) -> Result<Vec<String>, Error> {
    if path.is_file() {
        return Err(Error::NotARun { name: path.display().to_string() });
    }
    let table = Tablebase::of(Files::Run(RunDir::open_to_repair(path)?.into()))?;
    table.check_memory(limits)?;
    let Files::Run(run) = table.files() else { return Ok(Vec::new()) };
    let space = table.space();
    let inputs = SlabCache::new(space, run.as_ref(), table.slab_budget(limits));
    let kernel = Kernel::best(space, table.rules());
    let mut repaired = Vec::new();
    for (layer, keys) in space.layout().layers().iter().enumerate().rev() {
        let shapes: Vec<SlabShape<'_>> = keys.iter().map(|&key| space.shape(key)).collect();
        let recompute = |id: SlabId| Ok::<_, StoreError>(Scores::from(kernel.slab(&inputs, keys[id.slab])?));
        for error in run.repair(Layer(layer), &shapes, recompute)? {
            tell(&error.to_string());
            repaired.push(error.to_string());
        }
    }
    Ok(repaired)
}
