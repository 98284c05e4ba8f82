//! The sweep: layers from the last down to 0, the slabs of each in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};

use dab_space::{Rules, SlabId, SlabKey, SlabShape, Space};
use dab_store::{LayerSummary, ScoreWrite, Scores};
use rayon::prelude::*;

use crate::SolveError;
use crate::cache::slab_cache::SlabCache;
use crate::kernel::Kernel;
use crate::schedule::reference_counts::ReferenceCounts;

/// Follows a solve, and may stop it.
pub trait Observer: Sync {
    /// A layer is about to be solved.
    fn layer(&self, layer: usize);
    /// That many positions have been solved, or found solved.
    fn positions(&self, n: u64);
    /// Whether to stop as soon as possible.
    fn should_stop(&self) -> bool;
}

/// Watches nothing and never stops.
impl Observer for () {
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
/// If the store fails, or [`Observer::should_stop`] says so; what was finished stays.
pub fn solve(
    space: &Space,
    rules: Rules,
    store: &dyn ScoreWrite,
    budget: u64,
    watch: &dyn Observer,
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
    watch: &dyn Observer,
) -> Result<Vec<LayerSummary>, SolveError> {
    let inputs = SlabCache::new(space, store, budget);
    let readers = ReferenceCounts::new(kernel, &inputs);
    let mut passing = DiscardSchedule::new(&readers, store.last_kept());
    let mut summaries = Vec::new();
    for layer in (0..space.n_layers()).rev() {
        watch.layer(layer);
        let summary = match store.finished(layer) {
            Some(summary) => {
                watch.positions(summary.positions);
                summary
            }
            None => solve_layer((kernel, space, &inputs), store, layer, watch, &|key| readers.solved(key))?,
        };
        summaries.push(summary);
        passing.solved(layer).into_iter().try_for_each(|done_with| store.discard(done_with))?;
    }
    summaries.reverse();
    Ok(summaries)
}

/// Solves one layer; `inputs` reads those above it. `solved` says which slabs nobody reads any more when one is solved.
///
/// # Errors
/// As [`solve`].
pub fn solve_layer(
    (kernel, space, inputs): (&Kernel<'_>, &Space, &SlabCache<'_>),
    store: &dyn ScoreWrite,
    layer: usize,
    watch: &dyn Observer,
    solved: &(dyn Fn(SlabKey) -> Vec<SlabId> + Sync),
) -> Result<LayerSummary, SolveError> {
    let keys = &space.layout().layers()[layer];
    let shapes: Vec<SlabShape<'_>> = keys.iter().map(|&key| space.shape(key)).collect();
    let sink = store.begin_layer(layer, &shapes)?;
    let resumed = sink.resumed_slabs();
    watch.positions(shapes[..resumed].iter().map(|shape| shape.positions() as u64).sum());
    keys[..resumed].iter().for_each(|&key| _ = solved(key));
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
            let scores = Scores::from(kernel.slab(inputs, keys[slab])?);
            watch.positions(scores.len() as u64);
            inputs.drop_slabs(&solved(keys[slab]));
            sink.put(slab, inputs.keep(SlabId::new(layer, slab), scores))?;
        }
    };
    let hand_out_no_more = |_: &SolveError| next.store(keys.len(), Ordering::Relaxed);
    let workers = (0..rayon::current_num_threads()).into_par_iter().with_max_len(1);
    workers.try_for_each(|_| work().inspect_err(hand_out_no_more))?;
    Ok(sink.finish()?)
}

/// Layers that are not kept, until no unsolved layer reads them.
#[derive(Debug, Default)]
pub struct DiscardSchedule {
    /// Each with the lowest layer that reads it.
    layers: Vec<(usize, usize)>,
}

impl DiscardSchedule {
    /// The layers above `last_kept`.
    pub fn new(readers: &ReferenceCounts<'_>, last_kept: usize) -> Self {
        Self { layers: readers.lowest().enumerate().skip(last_kept.saturating_add(1)).collect() }
    }

    /// The layers with which one is done when this one is solved.
    pub fn solved(&mut self, layer: usize) -> Vec<usize> {
        self.layers.extract_if(.., |(_, reader)| *reader >= layer).map(|(done_with, _)| done_with).collect()
    }
}
