//! The sweep: layers from the last down to 0, the slabs of each in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};

use dab_space::{Layer, Rules, SlabId, SlabKey, SlabShape, Space};
use dab_store::{LayerSummary, ScoreWrite, Scores};
use rayon::prelude::*;

use super::checker::{Checker, LayerChecker};
use super::discard_schedule::DiscardSchedule;
use super::next_readers::NextReaders;
use super::observer::Observer;
use super::reference_counts::ReferenceCounts;
use crate::SolveError;
use crate::cache::shares::Shares;
use crate::cache::slab_cache::SlabCache;
use crate::kernel::Kernel;

/// The memory for the next readers of all slabs is at most one part in so many of that for slabs.
const READERS: u64 = 64;

/// Solves every layer of `space` that `store` does not hold yet. The scores do not depend on the number of threads,
/// on the `budget` of bytes for decoded slabs, or on how often the solve was interrupted.
///
/// # Errors
/// If the store fails, or [`Observer::should_stop`] says so; finished work stays.
pub fn solve(
    space: &Space,
    rules: Rules,
    store: &dyn ScoreWrite,
    budget: u64,
    observer: &dyn Observer,
) -> Result<Vec<LayerSummary>, SolveError> {
    solve_with(&Kernel::best(space, rules), space, store, budget, observer)
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
    observer: &dyn Observer,
) -> Result<Vec<LayerSummary>, SolveError> {
    let shares = Shares::new(budget, space.layout().largest_slab(), rayon::current_num_threads());
    let is_finished = |layer| store.is_finished(layer);
    let counts = ReferenceCounts::new(kernel, space, shares.tables, &is_finished);
    let readers = NextReaders::new(kernel, space, &counts, &is_finished, shares.kept / READERS);
    let next_use = readers.as_ref().map(|readers| |id| readers.of(id));
    let cache = SlabCache::new(space, store, budget).that_knows(next_use.as_ref().map(|next| next as _));
    let mut discards = DiscardSchedule::new(&counts, store.last_kept());
    // An earlier process may have ended before it released these.
    let unread = counts.unread().filter(|id| id.layer > store.last_kept() && store.is_finished(id.layer));
    store.release(&unread.collect::<Vec<_>>())?;
    let checker = Checker::new((space, kernel.rules()), &cache, store);
    let is_unfinished = (0..space.n_layers()).any(|layer| !store.is_finished(Layer(layer)));
    if checker.is_none() && is_unfinished && store.checks().is_some_and(|checks| checks.per_slab > 0) {
        // From here on nothing is checked.
        store.begin_checks(Layer(0), 0)?;
    }
    let mut summaries = Vec::new();
    for layer in (0..space.n_layers()).rev().map(Layer) {
        observer.layer(layer);
        let summary = match store.finished(layer) {
            Some(summary) => {
                observer.found(summary.positions);
                checker.iter().try_for_each(|checker| checker.finished(layer))?;
                summary
            }
            None => {
                let solved = |key| counts.solved(key);
                solve_and_check((kernel, space, &cache), store, layer, observer, &solved, checker.as_ref())?
            }
        };
        summaries.push(summary);
        discards.solved(layer).into_iter().try_for_each(|done_with| store.discard(done_with))?;
    }
    summaries.reverse();
    Ok(summaries)
}

/// Solves one layer; `cache` reads those above it. `solved` is told each slab that is
/// solved, and returns the slabs that nothing reads any more: the store may release them.
///
/// # Errors
/// As [`solve`].
pub fn solve_layer(
    (kernel, space, cache): (&Kernel<'_>, &Space, &SlabCache<'_>),
    store: &dyn ScoreWrite,
    layer: Layer,
    observer: &dyn Observer,
    solved: &(dyn Fn(SlabKey) -> Vec<SlabId> + Sync),
) -> Result<LayerSummary, SolveError> {
    solve_and_check((kernel, space, cache), store, layer, observer, solved, None)
}

fn solve_and_check(
    (kernel, space, cache): (&Kernel<'_>, &Space, &SlabCache<'_>),
    store: &dyn ScoreWrite,
    layer: Layer,
    observer: &dyn Observer,
    solved: &(dyn Fn(SlabKey) -> Vec<SlabId> + Sync),
    checker: Option<&Checker<'_>>,
) -> Result<LayerSummary, SolveError> {
    let keys = &space.layout().layers()[layer.0];
    let shapes: Vec<SlabShape<'_>> = keys.iter().map(|&key| space.shape(key)).collect();
    let sink = store.begin_layer(layer, &shapes)?;
    let resumed = sink.resumed_slabs();
    let checker = checker.map(|checker| checker.begin(layer, &*sink)).transpose()?;
    observer.found(shapes[..resumed].iter().map(|shape| shape.positions() as u64).sum());
    keys[..resumed].iter().for_each(|&key| sink.release_after(resumed, &solved(key)));
    // Slabs are handed out in the order of the file, so that hardly any has to wait to be written.
    let next = AtomicUsize::new(resumed);
    let work = || -> Result<(), SolveError> {
        loop {
            let slab = next.fetch_add(1, Ordering::Relaxed);
            if slab >= keys.len() {
                return Ok(());
            }
            if observer.should_stop() {
                return Err(SolveError::Stopped { layer });
            }
            let scores = Scores::from(kernel.slab(cache, keys[slab])?);
            checker.iter().try_for_each(|checker| checker.check(slab, &scores))?;
            observer.positions(scores.len() as u64);
            let unread = solved(keys[slab]);
            cache.drop_slabs(&unread);
            // All slabs that read them were handed out before now.
            sink.release_after(next.load(Ordering::Relaxed).min(keys.len()), &unread);
            sink.put(slab, cache.keep(SlabId::new(layer, slab), scores))?;
        }
    };
    let hand_out_no_more = |_: &SolveError| next.store(keys.len(), Ordering::Relaxed);
    let workers = (0..rayon::current_num_threads()).into_par_iter().with_max_len(1);
    workers.try_for_each(|_| work().inspect_err(hand_out_no_more))?;
    checker.into_iter().try_for_each(LayerChecker::finish)?;
    Ok(sink.finish()?)
}
