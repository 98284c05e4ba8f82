//! The manager: solves as a process on its own does, and gives slabs to the workers meanwhile.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use dab_solve::{Desk, Observer, Others, SolveError, solve_with_others};
use dab_space::{Layer, SlabId};
use dab_store::{LayerSummary, RunDir, ScoreRelease};

use crate::error::ClusterError;
use crate::link::Link;
use crate::message::Message;
use crate::{PAUSE, PULSE, Task};

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
    let (threads, heard) = (vec![0; link.size()], vec![Instant::now(); link.size()]);
    let mut manager =
        Manager { task, link, observer, threads, pulse: heard[0], heard, seen: HashMap::new(), failed: None };
    // What has read a released slab must not be lost.
    manager.tell_all(Message::Begin { syncs: link.has_machines() || run.last_kept() != Layer::MAX });
    let solved = solve_with_others((task.space, task.rules), run, task.budget, observer, &mut manager);
    let solved = manager.failed.take().map_or(solved.map_err(ClusterError::from), Err);
    match &solved {
        Ok(_) => manager.tell_all(Message::End),
        Err(error) => link.abort(error),
    }
    solved
}

struct Manager<'a> {
    task: Task<'a>,
    link: &'a dyn Link,
    observer: &'a dyn Observer,
    /// By rank: number of its threads, 0 as long as it is not ready; and the time of its last message.
    threads: Vec<usize>,
    heard: Vec<Instant>,
    /// Slabs in work, and when they were first seen to be.
    seen: HashMap<SlabId, Instant>,
    /// Time at which signs of life were last sent.
    pulse: Instant,
    /// The reason why the solve ends, if it is one of processes.
    failed: Option<ClusterError>,
}

impl Others for Manager<'_> {
    fn threads(&mut self) -> Result<Vec<usize>, SolveError> {
        self.threads[0] = rayon::current_num_threads();
        while self.threads.contains(&0) {
            self.check_wanted(Layer(self.task.space.n_layers() - 1))?;
            self.receive(|_, _| {})?;
            self.wait()?;
        }
        Ok(self.threads.clone())
    }

    fn attend(&mut self, desk: &Desk<'_, '_>) -> Result<(), SolveError> {
        loop {
            self.receive(|rank, message| {
                if let Message::Done { id } = message {
                    desk.done(rank, id);
                }
            })?;
            let is_over = desk.is_over()?;
            desk.done_with().into_iter().for_each(|id| self.tell_all(Message::Unread { id }));
            if is_over {
                return Ok(());
            }
            self.give(desk)?;
            if self.wait()? {
                self.check_progress(desk)?;
            }
        }
    }

    fn complete(&mut self, layers: &[Layer]) -> Result<(), SolveError> {
        layers.iter().for_each(|&layer| self.tell_all(Message::Close { layer }));
        let mut n_open = layers.len() * (self.threads.len() - 1);
        while n_open > 0 {
            self.check_wanted(layers[0])?;
            self.receive(|_, message| n_open -= usize::from(n_open > 0 && matches!(message, Message::Close { .. })))?;
            self.wait()?;
        }
        Ok(())
    }
}

impl Manager<'_> {
    fn tell_all(&self, message: Message) {
        (1..self.link.size()).for_each(|rank| self.link.send(rank, message));
    }

    /// Handles all messages that have arrived, each with the rank of its sender.
    fn receive(&mut self, mut handle: impl FnMut(usize, Message)) -> Result<(), SolveError> {
        while let Some((rank, message)) = self.link.receive().map_err(|error| self.fail(error))? {
            self.heard[rank] = Instant::now();
            if let Message::Ready { threads } = message {
                self.threads[rank] = threads;
            }
            handle(rank, message);
        }
        Ok(())
    }

    /// Gives slabs to all workers that have not enough to do until the next message comes.
    fn give(&self, desk: &Desk<'_, '_>) -> Result<(), SolveError> {
        let mut in_hand = vec![(0, 0); self.threads.len()];
        for (rank, task) in desk.in_work() {
            in_hand[rank] = (in_hand[rank].0 + 1, in_hand[rank].1 + task.positions);
        }
        let mut given = Vec::new();
        for (rank, (mut n, mut positions)) in in_hand.into_iter().enumerate().skip(1) {
            let threads = self.threads[rank];
            while (n <= threads || positions < threads as u64 * IN_HAND)
                && let Some(task) = desk.next(rank, n < threads)
            {
                (n, positions) = (n + 1, positions + task.positions);
                given.push((rank, Message::Solve { id: task.id, size: task.size }));
            }
        }
        if self.link.has_machines() && !given.is_empty() {
            desk.sync()?;
        }
        given.into_iter().for_each(|(rank, message)| self.link.send(rank, message));
        Ok(())
    }

    /// Checks that all slabs in work make progress.
    fn check_progress(&mut self, desk: &Desk<'_, '_>) -> Result<(), SolveError> {
        let (in_work, now) = (desk.in_work(), Instant::now());
        self.seen = in_work.iter().map(|(_, task)| (task.id, *self.seen.get(&task.id).unwrap_or(&now))).collect();
        for (rank, task) in in_work {
            let (seconds, id) = (self.seen[&task.id].elapsed().as_secs(), task.id);
            let slowest = SLOWEST.saturating_mul(u32::try_from(task.positions).unwrap_or(u32::MAX));
            if self.seen[&id].elapsed() > self.task.patience + slowest {
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
        let mut silent = self.heard.iter().map(Instant::elapsed).enumerate().skip(1);
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
