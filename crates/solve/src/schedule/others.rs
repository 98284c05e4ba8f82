//! Other processes that solve slabs of a stack, too.
//!
//! ```text
//!    ready ──► threads of this process
//!      │ ▲
//!      ▼ │ done
//!    [`Desk`] ◄──► [`Others`]    messages to processes, each of which is [`given`](super::given) slabs
//! ```

use std::sync::{Mutex, MutexGuard, PoisonError};

use dab_space::{Layer, SlabId};

use super::hand_out::HandOut;
use super::ready::{Ready, Task};
use crate::SolveError;

/// The processes that solve together with this one, which is number 0.
pub trait Others {
    /// Number of threads of each process, this one first. Waits until all are there.
    ///
    /// # Errors
    /// One of them is lost.
    fn threads(&mut self) -> Result<Vec<usize>, SolveError>;

    /// Gives slabs of a stack to them, until all are solved or no more are wanted.
    ///
    /// # Errors
    /// One of them is lost.
    fn attend(&mut self, desk: &Desk<'_, '_>) -> Result<(), SolveError>;

    /// Has them complete their score files of some layers, all of whose slabs are solved.
    ///
    /// # Errors
    /// One of them is lost.
    fn complete(&mut self, layers: &[Layer]) -> Result<(), SolveError>;
}

/// The slabs of a stack for other processes.
pub struct Desk<'a, 'g> {
    pub(super) hand_out: &'a HandOut<Ready<'g>>,
    pub(super) done: &'a dyn Fn(&Task),
    pub(super) done_with: &'a Mutex<Vec<SlabId>>,
    pub(super) sync: &'a dyn Fn() -> Result<(), SolveError>,
    pub(super) is_wanted: &'a dyn Fn() -> Result<(), SolveError>,
}

impl Desk<'_, '_> {
    /// A slab for a process, if there is one now: of its own part, or of any if it is idle.
    pub fn next(&self, process: usize, is_idle: bool) -> Option<Task> {
        let task = {
            let ready = &mut self.hand_out.state().slabs;
            if is_idle { ready.next(process).slab() } else { ready.next_of(process, process) }
        };
        if task.is_some() {
            // There may be room to look at another one.
            self.hand_out.change(|_| ());
        }
        task
    }

    /// Notes that a process has put a slab that it was given.
    pub fn done(&self, process: usize, id: SlabId) {
        let task = self.in_work().into_iter().find(|&(other, task)| other == process && task.id == id);
        task.iter().for_each(|(_, task)| (self.done)(task));
    }

    /// The slabs that are given to processes, this one included, and not done, each with its process.
    pub fn in_work(&self) -> Vec<(usize, Task)> {
        self.hand_out.state().slabs.in_work().collect()
    }

    /// Slabs that nothing reads any more since the last call.
    pub fn done_with(&self) -> Vec<SlabId> {
        std::mem::take(&mut locked(self.done_with))
    }

    /// Makes sure that processes of other machines see all slabs that this process has put.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn sync(&self) -> Result<(), SolveError> {
        (self.sync)()
    }

    /// Whether all slabs are solved, or no more are wanted.
    ///
    /// # Errors
    /// [`SolveError::Stopped`].
    pub fn is_over(&self) -> Result<bool, SolveError> {
        (self.is_wanted)()?;
        Ok(self.hand_out.is_stopped() || self.hand_out.state().slabs.is_solved())
    }
}

/// The content of a lock.
pub(super) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
