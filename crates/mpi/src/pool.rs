//! The threads of a process: they solve pieces and put their slabs into the score file of the process.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use dab_solve::SlabKeeper;
use dab_solve::kernel::Kernel;
use dab_solve::schedule::pieces::{self, Pieces};
use dab_space::{Layer, SlabId, Space};
use dab_store::{FollowedRun, LayerShare};

use crate::error::ClusterError;
use crate::link::Link;

/// The tools with which the threads of a process solve pieces.
pub(crate) struct PieceSolver<'a, 'r> {
    pub(crate) space: &'a Space,
    pub(crate) kernel: &'a Kernel<'a>,
    pub(crate) followed: &'a FollowedRun<'r>,
    pub(crate) pieces: &'a Pieces,
    pub(crate) keeper: &'a SlabKeeper<'a>,
    /// The layer that is being solved, and the score file of this process.
    current: Mutex<Option<(Layer, Arc<LayerShare<'r>>)>>,
    rank: u32,
    size: u32,
    /// Whether other machines read the files.
    is_read_elsewhere: bool,
}

/// An event in a pool.
pub(crate) enum Event {
    /// A thread waits for a piece, or has solved one and only needs to encode it.
    Idle,
    /// The slabs of a piece can be read.
    Done { layer: Layer, piece: usize },
    /// The file of this process is complete, or the layer finished.
    Closed { layer: Layer, number: Option<u32> },
    /// A thread failed.
    Failed(ClusterError),
}

/// Work that is done aside while pieces are solved.
type Aside<'s> = Box<dyn FnOnce() -> Result<Event, ClusterError> + Send + 's>;

/// Running threads. They end when the pool is dropped.
pub(crate) struct Pool<'s> {
    tasks: Sender<(Layer, usize)>,
    aside: Sender<Aside<'s>>,
    events: Receiver<Event>,
}

impl<'s> Pool<'s> {
    /// Starts `threads` threads that solve, and one for work aside.
    pub(crate) fn start<'r>(scope: &'s Scope<'s, '_>, solver: &'s PieceSolver<'s, 'r>, threads: usize) -> Self {
        let (tasks, asked) = mpsc::channel();
        let (aside, closing) = mpsc::channel::<Aside<'s>>();
        let (said, events) = mpsc::channel();
        let asked = Arc::new(Mutex::new(asked));
        for _ in 0..threads {
            let (asked, said) = (asked.clone(), said.clone());
            scope.spawn(move || report(&said, || solver.solve(&asked, &said)));
        }
        scope.spawn(move || {
            report(&said, || closing.into_iter().try_for_each(|work| work().map(|event| drop(said.send(event)))));
        });
        Self { tasks, aside, events }
    }

    /// Gives a piece to a thread.
    pub(crate) fn solve(&self, layer: Layer, piece: usize) {
        // A pool whose threads have ended has sent the reason as an event.
        let _ = self.tasks.send((layer, piece));
    }

    /// Has work done aside, which ends with an event.
    pub(crate) fn do_aside(&self, work: impl FnOnce() -> Result<Event, ClusterError> + Send + 's) {
        let _ = self.aside.send(Box::new(work));
    }

    /// The next event, if one comes within a time.
    pub(crate) fn event(&self, within: Duration) -> Option<Event> {
        self.events.recv_timeout(within).ok()
    }
}

impl<'a, 'r> PieceSolver<'a, 'r> {
    /// The tools of the process at this end of a link.
    pub(crate) fn new(
        (space, kernel, pieces): (&'a Space, &'a Kernel<'a>, &'a Pieces),
        followed: &'a FollowedRun<'r>,
        keeper: &'a SlabKeeper<'a>,
        link: &dyn Link,
    ) -> Self {
        let (rank, size) = (link.rank() as u32, link.size() as u32);
        let is_read_elsewhere = link.n_local() < link.size();
        Self { space, kernel, followed, pieces, keeper, current: Mutex::default(), rank, size, is_read_elsewhere }
    }

    /// Begins a layer: its slabs go into the file of this share.
    pub(crate) fn begin(&self, layer: Layer, share: LayerShare<'r>) -> Result<(), ClusterError> {
        self.followed.look_again()?;
        self.keeper.cache().enter();
        *self.current() = Some((layer, Arc::new(share)));
        Ok(())
    }

    /// The share of this process in a layer that is over, if it has one.
    pub(crate) fn end(&self, layer: Layer) -> Option<LayerShare<'r>> {
        let (_, share) = self.current().take_if(|(current, _)| *current == layer)?;
        Arc::into_inner(share)
    }

    /// The share of this process in a layer, which it joins if it has not yet.
    fn share(&self, layer: Layer) -> Result<Arc<LayerShare<'r>>, ClusterError> {
        let mut current = self.current();
        if let Some((_, share)) = current.as_ref().filter(|(current, _)| *current == layer) {
            return Ok(share.clone());
        }
        self.followed.look_again()?;
        self.keeper.cache().enter();
        let n_slabs = self.pieces.n_slabs(layer);
        let share = Arc::new(self.followed.run().join_layer((layer, n_slabs), self.rank, self.size)?);
        *current = Some((layer, share.clone()));
        Ok(share)
    }

    fn current(&self) -> MutexGuard<'_, Option<(Layer, Arc<LayerShare<'r>>)>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Solves pieces until the channel closes.
    fn solve(&self, asked: &Mutex<Receiver<(Layer, usize)>>, said: &Sender<Event>) -> Result<(), ClusterError> {
        let _ = said.send(Event::Idle);
        let next = || asked.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
        while let Some((layer, piece)) = next() {
            let share = self.share(layer)?;
            let slabs = self.pieces.slabs(layer, piece).map(|slab| SlabId::new(layer, slab));
            let solve = |id| Ok((id, pieces::solve((self.kernel, self.space, self.keeper), id)?));
            let solved = slabs.map(solve).collect::<Result<Vec<_>, ClusterError>>()?;
            // Encoding takes longer than the manager's answer, so no thread waits for it.
            let _ = said.send(Event::Idle);
            for (id, scores) in solved {
                share.put(id.slab, self.space.shape(self.space.layout().key(id)), &scores)?;
            }
            if self.is_read_elsewhere {
                share.sync()?;
            }
            drop(share);
            let _ = said.send(Event::Done { layer, piece });
        }
        Ok(())
    }
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
