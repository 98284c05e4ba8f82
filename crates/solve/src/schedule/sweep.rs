//! The sweep: stacks of layers from the last layer down to 0, the slabs of each in parallel.

use dab_space::{Layer, Rules, SlabId, SlabShape, Space};
use dab_store::{Crew, LayerSummary, ScoreWrite};

use super::checker::Checker;
use super::open_layers::OpenLayers;
use super::others::Others;
use super::stack::StackSolver;
use crate::cache::shares::Shares;
use crate::cache::slab_keeper::SlabKeeper;
use crate::graph::{Discards, Graph, Readers, stacks};
use crate::kernel::Kernel;
use crate::observer::stopped;
use crate::{Observer, SolveError};

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
    SolveError::or_defect(space, || solve_within(shares(space, budget), kernel, space, store, observer, None))
}

/// As [`solve`], together with other processes, which read what `store` writes.
///
/// # Errors
/// As [`solve`], or if one of the others is lost.
pub fn solve_with_others(
    (space, rules): (&Space, Rules),
    store: &dyn ScoreWrite,
    budget: u64,
    observer: &dyn Observer,
    others: &mut dyn Others,
) -> Result<Vec<LayerSummary>, SolveError> {
    SolveError::or_defect(space, || {
        let kernel = Kernel::best(space, rules);
        solve_within(shares(space, budget), &kernel, space, store, observer, Some(others))
    })
}

fn shares(space: &Space, budget: u64) -> Shares {
    Shares::new(budget, space.layout().largest_slab(), rayon::current_num_threads())
}

/// As [`solve_with`], with given shares of memory, and together with `others` if there are any.
fn solve_within(
    shares: Shares,
    kernel: &Kernel<'_>,
    space: &Space,
    store: &dyn ScoreWrite,
    observer: &dyn Observer,
    mut others: Option<&mut dyn Others>,
) -> Result<Vec<LayerSummary>, SolveError> {
    let layers = || space.layout().listed_layers().rev();
    let total: u128 = layers().map(|layer| space.layout().layer_positions(layer.0)).sum();
    observer.total(total.min(u64::MAX.into()) as u64);
    let unsolved = layers().filter(|&layer| !store.is_finished(layer));
    let stacks = match kernel.reads_all_above() {
        true => unsolved.map(|layer| vec![layer]).collect(),
        false => stacks(space.layout(), unsolved, shares.slabs()),
    };
    let first_unsolved = stacks.first().map_or(Layer(0), |stack| Layer(stack[0].0 + 1));
    let wanted = || stopped(observer, first_unsolved);
    let graph = Graph::new((kernel, space), stacks, shares.edges(), &wanted)?;
    let readers = Readers::new(&graph);
    let next_use = |id| readers.next(id);
    let shapes: Vec<Vec<SlabShape<'_>>> = (0..space.n_layers()).map(|layer| shapes(space, Layer(layer))).collect();
    let open = OpenLayers::new(store, space.n_layers());
    let keeper = SlabKeeper::with_shares(space, &open, shares.without(graph.bytes()), Crew::Together);
    let keeper = keeper.that_knows(Some(&next_use), observer);
    let checker = Checker::new((space, kernel.rules()), &keeper, store);
    if checker.is_none() && graph.n_stacks() > 0 && store.checks().is_some_and(|checks| checks.per_slab > 0) {
        // From here on nothing is checked.
        store.begin_checks(Layer(0))?;
    }
    for summary in layers().filter_map(|layer| store.finished(layer)) {
        observer.layer(summary.layer);
        observer.found(summary.positions);
        checker.iter().try_for_each(|checker| checker.finished(summary.layer))?;
    }
    let mut discards = Discards::new(&graph, store.last_kept());
    discards.solved(first_unsolved).into_iter().try_for_each(|done_with| store.discard(done_with))?;
    // An earlier process may have ended before it released these.
    let is_finished = |id: &SlabId| store.is_finished(id.layer);
    store.release(&readers.unread().filter(is_finished).collect::<Vec<_>>())?;
    let solver = StackSolver { kernel, space, keeper: &keeper, open: &open, observer, checker: checker.as_ref() };
    for n in 0..graph.n_stacks() {
        let others = others.as_mut().map(|others| &mut **others as &mut dyn Others);
        solver.solve(&graph.stack(n, &wanted)?, &readers, &shapes, others)?;
        let last = graph.layers(n)[graph.layers(n).len() - 1];
        discards.solved(last).into_iter().try_for_each(|done_with| store.discard(done_with))?;
    }
    observer.decoded(keeper.cache().n_decoded());
    Ok((0..space.n_layers()).filter_map(|layer| store.finished(Layer(layer))).collect())
}

