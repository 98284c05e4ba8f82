//! The manager: solves as a process on its own does, and gives slabs to the workers meanwhile.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use dab_solve::{Desk, Observer, Others, SolveError, solve_with_others};
use dab_space::{Layer, SlabId, Space};
use dab_store::{LayerSummary, RunDir, ScoreRelease};

use crate::error::ClusterError;
use crate::link::Link;
use crate::message::Message;
use crate::task::{PAUSE, PULSE, Task};

/// Time for each position on top of the patience.
const SLOWEST: Duration = Duration::from_micros(2);
/// Positions that a worker has in hand for each of its threads, so that none waits for a message: some milliseconds of work.
const IN_HAND: u64 = 1 << 20;

/// Solves every layer of `run`, which holds its lock and is shared, together with the workers at the other ends of `link`.
///
/// # Errors
/// If files cannot be read or written, a worker is silent or stuck for too long, or [`Observer::should_stop`] says so;
/// finished work stays.
pub fn manage(
    task: Task<'_>,
    link: &dyn Link,
    run: &RunDir,
    observer: &dyn Observer,
) -> Result<Vec<LayerSummary>, ClusterError> {
    let is_read_elsewhere = link.n_local() < link.size();
    // What has read a released slab must not be lost.
    let syncs = is_read_elsewhere || run.last_kept() != Layer::MAX;
    let worker = || Worker { threads: 0, in_hand: Vec::new(), heard: Instant::now() };
    let workers = (0..link.size()).map(|_| worker()).collect();
    let now = Instant::now();
    let mut manager =
        Manager { task, link, observer, is_read_elsewhere, workers, seen: HashMap::new(), pulse: now, failed: None };
    manager.tell_all(Message::Begin { syncs });
    let solved = solve_with_others((task.space, task.rules), run, task.budget, observer, &mut manager);
    let solved = manager.failed.take().map_or(solved.map_err(ClusterError::from), Err);
    match &solved {
        Ok(_) => manager.tell_all(Message::End),
        Err(error) => link.abort(error),
    }
    solved
}

/// A process as the manager sees it; the first one is its own.
struct Worker {
    /// Number of its threads; 0 as long as it is not ready.
    threads: usize,
    /// Slabs that it was given and that are not done, with their positions.
    in_hand: Vec<(SlabId, u64)>,
    /// Time of its last message.
    heard: Instant,
}

impl Worker {
    /// Whether it has enough to do until the next message comes.
    fn is_busy(&self) -> bool {
        let positions: u64 = self.in_hand.iter().map(|(_, positions)| positions).sum();
        self.in_hand.len() > self.threads && positions >= self.threads as u64 * IN_HAND
    }
}

struct Manager<'a> {
    task: Task<'a>,
    link: &'a dyn Link,
    observer: &'a dyn Observer,
    /// Whether machines other than this one read the files.
    is_read_elsewhere: bool,
    workers: Vec<Worker>,
    /// Slabs in work, and when they were first seen to be.
    seen: HashMap<SlabId, Instant>,
    /// Time at which signs of life were last sent.
    pulse: Instant,
    /// The reason why the solve ends, if it is one of processes.
    failed: Option<ClusterError>,
}

impl Others for Manager<'_> {
    fn threads(&mut self) -> Result<Vec<usize>, SolveError> {
        self.workers[0].threads = rayon::current_num_threads();
        while self.workers.iter().any(|worker| worker.threads == 0) {
            self.check_wanted(Layer(self.task.space.n_layers() - 1))?;
            self.receive(|_, _| {})?;
            self.wait()?;
        }
        Ok(self.workers.iter().map(|worker| worker.threads).collect())
    }

    fn attend(&mut self, desk: &Desk<'_, '_>) -> Result<(), SolveError> {
        while !desk.is_over()? {
            self.receive(|worker, (rank, message)| {
                if let Message::Done { id } = message {
                    worker.in_hand.retain(|&(given, _)| given != id);
                    desk.done(rank, id);
                }
            })?;
            desk.done_with().into_iter().for_each(|id| self.tell_all(Message::Unread { id }));
            self.give(desk)?;
            if self.wait()? {
                self.check_progress(desk)?;
            }
        }
        desk.done_with().into_iter().for_each(|id| self.tell_all(Message::Unread { id }));
        Ok(())
    }

    fn complete(&mut self, layers: &[Layer]) -> Result<(), SolveError> {
        layers.iter().for_each(|&layer| self.tell_all(Message::Close { layer }));
        let mut n_open = layers.len() * (self.workers.len() - 1);
        while n_open > 0 {
            self.check_wanted(layers[0])?;
            self.receive(|_, (_, message)| n_open -= usize::from(matches!(message, Message::Closed { .. })))?;
            self.wait()?;
        }
        Ok(())
    }
}

