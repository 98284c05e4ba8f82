//! Solving a stack: some neighbouring layers together, their slabs in parallel.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dab_space::{Layer, SlabId, SlabShape, Space, now};
use dab_store::Scores;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::checker::{Checker, LayerChecker};
use super::hand_out::{HandOut, StopOnPanic, Task};
use super::observer::Observer;
use super::open_layers::OpenLayers;
use super::stacks::order;
use super::unread::Unread;
use crate::SolveError;
use crate::cache::slab_cache::SlabCache;
use crate::kernel::Kernel;
use crate::kernel::source::SlabSource;

/// The means by which stacks are solved.
pub(crate) struct StackSolver<'a, 'b> {
    pub(crate) kernel: &'b Kernel<'b>,
    pub(crate) space: &'b Space,
    pub(crate) cache: &'b SlabCache<'b>,
    pub(crate) open: &'b OpenLayers<'a>,
    pub(crate) observer: &'b dyn Observer,
    pub(crate) checker: Option<&'b Checker<'b>>,
}

/// Hears of a slab that is solved and of the slabs that it read; tells which of these nothing reads any more.
pub(crate) type Solved<'s> = &'s (dyn Fn(SlabId, &[SlabId]) -> Vec<SlabId> + Sync);

/// A layer of a stack.
struct InWork<'b> {
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
        let stack: Vec<Layer> = layers.iter().map(|&(layer, _)| layer).collect();
        let mut order = order(self.space.layout(), &stack);
        let mut in_work = FxHashMap::default();
        let mut unread = Vec::new();
        for &(layer, shapes) in layers {
            self.observer.layer(layer);
            let missing = shapes.len() - self.open.begin(layer, shapes)?;
            self.observer.found(shapes[missing..].iter().map(|shape| shape.positions() as u64).sum());
            let checker = self.checker.map(|checker| checker.begin(layer)).transpose()?;
            for slab in missing..shapes.len() {
                let id = SlabId { layer, slab };
                checker.iter().try_for_each(|checker| checker.check_again(id))?;
                unread.extend(solved(id, &self.sources(id)));
            }
            order.retain(|id| id.layer != layer || id.slab < missing);
            in_work.insert(layer, InWork { checker, nanos: AtomicU64::new(0) });
        }
        let unread = Unread::new(self.space.layout(), &stack, &order, self.open, unread);
        let sources = |id| self.sources(id);
        let hand_out = HandOut::new(&order, &sources, rayon::current_num_threads());
        let work = |task: Task| -> Result<(), SolveError> {
            let (begin, id) = (now(), task.id);
            if self.observer.should_stop() {
                return Err(SolveError::Stopped { layer: id.layer });
            }
            let InWork { checker, nanos } = &in_work[&id.layer];
            let scores = Scores::from(self.kernel.slab(self.cache, self.space.layout().key(id))?);
            checker.iter().try_for_each(|checker| checker.check(id, &scores))?;
            self.observer.positions(scores.len() as u64);
            let done_with = solved(id, &task.sources);
            self.cache.drop_slabs(&done_with);
            // All slabs that read them were handed out before now.
            unread.add(hand_out.n_seen(), &done_with);
            self.open.put(id, self.cache.keep(id, scores))?;
            hand_out.solved(id);
            unread.release()?;
            nanos.fetch_add((now() - begin).as_nanos() as u64, Ordering::Relaxed);
            Ok(())
        };
        // No task calls rayon where layers are solved together: a thread that waits for a slab is not in the middle of another.
        let n_threads = rayon::current_num_threads();
        let workers = (0..n_threads).into_par_iter().with_max_len(1);
        let result = workers.try_for_each(|_| -> Result<(), SolveError> {
            let _stop = StopOnPanic(&hand_out);
            while let Some(task) = hand_out.take() {
                work(task).inspect_err(|_| hand_out.stop())?;
            }
            Ok(())
        });
        for layer in &stack {
            let nanos = in_work[layer].nanos.load(Ordering::Relaxed);
            self.observer.took(*layer, Duration::from_nanos(nanos / n_threads as u64));
        }
        result?;
        for layer in &stack {
            in_work.remove(layer).and_then(|layer| layer.checker).map_or(Ok(()), LayerChecker::finish)?;
            self.open.finish(*layer)?;
        }
        Ok(unread.finish()?)
    }

    /// The slabs that a slab reads.
    fn sources(&self, id: SlabId) -> Vec<SlabId> {
        self.kernel.sources(self.space.layout().key(id), self.cache.table_bytes())
    }
}
