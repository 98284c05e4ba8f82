//! Slabs, handed out to the threads of this process as soon as they can be solved.
//!
//! Small slabs are solved side by side. A large one is handed out when no other large one is in work; threads that come for a
//! slab meanwhile compute bands of it first. A thread computes bands of another's slab here only, where it has none of its own.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use dab_space::{Layout, now};
use dab_store::SHARED_OUT;

use super::ready::{InWork, Next, Ready, Task};
use crate::SolveError;

/// Time after which a thread without a slab looks for bands again.
const NAP: Duration = Duration::from_micros(100);
/// Looks in vain before the first such time.
const LOOKS: usize = 32;
/// The most time for which threads wait for each other before the first slab: others may be busy with another solve.
const MUSTER: Duration = Duration::from_secs(1);

/// The slabs from which threads take.
pub(super) trait Slabs: Send {
    /// The next slab that can be solved.
    fn next(&mut self) -> Next;

    /// Notes that the slab of a task can be read from now on.
    fn solved(&mut self, task: &Task);

    /// The slabs that this process has in work.
    fn in_work(&self) -> &InWork;

    /// Whether no slab is looked at until another one is handed out.
    fn is_full(&self) -> bool;
}

/// This process is number 0 of those that solve a stack.
impl Slabs for Ready<'_> {
    fn next(&mut self) -> Next {
        self.next(0)
    }

    fn solved(&mut self, task: &Task) {
        self.solved(task);
    }

    fn in_work(&self) -> &InWork {
        self.in_work_of(0)
    }

    fn is_full(&self) -> bool {
        self.is_full(0)
    }
}

/// Slabs that are still to be solved.
pub(super) struct HandOut<S> {
    state: Mutex<State<S>>,
    changed: Condvar,
}

pub(super) struct State<S> {
    pub(super) slabs: S,
    is_stopped: bool,
    /// The first error counts: others may follow from it.
    failed: Option<SolveError>,
}

impl<S: Slabs> HandOut<S> {
    /// Hands out these slabs.
    pub(super) fn new(slabs: S) -> Self {
        Self { state: Mutex::new(State { slabs, is_stopped: false, failed: None }), changed: Condvar::new() }
    }

    /// Has all threads of the pool do `work` on each slab, until none is left or wanted; meanwhile this thread does `meanwhile`. Where
    /// some have bands, the first slab begins when all threads are here: one that comes later may be in the middle of a band, and only helps.
    pub(super) fn by_all_threads(
        &self,
        layout: &Layout,
        work: impl Fn(Task) -> Result<(), SolveError> + Sync,
        meanwhile: impl FnOnce() -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let (n_threads, n_here) = (rayon::current_num_threads(), AtomicUsize::new(0));
        let has_bands = layout.largest_slab() >= SHARED_OUT as u64;
        let each = || {
            // A thread that waits for others in the middle of a slab or of a band begins no slab there: they would wait for it for ever.
            if InSlab::is_of(self) || self.state().slabs.in_work().has_shared() {
                return;
            }
            let _stop = StopOnPanic(self);
            n_here.fetch_add(1, Ordering::Relaxed);
            let begin = now();
            while has_bands && n_here.load(Ordering::Relaxed) < n_threads && now() - begin < MUSTER {
                thread::yield_now();
            }
            while let Some(task) = self.take() {
                let _in_slab = InSlab::new(self);
                if let Err(error) = work(task) {
                    self.fail(error);
                }
            }
        };
        rayon::in_place_scope(|scope| {
            (0..n_threads).for_each(|_| scope.spawn(|_| each()));
            let _stop = StopOnPanic(self);
            if let Err(error) = meanwhile() {
                self.fail(error);
            }
        });
        self.state().failed.take().map_or(Ok(()), Err)
    }

