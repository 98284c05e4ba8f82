//! The threads of one process. Some solve pieces; as many others write slab files, so that no solving thread waits for a
//! disk.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use dab_solve::SharedRun;
use dab_solve::SlabKeeper;
use dab_solve::kernel::Kernel;
use dab_solve::schedule::pieces::{self, Pieces};
use dab_space::{Layer, Space};
use dab_store::{Digest, EncodedSlabs};

use crate::error::ClusterError;

/// The tools with which the threads of a process solve pieces.
pub(crate) struct PieceSolver<'a> {
    pub(crate) space: &'a Space,
    pub(crate) kernel: &'a Kernel<'a>,
    pub(crate) shared: &'a SharedRun<'a>,
    pub(crate) pieces: &'a Pieces,
    pub(crate) keeper: &'a SlabKeeper<'a>,
    /// The layer that is being solved.
    pub(crate) layer: Mutex<Layer>,
}

/// An event in a pool.
pub(crate) enum Event {
    /// A thread waits for a piece, or has solved one and only needs to encode it.
    Idle,
    /// A slab file is written.
    Done { layer: Layer, piece: usize, bytes: u64, digest: Digest },
    /// A thread failed.
    Failed(ClusterError),
}

/// Running threads. They end when the pool is dropped.
pub(crate) struct Pool {
    tasks: Sender<(Layer, usize)>,
    events: Receiver<Event>,
}

/// A piece that is solved and not written yet.
type Solved = (Layer, usize, EncodedSlabs);

impl Pool {
    /// Starts `threads` threads that solve, and as many that write.
    pub(crate) fn start<'s>(scope: &'s Scope<'s, '_>, solver: &'s PieceSolver<'s>, threads: usize) -> Self {
        let (tasks, asked) = mpsc::channel();
        let (said, events) = mpsc::channel();
        // A short queue keeps memory bounded.
        let (solved, to_write) = mpsc::sync_channel(threads);
        let (asked, to_write) = (Arc::new(Mutex::new(asked)), Arc::new(Mutex::new(to_write)));
        for _ in 0..threads {
            let (asked, solved, failed) = (asked.clone(), solved.clone(), said.clone());
            let idle = said.clone();
            scope.spawn(move || report(&failed, || solver.solve(&asked, &idle, &solved)));
            let (to_write, failed, done) = (to_write.clone(), said.clone(), said.clone());
            scope.spawn(move || report(&failed, || solver.write(&to_write, &done)));
        }
        Self { tasks, events }
    }

    /// Gives a piece to a thread.
    pub(crate) fn solve(&self, layer: Layer, piece: usize) {
        // A pool whose threads have ended has sent the reason as an event.
        let _ = self.tasks.send((layer, piece));
    }

    /// The next event, if one comes within a time.
    pub(crate) fn event(&self, within: Duration) -> Option<Event> {
        self.events.recv_timeout(within).ok()
    }
}

impl PieceSolver<'_> {
    /// Solves pieces until the channel closes.
    fn solve(
        &self,
        asked: &Mutex<Receiver<(Layer, usize)>>,
        idle: &Sender<Event>,
        solved: &SyncSender<Solved>,
    ) -> Result<(), ClusterError> {
        let _ = idle.send(Event::Idle);
        while let Some((layer, piece)) = next(asked) {
            self.enter(layer);
            let slabs = self.pieces.slabs(layer, piece);
            let scores = pieces::solve((self.kernel, self.space, self.keeper), layer, slabs.clone())?;
            // Encoding takes longer than the manager's answer, so no thread waits for it.
            let _ = idle.send(Event::Idle);
            let encoded = pieces::encode(self.space, self.shared.run(), layer, slabs.start, scores);
            if solved.send((layer, piece, encoded)).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Writes solved pieces until the channel closes.
    fn write(&self, to_write: &Mutex<Receiver<Solved>>, done: &Sender<Event>) -> Result<(), ClusterError> {
        while let Some((layer, piece, slabs)) = next(to_write) {
            self.shared.run().write_slabs(&slabs)?;
            let _ = done.send(Event::Done { layer, piece, bytes: slabs.byte_len(), digest: slabs.digest() });
        }
        Ok(())
    }

    /// Tells the slab cache that a layer begins, the first time it does.
    pub(crate) fn enter(&self, layer: Layer) {
        let mut current = self.layer.lock().unwrap_or_else(PoisonError::into_inner);
        if *current != layer {
            *current = layer;
            self.keeper.cache().enter(layer);
        }
    }
}

/// The next value of a channel that many threads read; `None` once it is closed.
fn next<T>(from: &Mutex<Receiver<T>>) -> Option<T> {
    from.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Runs a thread and sends an event if it fails.
fn report(said: &Sender<Event>, work: impl FnOnce() -> Result<(), ClusterError>) {
    let failed = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error,
        Err(panic) => ClusterError::Panicked(text_of(&*panic)),
    };
    let _ = said.send(Event::Failed(failed));
}

/// The message of a panic.
pub(crate) fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it did not say why").to_owned()
}