impl Manager<'_> {
    fn tell_all(&self, message: Message) {
        (1..self.link.size()).for_each(|rank| self.link.send(rank, message));
    }

    /// Handles all messages that have arrived, each with the worker that sent it.
    fn receive(&mut self, mut handle: impl FnMut(&mut Worker, (usize, Message))) -> Result<(), SolveError> {
        loop {
            let (rank, message) = match self.link.receive() {
                Ok(None) => return Ok(()),
                Ok(Some(received)) => received,
                Err(error) => return Err(self.fail(error)),
            };
            let worker = &mut self.workers[rank];
            worker.heard = Instant::now();
            if let Message::Ready { threads } = message {
                worker.threads = threads;
            }
            handle(worker, (rank, message));
        }
    }

    /// Gives slabs to all workers that are not busy.
    fn give(&mut self, desk: &Desk<'_, '_>) -> Result<(), SolveError> {
        let (space, mut given) = (self.task.space, Vec::new());
        for (rank, worker) in self.workers.iter_mut().enumerate().skip(1) {
            while !worker.is_busy()
                && let Some(task) = desk.next(rank, worker.in_hand.len() < worker.threads)
            {
                worker.in_hand.push((task.id, positions(space, task.id)));
                given.push((rank, task));
            }
        }
        if self.is_read_elsewhere && !given.is_empty() {
            desk.sync()?;
        }
        for (rank, task) in given {
            self.link.send(rank, Message::Solve { id: task.id, size: task.size });
        }
        Ok(())
    }

    /// Checks that all slabs in work make progress.
    fn check_progress(&mut self, desk: &Desk<'_, '_>) -> Result<(), SolveError> {
        let (in_work, now) = (desk.in_work(), Instant::now());
        self.seen = in_work.iter().map(|(_, task)| (task.id, *self.seen.get(&task.id).unwrap_or(&now))).collect();
        for (rank, task) in in_work {
            let (since, id) = (self.seen[&task.id], task.id);
            let of_positions = u32::try_from(positions(self.task.space, id)).unwrap_or(u32::MAX);
            if since.elapsed() > self.task.patience + SLOWEST.saturating_mul(of_positions) {
                let seconds = since.elapsed().as_secs();
                return Err(self.fail(ClusterError::Stuck { rank, layer: id.layer, slab: id.slab, seconds }));
            }
        }
        Ok(())
    }

    fn check_wanted(&self, layer: Layer) -> Result<(), SolveError> {
        if self.observer.should_stop() { Err(SolveError::Stopped { layer }) } else { Ok(()) }
    }

    /// Waits a little; now and then shows that this process is alive, checks that the others are, and says so.
    fn wait(&mut self) -> Result<bool, SolveError> {
        thread::sleep(PAUSE);
        if self.pulse.elapsed() < PULSE {
            return Ok(false);
        }
        self.pulse = Instant::now();
        self.tell_all(Message::Alive);
        let mut silent = self.workers.iter().map(|worker| worker.heard.elapsed()).enumerate().skip(1);
        match silent.find(|(_, silent)| *silent > self.task.patience) {
            Some((rank, silent)) => Err(self.fail(ClusterError::Silent { rank, seconds: silent.as_secs() })),
            None => Ok(true),
        }
    }

    /// Ends all processes because of an error; threads of this one may hang.
    fn fail(&mut self, error: ClusterError) -> SolveError {
        self.link.abort(&error);
        self.failed = Some(error);
        SolveError::Stopped { layer: Layer(0) }
    }
}

/// Positions of a slab.
fn positions(space: &Space, id: SlabId) -> u64 {
    space.layout().positions(space.layout().key(id))
}
