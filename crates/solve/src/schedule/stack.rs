//! Solving a stack: some neighbouring layers together, their slabs in parallel.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dab_space::{Layer, SlabId, SlabKey, SlabShape, Space, now};
use dab_store::{Scores, SlabSet};
use rayon::prelude::*;

use super::checker::{Checker, LayerChecker};
use super::hand_out::{HandOut, InSlab, StopOnPanic, Task};
use super::observer::Observer;
use super::open_layers::OpenLayers;
use super::stacks::order;
use super::unread::Unread;
use crate::SolveError;
use crate::cache::slab_keeper::SlabKeeper;
use crate::kernel::Kernel;
use crate::kernel::source::SlabSource;

/// The means by which stacks are solved.
pub(crate) struct StackSolver<'a, 'b> {
    pub(crate) kernel: &'b Kernel<'b>,
    pub(crate) space: &'b Space,
    pub(crate) keeper: &'b SlabKeeper<'b>,
    pub(crate) open: &'b OpenLayers<'a>,
    pub(crate) observer: &'b dyn Observer,
    pub(crate) checker: Option<&'b Checker<'b>>,
}

/// Hears of a slab that is solved and of the slabs that it read; tells which of these nothing reads any more.
pub(crate) type Solved<'s> = &'s (dyn Fn(SlabId, &[SlabId]) -> Vec<SlabId> + Sync);

/// A layer of a stack.
struct InWork<'b> {
    layer: Layer,
    /// Slabs that an earlier process left.
    there: SlabSet,
    checker: Option<LayerChecker<'b>>,
    /// Nanoseconds that all threads together have worked on it.
    nanos: AtomicU64,
}

impl<'a> StackSolver<'a, '_> {
    /// Solves layers, given from the last one down with the shapes of their slabs, and releases the slabs that nothing reads any
    /// more.
    pub(crate) fn solve(&self, layers: &[(Layer, &'a [SlabShape<'a>])], solved: Solved<'_>) -> Result<(), SolveError> {
        let found = self.solve_open(layers, solved);
        // Whatever stopped it, the slabs that are written stay.
        self.open.leave();
        found
    }

    fn solve_open(&self, layers: &[(Layer, &'a [SlabShape<'a>])], solved: Solved<'_>) -> Result<(), SolveError> {
        let (layout, stack) = (self.space.layout(), layers.iter().map(|&(layer, _)| layer).collect::<Vec<_>>());
        let in_work = self.begin(layers)?;
        let in_work_of =
            |layer: Layer| in_work.iter().find(|other| other.layer == layer).expect("a layer of the stack");
        let mut order = order(layout, &stack);
        order.retain(|id| !in_work_of(id.layer).there.contains(id.slab));
        let unread = Unread::new(&stack, self.open, self.resume(&in_work, solved)?);
        let sources = |id| self.kernel.sources(layout.key(id), self.keeper.table_bytes());
        let size = |id: SlabId, sources: &[SlabId]| self.keeper.size(id, sources);
        let n_threads = rayon::current_num_threads();
        let hand_out = HandOut::new(&order, &sources, &size, n_threads);
        let work = |task: Task| -> Result<(), SolveError> {
            let Task { id, sources, .. } = &task;
            let (id, begin) = (*id, now());
            self.check_wanted(id.layer)?;
            let InWork { checker, nanos, .. } = in_work_of(id.layer);
            let scores = Scores::from(self.kernel.slab(self.keeper, layout.key(id))?);
            checker.iter().try_for_each(|checker| checker.check(id, &scores))?;
            self.observer.positions(scores.len() as u64);
            let unput = unread.begin();
            let done_with = solved(id, sources);
            self.keeper.cache().drop_slabs(&done_with);
            unread.add(&done_with);
            unread.release()?;
            if self.open.store().is_short() {
                // Slabs are released when those before them in the order are there: a slow one must not let others fill the disk.
                hand_out.wait_for_earlier(&task);
                unread.release()?;
            }
            self.open.put(id, self.keeper.cache().keep(id, scores))?;
            unread.put(unput);
            hand_out.solved(&task);
            nanos.fetch_add((now() - begin).as_nanos() as u64, Ordering::Relaxed);
            Ok(())
        };
        // The first error counts: others may follow from it.
        let failed = Mutex::new(None);
        (0..n_threads).into_par_iter().with_max_len(1).for_each(|_| {
            // A thread that waits for bands of its slab may compute others, but begins no slab in the middle of it.
            if InSlab::is_of(&hand_out) {
                return;
            }
            let _stop = StopOnPanic(&hand_out);
            while let Some(task) = hand_out.take() {
                let _in_slab = InSlab::of(&hand_out);
                if let Err(error) = work(task) {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    hand_out.stop();
                }
            }
        });
        for InWork { layer, nanos, .. } in &in_work {
            self.observer.took(*layer, Duration::from_nanos(nanos.load(Ordering::Relaxed) / n_threads as u64));
        }
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)?;
        for InWork { layer, checker, .. } in in_work {
            checker.map_or(Ok(()), LayerChecker::finish)?;
            self.open.finish(layer)?;
        }
        Ok(unread.finish()?)
    }

    /// Begins layers, or goes on with them.
    fn begin(&self, layers: &[(Layer, &'a [SlabShape<'a>])]) -> Result<Vec<InWork<'_>>, SolveError> {
        let mut in_work = Vec::new();
        for &(layer, shapes) in layers {
            self.check_wanted(layer)?;
            self.observer.layer(layer);
            let there = self.open.begin(layer, shapes)?;
            self.observer.found(there.slabs().map(|slab| shapes[slab].positions() as u64).sum());
            in_work.push(InWork { layer, there, checker: None, nanos: AtomicU64::new(0) });
        }
        if let Some(checker) = self.checker {
            let is_begun: Vec<(Layer, bool)> = in_work.iter().map(|of| (of.layer, !of.there.is_empty())).collect();
            let first = checker.begin(&is_begun)?;
            for of in &mut in_work {
                of.checker = first.filter(|&first| of.layer <= first).map(|_| checker.of_layer(of.layer));
            }
        }
        Ok(in_work)
    }

    /// Takes up the slabs that an earlier process left; returns the slabs that nothing reads any more.
    fn resume(&self, in_work: &[InWork<'_>], solved: Solved<'_>) -> Result<Vec<SlabId>, SolveError> {
        let layout = self.space.layout();
        let slabs = in_work
            .iter()
            .flat_map(|of| of.there.slabs().map(move |slab| (layout.key(SlabId { layer: of.layer, slab }), slab, of)));
        let mut slabs: Vec<(SlabKey, usize, &InWork<'_>)> = slabs.collect();
        slabs.sort_unstable_by_key(|&(key, ..)| key);
        let mut unread = Vec::new();
        for slabs in slabs.chunk_by(|(a, ..), (b, ..)| a.waist == b.waist) {
            self.check_wanted(slabs[0].2.layer)?;
            let keys: Vec<SlabKey> = slabs.iter().map(|&(key, ..)| key).collect();
            let sources = self.kernel.sources_of_waist(&keys, self.keeper.table_bytes());
            for (&(_, slab, of), sources) in slabs.iter().zip(sources) {
                let id = SlabId { layer: of.layer, slab };
                of.checker.iter().try_for_each(|checker| checker.note(id))?;
                unread.extend(solved(id, &sources));
            }
        }
        Ok(unread)
    }

    /// `Ok` unless the observer wants to stop.
    fn check_wanted(&self, layer: Layer) -> Result<(), SolveError> {
        if self.observer.should_stop() { Err(SolveError::Stopped { layer }) } else { Ok(()) }
    }
}
