//! Slabs of a stack, handed out to threads in their order as soon as all slabs that they read are solved.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use dab_space::SlabId;
use rustc_hash::FxHashSet;

/// Slabs that are looked at for every thread: the first one of them that can be solved is handed out.
const LOOKED_AT: usize = 8;

/// Slabs that are still to be solved.
pub(super) struct HandOut<'a> {
    order: &'a [SlabId],
    /// The slabs that a slab reads.
    sources: &'a (dyn Fn(SlabId) -> Vec<SlabId> + Sync),
    most_waiting: usize,
    state: Mutex<State>,
    changed: Condvar,
}

/// A slab to be solved.
pub(super) struct Task {
    pub(super) id: SlabId,
    /// The slabs that it reads.
    pub(super) sources: Vec<SlabId>,
    /// Those that may not be solved yet.
    unsolved: Vec<SlabId>,
}

struct State {
    /// Slabs of the order that were looked at.
    n_seen: usize,
    /// Those that were not handed out.
    waiting: VecDeque<Task>,
    /// Slabs of the order that are not solved.
    unsolved: FxHashSet<SlabId>,
    is_stopped: bool,
}

impl<'a> HandOut<'a> {
    /// The slabs of `order`, in which each comes after those that it reads, for so many threads.
    pub(super) fn new(
        order: &'a [SlabId],
        sources: &'a (dyn Fn(SlabId) -> Vec<SlabId> + Sync),
        n_threads: usize,
    ) -> Self {
        let unsolved = order.iter().copied().collect();
        let state = State { n_seen: 0, waiting: VecDeque::new(), unsolved, is_stopped: false };
        Self { order, sources, most_waiting: LOOKED_AT * n_threads, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next slab; waits for one that can be solved. `None` when all are handed out or no more are wanted.
    pub(super) fn take(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            if state.is_stopped {
                return None;
            }
            let State { waiting, unsolved, .. } = &mut *state;
            let is_ready = |task: &mut Task| {
                task.unsolved.retain(|id| unsolved.contains(id));
                task.unsolved.is_empty()
            };
            if let Some(at) = waiting.iter_mut().position(is_ready) {
                if waiting.len() >= self.most_waiting {
                    // There is room to look at another one.
                    self.changed.notify_one();
                }
                return waiting.remove(at);
            }
            let n_seen = state.n_seen;
            if n_seen < self.order.len() && state.waiting.len() < self.most_waiting {
                state.n_seen += 1;
                drop(state);
                let id = self.order[n_seen];
                let sources = (self.sources)(id);
                state = self.state();
                let unsolved = sources.iter().copied().filter(|id| state.unsolved.contains(id)).collect();
                state.waiting.push_back(Task { id, sources, unsolved });
            } else if n_seen == self.order.len() && state.waiting.is_empty() {
                return None;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// The first so many slabs of the order were looked at; no other one was handed out.
    pub(super) fn n_seen(&self) -> usize {
        self.state().n_seen
    }

    /// Notes that a slab can be read from now on.
    pub(super) fn solved(&self, id: SlabId) {
        self.state().unsolved.remove(&id);
        self.changed.notify_all();
    }

    /// Hands out no more.
    pub(super) fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the others if its thread panics: nobody waits for a slab that never comes.
pub(super) struct StopOnPanic<'a>(pub(super) &'a HandOut<'a>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Slab n of layer 0 reads slabs n - 3 and n / 2.
    fn sources(id: SlabId) -> Vec<SlabId> {
        let all = [id.slab.checked_sub(3), (id.slab > 0).then_some(id.slab / 2)];
        all.into_iter().flatten().map(|slab| SlabId::new(0, slab)).collect()
    }

    #[test]
    fn each_is_handed_out_once_and_after_its_sources() {
        let order: Vec<SlabId> = (0..300).map(|slab| SlabId::new(0, slab)).collect();
        for n_threads in [1, 2, 7] {
            let hand_out = HandOut::new(&order, &sources, n_threads);
            let solved = Mutex::new(BTreeSet::new());
            thread::scope(|scope| {
                for _ in 0..n_threads {
                    scope.spawn(|| {
                        while let Some(task) = hand_out.take() {
                            assert!(task.sources.iter().all(|id| solved.lock().unwrap().contains(id)), "{:?}", task.id);
                            thread::yield_now();
                            assert!(solved.lock().unwrap().insert(task.id));
                            hand_out.solved(task.id);
                        }
                    });
                }
            });
            assert_eq!(solved.into_inner().unwrap().len(), order.len());
        }
    }

    #[test]
    fn a_panic_frees_those_that_wait() {
        let order: Vec<SlabId> = (0..2).map(|slab| SlabId::new(0, slab)).collect();
        let sources = |id: SlabId| if id.slab == 1 { vec![SlabId::new(0, 0)] } else { Vec::new() };
        let hand_out = HandOut::new(&order, &sources, 2);
        let task = hand_out.take().unwrap();
        thread::scope(|scope| {
            let waits = scope.spawn(|| hand_out.take().is_none());
            let panics = scope.spawn(|| {
                let _stop = StopOnPanic(&hand_out);
                panic!("slab {:?} cannot be solved", task.id);
            });
            assert!(panics.join().is_err() && waits.join().unwrap());
        });
    }
}
