//! Checks of a run or a book, and repair of damaged slabs.

use std::path::Path;

use dab_solve::kernel::Kernel;
use dab_solve::{Observer, SlabKeeper};
use dab_space::{Layer, SlabId, SlabShape};
use dab_store::{LayerSummary, RunDir, Scores, StoreError};
use rayon::prelude::*;

use crate::limits::{check_table, slab_budget};
use crate::{Error, Files, Limits, Tablebase};

/// Scores of each slab that [`scores`] derives again.
const PER_SLAB: usize = 1000;

/// The bytes of a run or a book as they were found.
#[derive(Debug)]
pub struct Checked {
    /// Scores whose bytes are intact.
    pub positions: u64,
    /// The faults of all others: of layers, slabs and blocks, in their order.
    pub faults: Vec<StoreError>,
}

/// Checks every byte of every finished layer, released slabs left out.
///
/// # Errors
/// If `observer` stops it, or too many files are open. Damage is no error but a fault.
pub fn checksums(files: &Files, observer: &dyn Observer) -> Result<Checked, Error> {
    let summaries: Vec<LayerSummary> = files.layers().collect();
    let mut checked = Checked { positions: 0, faults: Vec::new() };
    for summary in summaries {
        observer.layer(summary.layer);
        match files.stored_layer(summary.layer) {
            Ok(None) => checked.positions += summary.positions,
            // Discarded by a solve that goes on meanwhile.
            Err(StoreError::Discarded { .. }) => {}
            // No fault of the run.
            Err(error) if error.is_out_of_files() => return Err(error.into()),
            Err(fault) => checked.faults.push(fault),
            Ok(Some(file)) => {
                let slabs = (0..summary.slabs).into_par_iter().map(|slab| {
                    if observer.should_stop() {
                        return Err(Error::stopped_check());
                    }
                    let is_here = !file.is_released(slab);
                    Ok((file.positions(slab) * u64::from(is_here), file.faults(slab)))
                });
                for (positions, faults) in slabs.collect::<Result<Vec<_>, Error>>()? {
                    checked.positions += if faults.is_empty() { positions } else { 0 };
                    checked.faults.extend(faults);
                }
            }
        }
        observer.positions(summary.positions);
    }
    checked.faults = StoreError::told_once(checked.faults);
    Ok(checked)
}
/// Derives stored scores once more by the rules, all of them or a sample of each slab; returns their number.
///
/// # Errors
/// At the first score that is wrong, if a layer is not here, memory does not suffice, or `observer` stops it.
pub fn scores(table: &Tablebase, all: bool, limits: Limits, observer: &dyn Observer) -> Result<u64, Error> {
    table.require_all()?;
    check_table(table, limits)?;
    let (space, rules, scores, budget) =
        (table.space(), table.rules(), table.files().scores(), slab_budget(table, limits));
    let verified = match all {
        true => dab_solve::verify::full(space, rules, scores, budget, observer),
        false => dab_solve::verify::sample(space, rules, scores, budget, PER_SLAB, observer),
    };
    verified.map_err(|error| Error::from(error).or_stopped(Error::stopped_check))
}

/// Computes the damaged slabs of a run again, from the last layer down; returns the faults, and tells each at once.
///
/// # Errors
/// If it is no run, memory does not suffice, or a layer that is computed again is not the one that was lost.
pub fn repair(path: &Path, limits: Limits, tell: &dyn Fn(&str)) -> Result<Vec<String>, Error> {
    if path.is_file() {
        return Err(Error::not_a_run(path.display().to_string()));
    }
    let table = Tablebase::from_files(Files::Run(RunDir::open_to_repair(path)?.into()), limits)?;
    check_table(&table, limits)?;
    let Files::Run(run) = table.files() else { return Ok(Vec::new()) };
    let space = table.space();
    let keeper = SlabKeeper::new(space, run.as_ref(), slab_budget(&table, limits));
    let kernel = Kernel::best(space, table.rules());
    let mut repaired = Vec::new();
    for (layer, keys) in space.layout().layers().iter().enumerate().rev() {
        let shapes: Vec<SlabShape<'_>> = keys.iter().map(|&key| space.shape(key)).collect();
        let recompute = |id: SlabId| Ok::<_, Error>(Scores::from(kernel.slab(&keeper, keys[id.slab])?));
        for error in run.repair(Layer(layer), &shapes, recompute)? {
            let error = format!("{:#}", Error::from(error));
            tell(&error);
            repaired.push(error);
        }
    }
    Ok(repaired)
}
