//! Solving a stack: some neighbouring layers together, their slabs in parallel.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dab_space::{Layer, SlabId, SlabShape, Space, now};
use dab_store::{Scores, SlabSet};

use super::checker::{Checker, LayerChecker};
use super::hand_out::HandOut;
use super::inputs::Inputs;
use super::open_layers::OpenLayers;
use super::others::{Desk, Others, locked};
use super::ready::{Ready, Task};
use super::unread::Unread;
use crate::cache::slab_keeper::SlabKeeper;
use crate::graph::{Readers, Stack};
use crate::kernel::Kernel;
use crate::observer::stopped;
use crate::{Observer, SolveError};

/// The means by which stacks are solved.
pub(crate) struct StackSolver<'a, 'b> {
    pub(crate) kernel: &'b Kernel<'b>,
    pub(crate) space: &'b Space,
    pub(crate) keeper: &'b SlabKeeper<'b>,
    pub(crate) open: &'b OpenLayers<'a>,
    pub(crate) observer: &'b dyn Observer,
    pub(crate) checker: Option<&'b Checker<'b>>,
}

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
    /// Solves a stack, whose slabs have these shapes by layer, together with `others` if there are any, and releases the slabs that nothing
    /// reads any more.
    pub(crate) fn solve(
        &self,
        stack: &Stack<'_>,
        readers: &Readers<'_>,
        shapes: &'a [Vec<SlabShape<'a>>],
        others: Option<&mut dyn Others>,
    ) -> Result<(), SolveError> {
        let found = self.solve_open(stack, readers, shapes, others);
        // Whatever stopped it, the slabs that are written stay.
        self.open.leave();
        found
    }

    fn solve_open(
        &self,
        stack: &Stack<'_>,
        readers: &Readers<'_>,
        shapes: &'a [Vec<SlabShape<'a>>],
        mut others: Option<&mut dyn Others>,
    ) -> Result<(), SolveError> {
        let in_work = self.begin(stack, shapes)?;
        let in_work_of =
            |layer: Layer| in_work.iter().find(|other| other.layer == layer).expect("a layer of the stack");
        let is_there = |id: SlabId| in_work_of(id.layer).there.contains(id.slab);
        readers.begin(stack);
        let unread = self.resume(stack, readers, in_work_of)?;
        let unread = Unread::new(stack, self.open, unread);
        let size = |place: usize| self.keeper.size(stack.order[place], stack.reads(place));
        let n_threads = rayon::current_num_threads();
        let threads = others.as_mut().map_or(Ok(vec![n_threads]), |others| others.threads())?;
        let hand_out = HandOut::new(Ready::new(stack, is_there, &size, &threads));
        // Slabs that nothing reads any more, for others to drop.
        let done_with = others.is_some().then(Mutex::default);
        // A slab is solved that will be put, or is; returns its number.
        let note = |task: &Task| -> usize {
            let unput = unread.begin();
            let unread_now = readers.solved(stack, task.place);
            self.keeper.cache().drop_slabs(&unread_now);
            unread.add(&unread_now);
            done_with.iter().for_each(|all: &Mutex<Vec<_>>| locked(all).extend(&unread_now));
            unput
        };
        let work = |task: Task| -> Result<(), SolveError> {
            let (id, begin) = (task.id, now());
            self.check_wanted(id.layer)?;
            let InWork { checker, nanos, .. } = in_work_of(id.layer);
            let lent = self.keeper.lend_to(id);
            let inputs = Inputs { keeper: self.keeper, readers, stack, place: task.place };
            let scores = Scores::from(self.kernel.slab(&inputs, self.space.layout().key(id))?);
            checker.iter().try_for_each(|checker| checker.check(id, &scores))?;
            self.observer.positions(scores.len() as u64);
            let unput = note(&task);
            unread.release()?;
            if self.open.store().is_short() {
                // Slabs are released when those before them in the order are there: a slow one must not let others fill the disk.
                hand_out.wait_for_earlier(&task);
                unread.release()?;
            }
            self.open.put(id, scores.clone())?;
            drop(lent);
            self.keeper.cache().keep(id, scores);
            unread.put(unput);
            hand_out.solved(&task);
            nanos.fetch_add((now() - begin).as_nanos() as u64, Ordering::Relaxed);
            Ok(())
        };
        let done = |task: &Task| {
            self.observer.positions(task.positions);
            unread.put(note(task));
            hand_out.solved(task);
        };
        let sync = || match stack.layers {
            // All that a layer reads is finished.
            [_] => Ok(()),
            layers => Ok(layers.iter().try_for_each(|&layer| self.open.sync(layer))?),
        };
        let solved = hand_out.by_all_threads(self.space.layout(), work, || {
            let (Some(others), Some(done_with)) = (others.as_mut(), &done_with) else { return Ok(()) };
            let is_wanted = &|| self.check_wanted(stack.layers[0]);
            others.attend(&Desk { hand_out: &hand_out, done: &done, done_with, sync: &sync, is_wanted })
        });
        for InWork { layer, nanos, .. } in &in_work {
            self.open.store().took(*layer, Duration::from_nanos(nanos.load(Ordering::Relaxed) / n_threads as u64));
        }
        solved?;
        others.map_or(Ok(()), |others| others.complete(stack.layers))?;
        for InWork { layer, checker, .. } in in_work {
            checker.map_or(Ok(()), LayerChecker::finish)?;
            self.open.finish(layer)?;
        }
        Ok(unread.finish()?)
    }

    /// Begins layers, or goes on with them.
    fn begin(&self, stack: &Stack<'_>, shapes: &'a [Vec<SlabShape<'a>>]) -> Result<Vec<InWork<'_>>, SolveError> {
        let mut in_work = Vec::new();
        for &layer in stack.layers {
            let shapes = &shapes[layer.0][..];
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
                of.checker = first.filter(|&first| of.layer <= first).map(|_| checker.layer(of.layer));
            }
        }
        Ok(in_work)
    }

    /// Takes up the slabs that an earlier process left; returns the slabs that nothing reads any more.
    fn resume<'w>(
        &self,
        stack: &Stack<'_>,
        readers: &Readers<'_>,
        in_work_of: impl Fn(Layer) -> &'w InWork<'w>,
    ) -> Result<Vec<SlabId>, SolveError> {
        let mut unread = Vec::new();
        for (place, &id) in stack.order.iter().enumerate() {
            let of = in_work_of(id.layer);
            if of.there.contains(id.slab) {
                self.check_wanted(id.layer)?;
                of.checker.iter().try_for_each(|checker| checker.note(id))?;
                unread.extend(readers.solved(stack, place));
            }
        }
        Ok(unread)
    }

    fn check_wanted(&self, layer: Layer) -> Result<(), SolveError> {
        stopped(self.observer, layer)
    }
}
