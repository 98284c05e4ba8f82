//! The sweep: stacks of layers from the last layer down to 0, the slabs of each in parallel.

use dab_space::{Layer, Rules, SlabId, SlabShape, Space};
use dab_store::{LayerSummary, ScoreWrite};

use super::checker::Checker;
use super::discard_schedule::DiscardSchedule;
use super::next_readers::NextReaders;
use super::observer::Observer;
use super::open_layers::OpenLayers;
use super::reference_counts::ReferenceCounts;
use super::stack::StackSolver;
use super::stacks::stacks;
use crate::SolveError;
use crate::cache::shares::Shares;
use crate::cache::slab_cache::SlabCache;
use crate::kernel::Kernel;

/// Solves every layer that `space` lists and `store` does not hold yet. The scores do not depend on the number of threads,
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
    let layers = || space.layout().listed_layers().rev();
    let shares = Shares::new(budget, space.layout().largest_slab(), rayon::current_num_threads());
    let unsolved = layers().filter(|&layer| !store.is_finished(layer));
    let stacks = match kernel.reads_all_above() {
        true => unsolved.map(|layer| vec![layer]).collect(),
        false => stacks(space.layout(), unsolved, shares.slabs()),
    };
    let counts = ReferenceCounts::new(kernel, space, shares.tables, &stacks.concat(), observer)?;
    let readers = NextReaders::new(kernel, space, &counts, &stacks, shares, observer)?;
    let next_use = readers.as_ref().map(|readers| |id| readers.of(id));
    let shapes: Vec<Vec<SlabShape<'_>>> = (0..space.n_layers()).map(|layer| shapes(space, Layer(layer))).collect();
    let open = OpenLayers::new(store, space.n_layers());
    let cache = SlabCache::with_shares(space, &open, shares).that_knows(next_use.as_ref().map(|next| next as _));
    let checker = Checker::new((space, kernel.rules()), &cache, store);
    if checker.is_none() && !stacks.is_empty() && store.checks().is_some_and(|checks| checks.per_slab > 0) {
        // From here on nothing is checked.
        store.begin_checks(Layer(0))?;
    }
    for summary in layers().filter_map(|layer| store.finished(layer)) {
        observer.layer(summary.layer);
        observer.found(summary.positions);
        checker.iter().try_for_each(|checker| checker.finished(summary.layer))?;
    }
    let mut discards = DiscardSchedule::new(&counts, store.last_kept());
    let first_unsolved = stacks.first().map_or(0, |stack| stack[0].0 + 1);
    discards.solved(Layer(first_unsolved)).into_iter().try_for_each(|done_with| store.discard(done_with))?;
    // An earlier process may have ended before it released these.
    let is_finished = |id: &SlabId| store.is_finished(id.layer);
    store.release(&counts.unread().filter(is_finished).collect::<Vec<_>>())?;
    for layers in &stacks {
        let solved = |_, sources: &[SlabId]| counts.solved(sources);
        let layers: Vec<_> = layers.iter().map(|&layer| (layer, &shapes[layer.0][..])).collect();
        let solver = StackSolver { kernel, space, cache: &cache, open: &open, observer, checker: checker.as_ref() };
        solver.solve(&layers, &solved)?;
        let last = layers[layers.len() - 1].0;
        discards.solved(last).into_iter().try_for_each(|done_with| store.discard(done_with))?;
    }
    Ok((0..space.n_layers()).filter_map(|layer| store.finished(Layer(layer))).collect())
}

/// Solves one layer; `cache` reads those above it.
///
/// # Errors
/// As [`solve`].
pub fn solve_layer(
    (kernel, space, cache): (&Kernel<'_>, &Space, &SlabCache<'_>),
    store: &dyn ScoreWrite,
    layer: Layer,
    observer: &dyn Observer,
) -> Result<(), SolveError> {
    let shapes = shapes(space, layer);
    let open = OpenLayers::new(store, space.n_layers());
    let solver = StackSolver { kernel, space, cache, open: &open, observer, checker: None };
    solver.solve(&[(layer, &shapes)], &|_, _| Vec::new())
}

/// The shapes of the slabs of a layer.
pub(crate) fn shapes(space: &Space, layer: Layer) -> Vec<SlabShape<'_>> {
    space.layout().layers()[layer.0].iter().map(|&key| space.shape(key)).collect()
}
