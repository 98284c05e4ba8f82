//! A worker: solves the pieces that the manager hands out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use dab_solve::SlabKeeper;
use dab_solve::kernel::Kernel;
use dab_solve::schedule::pieces::Pieces;
use dab_store::{FollowedRun, Game, LayerShare, RunDir};

use crate::error::ClusterError;
use crate::link::Link;
use crate::message::Message;
use crate::pool::{Event, PieceSolver, Pool, text_of};
use crate::task::{PAUSE, PULSE, SHORT_PAUSE, Task};

/// The manager's rank.
const MANAGER: usize = 0;

/// Solves the pieces that the manager of the run in `dir` hands out, until all is solved.
///
/// # Errors
/// If the run cannot be read or written, or nothing is heard from the manager for too long.
pub fn work(task: Task<'_>, link: &dyn Link, dir: &Path) -> Result<(), ClusterError> {
    let Task { space, rules, budget, threads, patience } = task;
    let kernel = Kernel::best(space, rules);
    let pieces = Pieces::new(space.layout());
    let mut manager = Connection { link, heard: Instant::now(), said: Instant::now() };
    loop {
        match manager.next(patience)? {
            Some(Message::Begin) => break,
            Some(Message::End) => return Ok(()),
            _ => thread::sleep(PAUSE),
        }
    }
    let run = RunDir::open(dir)?;
    if *run.game() != Game::of(space, rules) {
        return Err(ClusterError::OtherRun { dir: dir.display().to_string() });
    }
    let followed = FollowedRun::new(&run, pieces.n_slabs_of_layers());
    let keeper = SlabKeeper::new(space, &followed, budget);
    let solver = PieceSolver::new((space, &kernel, &pieces), &followed, &keeper, link);
    link.send(MANAGER, Message::Ready { threads });
    thread::scope(|scope| {
        let pool = Pool::start(scope, &solver, threads);
        let mut solve = || manager.solve(&solver, &pool, patience);
        let solved = catch_unwind(AssertUnwindSafe(&mut solve));
        let solved = solved.unwrap_or_else(|panic| Err(ClusterError::Panicked(text_of(&*panic))));
        solved.inspect_err(|error| link.abort(error))
    })
}

/// The connection to the manager.
struct Connection<'a> {
    link: &'a dyn Link,
    /// Time of the last message received.
    heard: Instant,
    /// Time of the last sign of life sent.
    said: Instant,
}

impl Connection<'_> {
    /// Passes pieces from the manager to the pool, and results back, until the manager ends the run.
    fn solve<'s, 'r: 's>(
        &mut self,
        solver: &'s PieceSolver<'s, 'r>,
        pool: &Pool<'s>,
        patience: Duration,
    ) -> Result<(), ClusterError> {
        let mut waiting = 0;
        loop {
            while let Some(message) = self.next(patience)? {
                match message {
                    Message::Solve { layer, piece } => {
                        waiting -= 1;
                        pool.solve(layer, piece);
                    }
                    Message::Close { layer } => {
                        let share = solver.end(layer);
                        pool.do_aside(move || {
                            let number = share.map_or(Ok(None), LayerShare::complete)?;
                            Ok(Event::Closed { layer, number })
                        });
                    }
                    Message::End => return Ok(()),
                    _ => {}
                }
            }
            match pool.event(if waiting > 0 { SHORT_PAUSE } else { PAUSE }) {
                Some(Event::Idle) => {
                    waiting += 1;
                    self.link.send(MANAGER, Message::Idle);
                }
                Some(Event::Done { layer, piece }) => self.link.send(MANAGER, Message::Done { layer, piece }),
                Some(Event::Closed { layer, number }) => self.link.send(MANAGER, Message::Closed { layer, number }),
                Some(Event::Failed(error)) => return Err(error),
                None => {}
            }
        }
    }

    /// The next message of the manager, if there is one. Sends a sign of life now and then.
    fn next(&mut self, patience: Duration) -> Result<Option<Message>, ClusterError> {
        if self.said.elapsed() >= PULSE {
            self.said = Instant::now();
            self.link.send(MANAGER, Message::Alive);
        }
        if let Some((_, message)) = self.link.receive()? {
            self.heard = Instant::now();
            return Ok(Some(message));
        }
        match self.heard.elapsed() {
            silent if silent > patience => Err(ClusterError::Silent { rank: MANAGER, seconds: silent.as_secs() }),
            _ => Ok(None),
        }
    }
}
