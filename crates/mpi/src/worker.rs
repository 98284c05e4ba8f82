//! A worker: solves the slabs that the manager gives it.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use dab_solve::{Given, SolveError, solve_given};
use dab_store::{Game, JoinedRun, RunDir};

use crate::error::ClusterError;
use crate::link::Link;
use crate::message::Message;
use crate::{PAUSE, PULSE, Task};

/// The manager's rank.
const MANAGER: usize = 0;

/// Solves the slabs that the manager of the run in `dir` gives this process, until all is solved.
///
/// # Errors
/// If the run cannot be read or written, or nothing is heard from the manager for too long.
pub fn work(task: Task<'_>, link: &dyn Link, dir: &Path) -> Result<(), ClusterError> {
    let Task { space, rules, budget, patience } = task;
    let mut manager = Connection { link, patience, heard: Instant::now(), said: Instant::now() };
    let syncs = loop {
        match manager.next()? {
            Some(Message::Begin { syncs }) => break syncs,
            Some(Message::End) => return Ok(()),
            _ => thread::sleep(PAUSE),
        }
    };
    let run = RunDir::open(dir)?;
    if *run.game() != Game::of(space, rules) {
        return Err(ClusterError::OtherRun { dir: dir.display().to_string() });
    }
    let run = JoinedRun::new(&run, space.layout(), link.rank() as u32, link.size() as u32);
    let attend = |given: &Given<'_, '_>| manager.attend(given, &run, syncs).inspect_err(|error| link.abort(error));
    solve_given((space, rules), &run, budget, attend).inspect_err(|error| link.abort(error))
}

/// The connection to the manager.
struct Connection<'a> {
    link: &'a dyn Link,
    patience: Duration,
    /// Time of the last message received.
    heard: Instant,
    /// Time of the last sign of life sent.
    said: Instant,
}

impl Connection<'_> {
    /// Passes slabs from the manager to the threads, and says which are done, until the manager ends the run or a thread fails.
    fn attend(&mut self, given: &Given<'_, '_>, run: &JoinedRun<'_>, syncs: bool) -> Result<(), ClusterError> {
        self.link.send(MANAGER, Message::Ready { threads: rayon::current_num_threads() });
        while !given.has_failed() {
            while let Some(message) = self.next()? {
                match message {
                    Message::Solve { id, size } => given.give(id, size),
                    Message::Unread { id } => given.drop_slab(id),
                    Message::Close { layer } => {
                        run.complete(layer).map_err(SolveError::from)?;
                        self.link.send(MANAGER, Message::Close { layer });
                    }
                    Message::End => return Ok(()),
                    _ => {}
                }
            }
            let done = given.done();
            if syncs && !done.is_empty() {
                run.sync().map_err(SolveError::from)?;
            }
            done.into_iter().for_each(|id| self.link.send(MANAGER, Message::Done { id }));
            thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// The next message of the manager, if there is one. Sends a sign of life now and then.
    fn next(&mut self) -> Result<Option<Message>, ClusterError> {
        if self.said.elapsed() >= PULSE {
            self.said = Instant::now();
            self.link.send(MANAGER, Message::Alive);
        }
        if let Some((_, message)) = self.link.receive()? {
            self.heard = Instant::now();
            return Ok(Some(message));
        }
        match self.heard.elapsed() {
            silent if silent > self.patience => Err(ClusterError::Silent { rank: MANAGER, seconds: silent.as_secs() }),
            _ => Ok(None),
        }
    }
}