/// The shapes of the slabs of a layer.
pub(crate) fn shapes(space: &Space, layer: Layer) -> Vec<SlabShape<'_>> {
    space.layout().layers()[layer.0].iter().map(|&key| space.shape(key)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use dab_board::Position;
    use dab_space::SpaceKind;
    use dab_store::{Digest, MemoryStore, ScoreRead};

    use super::*;
    use crate::kernel::Isa;
    use crate::kernel::rows::RowKernel;

    /// Stops once it was asked a number of times.
    struct Impatient(AtomicUsize);

    impl Observer for Impatient {
        fn should_stop(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
        }
    }

    /// Fails in the middle of a solve.
    struct Failing;

    impl Observer for Failing {
        fn positions(&self, _: u64) {
            panic!("no such class");
        }
    }

    #[test]
    fn a_panic_of_any_thread_is_an_error_that_names_the_start() {
        let space = Space::new("2x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let rules = Rules::new(&space, 0).unwrap();
        let store = MemoryStore::new(space.n_layers());
        let error = solve(&space, rules, &store, u64::MAX, &Failing).unwrap_err().to_string();
        assert!(error.starts_with("2x3:0: a defect of dab (no such class)"), "{error}");
        solve(&space, rules, &store, u64::MAX, &()).unwrap();
    }

    fn digests(store: &MemoryStore, space: &Space) -> Vec<Digest> {
        (0..space.n_layers()).map(|layer| store.finished(Layer(layer)).unwrap().digest).collect()
    }

    const STARTS: [(&str, SpaceKind); 7] = [
        ("3x3", SpaceKind::Quiet),
        ("2x5", SpaceKind::Quiet),
        ("3x3", SpaceKind::Full),
        ("3x4:1f0000", SpaceKind::Quiet),
        ("triangles:open:6", SpaceKind::Quiet),
        ("5x5:510264066c84442", SpaceKind::Quiet),
        ("2x4", SpaceKind::Full),
    ];

    /// Every slab large, or half of the positions in large slabs, with batches of a slab each; by all threads in bands, or not.
    #[test]
    fn large_slabs_have_the_same_scores() {
        for (start, kind) in STARTS {
            let start: Position = start.parse().unwrap();
            let told = format!("{start} {kind}");
            let space = Space::new(start, kind).unwrap();
            let rules = Rules::new(&space, 0).unwrap();
            let solved = |shares: Shares, shared_from: usize| {
                let kernel = Kernel::Rows(RowKernel::new(&space, rules, Isa::best()).that_shares_from(shared_from));
                let store = MemoryStore::new(space.n_layers());
                solve_within(shares, &kernel, &space, &store, &(), None).unwrap();
                digests(&store, &space)
            };
            let ample = |threads| Shares::new(u64::MAX, space.layout().largest_slab(), threads);
            let expected = solved(ample(1), usize::MAX);
            let half = space.layout().largest_slab() * 3 / 2;
            for threads in [1, 2, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let none = Shares::new(0, space.layout().largest_slab(), threads);
                for (small, shared_from) in [(0, 1), (0, usize::MAX), (half, 1), (u64::MAX, 1)] {
                    for shares in [ample(threads).with_small(small, u64::MAX), none.with_small(small, 1)] {
                        let found = pool.install(|| solved(shares, shared_from));
                        assert!(found == expected, "{told}: {threads} threads, {small} bytes, from {shared_from}");
                    }
                }
            }
        }
    }

    /// A solve that is stopped in the middle of large slabs goes on to the same scores.
    #[test]
    fn large_slabs_are_cancelled_between_bands() {
        let space = Space::new("3x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let rules = Rules::new(&space, 0).unwrap();
        let kernel = Kernel::Rows(RowKernel::new(&space, rules, Isa::best()).that_shares_from(1));
        let (all, store) = (MemoryStore::new(space.n_layers()), MemoryStore::new(space.n_layers()));
        solve(&space, rules, &all, u64::MAX, &()).unwrap();
        let shares = Shares::new(u64::MAX, space.layout().largest_slab(), 2).with_small(0, 1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let mut n_stopped = 0;
        for patience in (1000..).step_by(700) {
            let observer = Impatient(AtomicUsize::new(patience));
            match pool.install(|| solve_within(shares, &kernel, &space, &store, &observer, None)) {
                Ok(_) => break,
                Err(SolveError::Stopped { .. }) => n_stopped += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(n_stopped > 5, "{n_stopped}");
        assert_eq!(digests(&store, &space), digests(&all, &space));
    }
}
