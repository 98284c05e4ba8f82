//! Slabs of a stack, handed out to threads in their order as soon as all slabs that they read are solved.
//!
//! Small slabs are solved side by side. A large one is handed out when no other large one is in work; threads that come for a
//! slab meanwhile compute bands of it first. A thread computes bands of another's slab here only, where it has none of its own.

use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use dab_space::SlabId;
use rustc_hash::FxHashSet;

use crate::cache::shares::Size;

/// Slabs that are looked at for every thread: the first one of them that can be solved is handed out.
pub(crate) const LOOKED_AT: usize = 8;
/// Time after which a thread without a slab looks for bands again.
const NAP: Duration = Duration::from_micros(100);
/// Looks in vain before the first such time.
const LOOKS: usize = 32;

/// Slabs that are still to be solved.
pub(super) struct HandOut<'a> {
    order: &'a [SlabId],
    /// The slabs that a slab reads.
    sources: &'a (dyn Fn(SlabId) -> Vec<SlabId> + Sync),
    size: &'a (dyn Fn(SlabId, &[SlabId]) -> Size + Sync),
    most_waiting: usize,
    state: Mutex<State>,
    changed: Condvar,
}

/// A slab to be solved.
pub(super) struct Task {
    pub(super) id: SlabId,
    /// Its place in the order.
    place: usize,
    /// The slabs that it reads.
    pub(super) sources: Vec<SlabId>,
    size: Size,
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
    /// Places of the slabs in work.
    in_work: BTreeSet<usize>,
    /// Slabs in work with which others help.
    n_shared: usize,
    is_large_in_work: bool,
    is_stopped: bool,
}

impl<'a> HandOut<'a> {
    /// The slabs of `order`, in which each comes after those that it reads, for so many threads. `size` follows from a slab and
    /// those that it reads.
    pub(super) fn new(
        order: &'a [SlabId],
        sources: &'a (dyn Fn(SlabId) -> Vec<SlabId> + Sync),
        size: &'a (dyn Fn(SlabId, &[SlabId]) -> Size + Sync),
        n_threads: usize,
    ) -> Self {
        let unsolved = order.iter().copied().collect();
        let state = State {
            n_seen: 0,
            waiting: VecDeque::new(),
            unsolved,
            in_work: BTreeSet::new(),
            n_shared: 0,
            is_large_in_work: false,
            is_stopped: false,
        };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        Self { order, sources, size, most_waiting: LOOKED_AT * n_threads, state, changed }
    }

    /// The next slab; waits for one that can be solved. `None` when all are handed out or no more are wanted.
    pub(super) fn take(&self) -> Option<Task> {
        let (mut state, mut n_looks) = (self.state(), 0);
        loop {
            if state.is_stopped {
                return None;
            }
            if state.is_large_in_work {
                drop(state);
                help();
                state = self.state();
            }
            let State { waiting, unsolved, in_work, is_large_in_work, n_shared, .. } = &mut *state;
            let is_ready = |task: &mut Task| {
                task.unsolved.retain(|id| unsolved.contains(id));
                task.unsolved.is_empty() && !(*is_large_in_work && task.size == Size::Large)
            };
            if let Some(at) = waiting.iter_mut().position(is_ready) {
                in_work.insert(waiting[at].place);
                *is_large_in_work |= waiting[at].size == Size::Large;
                *n_shared += usize::from(waiting[at].size != Size::Small);
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
                let size = (self.size)(id, &sources);
                state = self.state();
                let unsolved = sources.iter().copied().filter(|id| state.unsolved.contains(id)).collect();
                state.waiting.push_back(Task { id, place: n_seen, sources, size, unsolved });
            } else if n_seen == self.order.len() && state.waiting.is_empty() {
                return None;
            } else if state.n_shared == 0 {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                drop(state);
                n_looks = if help() { 0 } else { n_looks + 1 };
                thread::yield_now();
                state = self.state();
                if n_looks > LOOKS {
                    state = self.changed.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Returns when no slab in work comes before that of a task, or no more are wanted. The first one in work never waits.
    pub(super) fn wait_for_earlier(&self, task: &Task) {
        let mut state = self.state();
        while !state.is_stopped && state.in_work.first().is_some_and(|&first| first < task.place) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes that the slab of a task can be read from now on.
    pub(super) fn solved(&self, task: &Task) {
        let mut state = self.state();
        state.unsolved.remove(&task.id);
        state.in_work.remove(&task.place);
        state.n_shared -= usize::from(task.size != Size::Small);
        state.is_large_in_work &= task.size != Size::Large;
        drop(state);
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

/// Computes bands of slabs that other threads solve, as long as there are any; returns whether there were.
fn help() -> bool {
    let mut has_helped = false;
    while rayon::yield_now() == Some(rayon::Yield::Executed) {
        has_helped = true;
    }
    has_helped
}

thread_local! {
    /// The address of the hand-out whose slab this thread is in the middle of.
    static IN_SLAB: Cell<usize> = const { Cell::new(0) };
}

/// Notes that this thread is in the middle of a slab, until it is dropped.
pub(super) struct InSlab {
    before: usize,
}

impl InSlab {
    /// In the middle of a slab that was handed out here.
    pub(super) fn of(hand_out: &HandOut<'_>) -> Self {
        Self { before: IN_SLAB.replace(address(hand_out)) }
    }

    /// Whether this thread is in the middle of such a slab.
    pub(super) fn is_of(hand_out: &HandOut<'_>) -> bool {
        IN_SLAB.get() == address(hand_out)
    }
}

impl Drop for InSlab {
    fn drop(&mut self) {
        IN_SLAB.set(self.before);
    }
}

fn address(hand_out: &HandOut<'_>) -> usize {
    std::ptr::from_ref(hand_out).addr()
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
    use std::sync::atomic::{AtomicUsize, Ordering};

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
            // Every third slab is large, and every fifth one shared.
            let size = |id: SlabId, _: &[SlabId]| match id.slab {
                slab if slab % 3 == 0 => Size::Large,
                slab if slab % 5 == 0 => Size::Shared,
                _ => Size::Small,
            };
            let hand_out = HandOut::new(&order, &sources, &size, n_threads);
            let n_large = AtomicUsize::new(0);
            let solved = Mutex::new(BTreeSet::new());
            thread::scope(|scope| {
                for _ in 0..n_threads {
                    scope.spawn(|| {
                        while let Some(task) = hand_out.take() {
                            assert!(task.sources.iter().all(|id| solved.lock().unwrap().contains(id)), "{:?}", task.id);
                            let is_large = usize::from(task.id.slab % 3 == 0);
                            assert!(n_large.fetch_add(is_large, Ordering::SeqCst) + is_large <= 1 || is_large == 0);
                            thread::yield_now();
                            assert!(solved.lock().unwrap().insert(task.id));
                            n_large.fetch_sub(is_large, Ordering::SeqCst);
                            if task.id.slab % 4 == 0 {
                                hand_out.wait_for_earlier(&task);
                                assert_eq!(hand_out.state().in_work.first(), Some(&task.place));
                            }
                            hand_out.solved(&task);
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
        let hand_out = HandOut::new(&order, &sources, &|_, _| Size::Small, 2);
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