    /// The next slab; waits for one that can be solved. `None` when all are handed out or no more are wanted.
    fn take(&self) -> Option<Task> {
        let (mut state, mut n_looks) = (self.state(), 0);
        loop {
            if state.is_stopped {
                return None;
            }
            if state.slabs.in_work().has_large() {
                drop(state);
                help();
                state = self.state();
            }
            let was_full = state.slabs.is_full();
            match state.slabs.next() {
                Next::Slab(task) => {
                    if was_full {
                        // There is room to look at another one.
                        self.changed.notify_all();
                    }
                    return Some(task);
                }
                Next::Nothing => return None,
                Next::Wait if !state.slabs.in_work().has_shared() => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                Next::Wait => {
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
    }

    /// Notes that the slab of a task can be read from now on.
    pub(super) fn solved(&self, task: &Task) {
        self.change(|slabs| slabs.solved(task));
    }

    /// Changes the slabs; threads that wait look again.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut S) -> T) -> T {
        let changed = change(&mut self.state().slabs);
        self.changed.notify_all();
        changed
    }

    /// Hands out no more, because of an error.
    fn fail(&self, error: SolveError) {
        self.state().failed.get_or_insert(error);
        self.stop();
    }

    /// Hands out no more.
    fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }

    /// Whether no more is handed out although slabs are left.
    pub(super) fn is_stopped(&self) -> bool {
        self.state().is_stopped
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HandOut<Ready<'_>> {
    /// Returns when no slab in work comes before that of a task, or no more are wanted. The first one in work never waits.
    pub(super) fn wait_for_earlier(&self, task: &Task) {
        let mut state = self.state();
        while !state.is_stopped && state.slabs.first_in_work().is_some_and(|first| first < task.place) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
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
struct InSlab {
    before: usize,
}

impl InSlab {
    /// In the middle of a slab that was handed out here.
    fn new<S>(hand_out: &HandOut<S>) -> Self {
        Self { before: IN_SLAB.replace(address(hand_out)) }
    }

    /// Whether this thread is in the middle of such a slab.
    fn is_of<S>(hand_out: &HandOut<S>) -> bool {
        IN_SLAB.get() == address(hand_out)
    }
}

impl Drop for InSlab {
    fn drop(&mut self) {
        IN_SLAB.set(self.before);
    }
}

fn address<S>(hand_out: &HandOut<S>) -> usize {
    std::ptr::from_ref(hand_out).addr()
}

/// Stops the others if its thread panics: nobody waits for a slab that never comes.
struct StopOnPanic<'a, S: Slabs>(&'a HandOut<S>);

impl<S: Slabs> Drop for StopOnPanic<'_, S> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use dab_space::{SlabId, SpaceKind, Units};

    use super::super::ready::tests::on_a_stack;
    use super::*;
    use crate::cache::shares::Size;

    #[test]
    fn each_is_handed_out_once_and_after_its_sources() {
        on_a_stack(|stack| {
            for n_threads in [1, 2, 7] {
                // Every third slab is large, and every fifth one shared. Some are there.
                let size = |place: usize| match place {
                    place if place % 3 == 0 => Size::Large,
                    place if place % 5 == 0 => Size::Shared,
                    _ => Size::Small,
                };
                let is_there = |id: SlabId| id.slab.is_multiple_of(11) && id.layer == stack.layers[0];
                let hand_out = HandOut::new(Ready::new(stack, is_there, &size, &[n_threads]));
                let n_large = AtomicUsize::new(0);
                let there = stack.order.iter().copied().filter(|&id| is_there(id));
                let solved: Mutex<BTreeSet<SlabId>> = Mutex::new(there.collect());
                thread::scope(|scope| {
                    for _ in 0..n_threads {
                        scope.spawn(|| {
                            while let Some(task) = hand_out.take() {
                                let is_solved = |id: &SlabId| solved.lock().unwrap().contains(id);
                                let mut within = stack.reads(task.place).filter(|id| stack.layers.contains(&id.layer));
                                assert!(within.all(|id| is_solved(&id)), "{}", task.id);
                                let is_large = usize::from(task.place % 3 == 0);
                                assert!(n_large.fetch_add(is_large, Ordering::SeqCst) + is_large <= 1 || is_large == 0);
                                thread::yield_now();
                                assert!(solved.lock().unwrap().insert(task.id));
                                n_large.fetch_sub(is_large, Ordering::SeqCst);
                                if task.place % 4 == 0 {
                                    hand_out.wait_for_earlier(&task);
                                    assert_eq!(hand_out.state().slabs.first_in_work(), Some(task.place));
                                }
                                hand_out.solved(&task);
                            }
                        });
                    }
                });
                assert_eq!(solved.into_inner().unwrap().len(), stack.order.len());
            }
        });
    }

    /// A thread that comes late, in the middle of a band of the first slab, leaves all slabs to the others.
    #[test]
    fn no_slab_is_begun_within_a_band() {
        on_a_stack(|stack| {
            let hand_out = HandOut::new(Ready::new(stack, |_| false, &|_| Size::Shared, &[2]));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let (is_late, has_slab, has_band) = (Barrier::new(2), Barrier::new(2), AtomicBool::new(false));
            let units = Units::new("3x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
            let (layout, n_solved) = (Layout::new(units).unwrap(), AtomicUsize::new(0));
            let work = |task: Task| {
                if n_solved.fetch_add(1, Ordering::SeqCst) == 0 {
                    has_slab.wait();
                    let begin = now();
                    while !has_band.load(Ordering::SeqCst) {
                        assert!(now() - begin < Duration::from_secs(20), "the band never comes");
                        thread::yield_now();
                    }
                }
                hand_out.solved(&task);
                Ok(())
            };
            pool.in_place_scope(|scope| {
                scope.spawn(|_| {
                    is_late.wait();
                    has_slab.wait();
                    // The band waits for a part of it.
                    help();
                    has_band.store(true, Ordering::SeqCst);
                });
                is_late.wait();
                pool.install(|| hand_out.by_all_threads(&layout, work, || Ok(()))).unwrap();
            });
            assert_eq!(n_solved.into_inner(), stack.order.len());
        });
    }

    #[test]
    fn a_panic_frees_those_that_wait() {
        on_a_stack(|stack| {
            // All but one slab and the first one that reads it are there.
            let reader = (0..stack.order.len()).find(|&place| stack.reads_within(place).next().is_some()).unwrap();
            let read = stack.reads_within(reader).next().unwrap();
            let is_there = |id: SlabId| id != stack.order[reader] && id != stack.order[read];
            let hand_out = HandOut::new(Ready::new(stack, is_there, &|_| Size::Small, &[2]));
            let task = hand_out.take().unwrap();
            assert_eq!(task.place, read);
            thread::scope(|scope| {
                let waits = scope.spawn(|| hand_out.take().is_none());
                let panics = scope.spawn(|| {
                    let _stop = StopOnPanic(&hand_out);
                    panic!("slab {:?} cannot be solved", task.id);
                });
                assert!(panics.join().is_err() && waits.join().unwrap());
            });
        });
    }
}
