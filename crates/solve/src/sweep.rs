//! The sweep: layers from the last down to 0, the slabs of each in parallel.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dab_space::{SlabShape, Space};
use dab_store::{LayerSummary, ScoreWrite};
use rayon::prelude::*;

use crate::inputs::Inputs;
use crate::kernel::Kernel;
use crate::readers::Readers;
use crate::{Rules, SolveError};

/// Follows a solve, and may stop it.
pub trait Watch: Sync {
    /// A layer is about to be solved.
    fn layer(&self, layer: usize);
    /// That many positions have been solved, or found solved.
    fn positions(&self, n: u64);
    /// Whether to stop as soon as possible.
    fn should_stop(&self) -> bool;
}

/// Watches nothing and never stops.
impl Watch for () {
    fn layer(&self, _layer: usize) {}
    fn positions(&self, _n: u64) {}
    fn should_stop(&self) -> bool {
        false
    }
}

/// Solves every layer of `space` that `store` does not hold yet. The scores do not depend on the number of threads,
/// on the `budget` of bytes for decoded slabs, or on how often the solve was interrupted.
///
/// # Errors
/// If the store fails, or [`Watch::should_stop`] says so; what was finished stays.
pub fn solve(
    space: &Space,
    rules: Rules,
    store: &dyn ScoreWrite,
    budget: u64,
    watch: &dyn Watch,
) -> Result<Vec<LayerSummary>, SolveError> {
    solve_with(&Kernel::best(space, rules), space, store, budget, watch)
}

/// As [`solve`], with a given kernel.
///
/// # Errors
/// As [`solve`].
pub fn solve_with(
    kernel: &Kernel<'_>,
    space: &Space,
    store: &dyn ScoreWrite,
    budget: u64,
    watch: &dyn Watch,
) -> Result<Vec<LayerSummary>, SolveError> {
    let layout = space.layout();
    let inputs = Inputs::new(space, store, budget);
    let readers = Readers::new(kernel, space, inputs.table_bytes());
    // Layers above the last one that is kept, with the lowest layer that reads each.
    let mut passing: Vec<(usize, usize)> =
        readers.lowest().enumerate().skip(store.last_kept().saturating_add(1)).collect();
    let mut summaries = Vec::new();
    for layer in (0..space.n_layers()).rev() {
        watch.layer(layer);
        let keys = &layout.layers()[layer];
        let summary = match store.finished(layer) {
            Some(summary) => {
                watch.positions(summary.positions);
                keys.iter().for_each(|&key| _ = readers.solved(key));
                summary
            }
            None => {
                let shapes: Vec<SlabShape<'_>> = keys.iter().map(|&key| space.shape(key)).collect();
                let sink = store.begin_layer(layer, &shapes)?;
                let resumed = sink.resumed_slabs();
                watch.positions(shapes[..resumed].iter().map(|shape| shape.positions() as u64).sum());
                keys[..resumed].iter().for_each(|&key| _ = readers.solved(key));
                // Slabs are handed out in the order of the file, so that hardly any has to wait to be written.
                let next = AtomicUsize::new(resumed);
                let work = || -> Result<(), SolveError> {
                    loop {
                        let slab = next.fetch_add(1, Ordering::Relaxed);
                        if slab >= keys.len() {
                            return Ok(());
                        }
                        if watch.should_stop() {
                            return Err(SolveError::Stopped { layer });
                        }
                        let scores = Arc::new(kernel.slab(&inputs, keys[slab])?);
                        watch.positions(scores.len() as u64);
                        inputs.drop_slabs(&readers.solved(keys[slab]));
                        inputs.insert((layer, slab), scores.clone());
                        sink.put(slab, scores)?;
                    }
                };
                let hand_out_no_more = |_: &SolveError| next.store(keys.len(), Ordering::Relaxed);
                let workers = (0..rayon::current_num_threads()).into_par_iter().with_max_len(1);
                workers.try_for_each(|_| work().inspect_err(hand_out_no_more))?;
                sink.finish()?
            }
        };
        summaries.push(summary);
        for (done_with, _) in passing.extract_if(.., |(_, reader)| *reader >= layer) {
            store.discard(done_with)?;
        }
    }
    summaries.reverse();
    Ok(summaries)
}
