//! A process that solves slabs which another one gives it.

use std::collections::VecDeque;
use std::sync::Mutex;

use dab_space::{Rules, SlabId, Space};
use dab_store::{JoinedRun, Scores};

use super::hand_out::{HandOut, Slabs};
use super::others::locked;
use super::ready::{InWork, Next, Task};
use crate::SolveError;
use crate::cache::shares::Size;
use crate::cache::slab_keeper::SlabKeeper;
use crate::kernel::Kernel;

/// Slabs that were given and not begun.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<Task>,
    in_work: InWork,
    is_over: bool,
}

impl Slabs for Queue {
    fn next(&mut self) -> Next {
        match self.waiting.front() {
            Some(task) if self.in_work.may_begin(task.size) => {
                self.in_work.begin(task.size);
                self.waiting.pop_front().map_or(Next::Wait, Next::Slab)
            }
            None if self.is_over => Next::Nothing,
            _ => Next::Wait,
        }
    }

    fn solved(&mut self, task: &Task) {
        self.in_work.end(task.size);
    }

    fn in_work(&self) -> &InWork {
        &self.in_work
    }

    fn is_full(&self) -> bool {
        false
    }
}

/// The slabs that this process is given.
pub struct Given<'a, 'k> {
    hand_out: HandOut<Queue>,
    keeper: &'a SlabKeeper<'k>,
    done: Mutex<Vec<SlabId>>,
}

/// Solves slabs of `run` with all threads of the pool, as [`solve`](crate::solve) does. `attend` gives them; the solve ends with it.
///
/// # Errors
/// A slab cannot be read or written, or the error of `attend`.
pub fn solve_given<E: From<SolveError>>(
    (space, rules): (&Space, Rules),
    run: &JoinedRun<'_>,
    budget: u64,
    attend: impl FnOnce(&Given<'_, '_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut attended = Ok(());
    SolveError::or_defect(space, || {
        let kernel = Kernel::best(space, rules);
        let keeper = SlabKeeper::new(space, run, budget);
        let given = Given { hand_out: HandOut::new(Queue::default()), keeper: &keeper, done: Mutex::default() };
        let work = |task: Task| -> Result<(), SolveError> {
            let (id, key) = (task.id, space.layout().key(task.id));
            let lent = keeper.lend_to(id);
            let scores = Scores::from(kernel.slab(&keeper, key)?);
            run.put(id, space.shape(key), &scores)?;
            drop(lent);
            keeper.cache().keep(id, scores);
            locked(&given.done).push(id);
            given.hand_out.solved(&task);
            Ok(())
        };
        given.hand_out.by_all_threads(space.layout(), work, || {
            attended = attend(&given);
            given.hand_out.change(|queue| queue.is_over = true);
            Ok(())
        })
    })?;
    attended
}

impl Given<'_, '_> {
    /// Gives a slab of this size, all of whose inputs can be read.
    pub fn give(&self, id: SlabId, size: Size) {
        self.hand_out.change(|queue| queue.waiting.push_back(Task { id, place: 0, positions: 0, size }));
    }

    /// The slabs that were put since the last call.
    pub fn done(&self) -> Vec<SlabId> {
        std::mem::take(&mut locked(&self.done))
    }

    /// Nothing reads a slab any more.
    pub fn drop_slab(&self, id: SlabId) {
        self.keeper.cache().drop_slabs(&[id]);
    }

    /// Whether a slab could not be solved.
    pub fn has_failed(&self) -> bool {
        self.hand_out.is_stopped()
    }
}
