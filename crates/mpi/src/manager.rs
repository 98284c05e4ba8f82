//! The manager: hands out the pieces of each layer, solves some itself, and lists the slab files of finished layers.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use dab_solve::SlabKeeper;
use dab_solve::graph::{Discards, Graph, Readers, Stack};
use dab_solve::kernel::Kernel;
use dab_solve::schedule::pieces::Pieces;
use dab_solve::schedule::queue::{Queue, Sized};
use dab_solve::{Observer, SharedRun, SolveError, solve_stack};
use dab_space::{Layer, SlabId};
use dab_store::{Digest, RunDir, ScoreRead, ScoreWrite};

use crate::error::ClusterError;
use crate::link::Link;
use crate::list::{Written, list};
use crate::message::Message;
use crate::pool::{Event, PieceSolver, Pool, text_of};
use crate::task::{PAUSE, PULSE, SHORT_PAUSE, Task};

/// Time for each position on top of the patience.
const SLOWEST: Duration = Duration::from_micros(2);

/// Time that so many positions may take on top of the patience.
fn at_most(positions: u128) -> Duration {
    SLOWEST.saturating_mul(u32::try_from(positions).unwrap_or(u32::MAX))
}

/// Solves every layer of `run`, which holds its lock, together with the workers at the other ends of `link`.
///
/// # Errors
/// If files cannot be read or written, a worker is silent or stuck for too long, or [`Observer::should_stop`] says so;
/// finished work stays.
pub fn manage(task: Task<'_>, link: &dyn Link, run: &RunDir, observer: &dyn Observer) -> Result<(), ClusterError> {
    let Task { space, rules, budget, shared_slabs, threads, .. } = task;
    (1..link.size()).for_each(|rank| link.send(rank, Message::Begin));
    let kernel = Kernel::best(space, rules);
    let pieces = Pieces::new(space.layout());
    let shared = SharedRun::new(run, &pieces);
    let keeper = SlabKeeper::new(space, &shared, budget).sharing(shared_slabs);
    let unsolved = space.layout().listed_layers().rev().filter(|&layer| !run.is_finished(layer));
    let stacks = unsolved.map(|layer| vec![layer]).collect();
    let wanted = || stopped(observer);
    let graph = Graph::new((&kernel, space), stacks, budget / 32, &wanted)?;
    let releases = Releases { readers: Readers::new(&graph), graph: &graph, observer };
    let layer = Mutex::new(Layer::MAX);
    let solver = PieceSolver { space, kernel: &kernel, shared: &shared, pieces: &pieces, keeper: &keeper, layer };
    thread::scope(|scope| {
        let pool = Pool::start(scope, &solver, threads);
        let mut manager = Manager::new(task, link, observer, &solver, &releases, pool);
        let solved = catch_unwind(AssertUnwindSafe(|| manager.solve(scope)));
        let solved = solved.unwrap_or_else(|panic| Err(ClusterError::Panicked(text_of(&*panic))));
        solved.inspect_err(|error| link.abort(error))
    })
}

/// A process as the manager sees it.
struct Worker {
    /// Number of its threads; 0 as long as it is not ready.
    threads: usize,
    /// Number of its threads that wait for a piece.
    idle: usize,
    /// Time of its last message.
    heard: Instant,
}

/// A piece that a process solves.
struct InHand {
    rank: usize,
    since: Instant,
    positions: u64,
}

/// The layer that is being solved.
struct Current {
    layer: Layer,
    queue: Queue,
    written: Written,
}

/// A layer whose slab files are being listed.
struct Listing<'s> {
    layer: Layer,
    thread: ScopedJoinHandle<'s, Result<(), ClusterError>>,
}

struct Manager<'s> {
    patience: Duration,
    link: &'s dyn Link,
    observer: &'s dyn Observer,
    solver: &'s PieceSolver<'s>,
    pool: Pool,
    workers: Vec<Worker>,
    current: Option<Current>,
    /// Pieces that are being solved, by layer and piece.
    in_hand: HashMap<(Layer, usize), InHand>,
    /// Time at which signs of life were last sent.
    pulse: Instant,
    releases: &'s Releases<'s>,
    discards: Discards,
    /// The layer that is still being listed while the next one is solved.
    behind: Option<Listing<'s>>,
}

impl<'s> Manager<'s> {
    fn new(
        task: Task<'_>,
        link: &'s dyn Link,
        observer: &'s dyn Observer,
        solver: &'s PieceSolver<'s>,
        releases: &'s Releases<'s>,
        pool: Pool,
    ) -> Self {
        let now = Instant::now();
        let mut workers: Vec<Worker> = (0..link.size()).map(|_| Worker { threads: 0, idle: 0, heard: now }).collect();
        workers[0].threads = task.threads;
        Self {
            patience: task.patience,
            link,
            observer,
            solver,
            pool,
            workers,
            current: None,
            in_hand: HashMap::new(),
            pulse: now,
            releases,
            discards: Discards::new(releases.graph, solver.shared.run().last_kept()),
            behind: None,
        }
    }

    fn run(&self) -> &'s RunDir {
        self.solver.shared.run()
    }

    /// Solves all layers.
    fn solve(&mut self, scope: &'s Scope<'s, '_>) -> Result<(), ClusterError> {
        // An earlier manager may have ended before it released these.
        let is_finished = |id: &SlabId| self.run().is_finished(id.layer);
        self.run().release(&self.releases.readers.unread().filter(is_finished).collect::<Vec<_>>())?;
        for layer in self.solver.space.layout().listed_layers().rev() {
            self.observer.layer(layer);
            match self.run().finished(layer) {
                Some(summary) => {
                    self.observer.found(summary.positions);
                    self.discard(layer)?;
                }
                None if self.is_for_one(layer)? => self.alone(layer)?,
                None => self.together(scope, layer)?,
            }
        }
        self.catch_up()?;
        (1..self.workers.len()).for_each(|rank| self.link.send(rank, Message::End));
        Ok(())
    }

    /// Whether a layer is too small to be shared out, or was begun by one process.
    fn is_for_one(&self, layer: Layer) -> Result<bool, ClusterError> {
        let pieces = self.solver.pieces;
        Ok(pieces.is_small(layer) || self.run().is_begun_by_one(layer, pieces.n_slabs(layer))?)
    }

    /// Solves a layer without the workers.
    fn alone(&mut self, layer: Layer) -> Result<(), ClusterError> {
        self.catch_up()?;
        self.solver.enter(layer);
        let PieceSolver { kernel, space, keeper, .. } = self.solver;
        let stack = self.releases.stack(layer)?;
        solve_stack((kernel, space, keeper), self.run(), (&stack, &self.releases.readers), self.observer)?;
        self.discard(layer)
    }

    /// Solves a layer together with the workers.
    fn together(&mut self, scope: &'s Scope<'s, '_>, layer: Layer) -> Result<(), ClusterError> {
        let (PieceSolver { pieces, space, .. }, run, begin) = (self.solver, self.run(), Instant::now());
        let there = run.slab_files(layer)?;
        let is_missing = |&piece: &usize| there.binary_search(&pieces.slabs(layer, piece).start).is_err();
        let size = |piece: usize| pieces.positions(space.layout(), layer, piece);
        let n_pieces = pieces.len(layer);
        let to_solve: Vec<Sized> = (0..n_pieces).filter(is_missing).map(|piece| (piece, size(piece))).collect();
        let all: u64 = (0..n_pieces).map(size).sum();
        self.observer.found(all - to_solve.iter().map(|&(_, positions)| positions).sum::<u64>());
        let threads: Vec<usize> = self.workers.iter().map(|worker| worker.threads).collect();
        self.current = Some(Current { layer, queue: Queue::new(&to_solve, &threads), written: vec![None; n_pieces] });
        loop {
            self.hand_out();
            if self.in_hand.is_empty() && self.current.as_ref().is_none_or(|current| current.queue.is_empty()) {
                break;
            }
            if self.behind.as_ref().is_some_and(|listing| listing.thread.is_finished()) {
                self.catch_up()?;
            }
            self.pump()?;
        }
        let written = self.current.take().map(|current| current.written).unwrap_or_default();
        self.catch_up()?;
        self.observer.took(layer, begin.elapsed());
        let releases = self.releases;
        let list = move || {
            list(pieces, run, layer, &written)?;
            releases.solved(run, layer)
        };
        self.behind = Some(Listing { layer, thread: scope.spawn(list) });
        Ok(())
    }

    /// Gives a piece to every thread that waits for one, as long as there are pieces.
    fn hand_out(&mut self) {
        let Some(Current { layer, queue, .. }) = &mut self.current else { return };
        for (rank, worker) in self.workers.iter_mut().enumerate() {
            while worker.idle > 0
                && let Some((piece, positions)) = queue.take(rank)
            {
                worker.idle -= 1;
                match rank {
                    0 => self.pool.solve(*layer, piece),
                    _ => self.link.send(rank, Message::Solve { layer: *layer, piece }),
                }
                self.in_hand.insert((*layer, piece), InHand { rank, since: Instant::now(), positions });
            }
        }
    }

    /// Handles messages and events; waits a little if there are none.
    fn pump(&mut self) -> Result<(), ClusterError> {
        if self.observer.should_stop() {
            let layer = self.current.as_ref().map_or(Layer(0), |current| current.layer);
            return Err(SolveError::Stopped { layer }.into());
        }
        if self.pulse.elapsed() >= PULSE {
            self.look_around()?;
        }
        let mut pause = if self.workers[0].idle > 0 { SHORT_PAUSE } else { PAUSE };
        while let Some((rank, message)) = self.link.receive()? {
            pause = Duration::ZERO;
            self.workers[rank].heard = Instant::now();
            match message {
                Message::Ready { threads } => self.workers[rank].threads = threads,
                Message::Idle => self.workers[rank].idle += 1,
                Message::Done { layer, piece, digest, .. } => self.done(rank, (layer, piece), digest),
                _ => {}
            }
        }
        match self.pool.event(pause) {
            Some(Event::Idle) => self.workers[0].idle += 1,
            Some(Event::Done { layer, piece, digest, .. }) => self.done(0, (layer, piece), digest),
            Some(Event::Failed(error)) => return Err(error),
            None => {}
        }
        Ok(())
    }

    /// Takes note of a slab file that is written.
    fn done(&mut self, rank: usize, piece: (Layer, usize), digest: Digest) {
        let Some(InHand { positions, .. }) = self.in_hand.remove(&piece) else { return };
        self.observer.positions(positions);
        if let Some(written) = self.current.as_mut().and_then(|current| current.written.get_mut(piece.1)) {
            *written = Some((rank, digest));
        }
    }

    /// Shows that this process is alive, and checks that the others are alive and make progress.
    fn look_around(&mut self) -> Result<(), ClusterError> {
        self.pulse = Instant::now();
        for (rank, worker) in self.workers.iter().enumerate().skip(1) {
            self.link.send(rank, Message::Alive);
            let silent = worker.heard.elapsed();
            if silent > self.patience {
                return Err(ClusterError::Silent { rank, seconds: silent.as_secs() });
            }
        }
        for (&(layer, piece), InHand { rank, since, positions }) in &self.in_hand {
            if since.elapsed() > self.patience + at_most((*positions).into()) {
                let (slab, seconds) = (self.solver.pieces.slabs(layer, piece).start, since.elapsed().as_secs());
                return Err(ClusterError::Stuck { rank: *rank, layer, slab, seconds });
            }
        }
        Ok(())
    }

    /// Waits until the slab files of the layer before are listed.
    fn catch_up(&mut self) -> Result<(), ClusterError> {
        let Some(Listing { layer, thread }) = self.behind.take() else { return Ok(()) };
        let begin = Instant::now();
        let most = self.patience + at_most(self.solver.space.layout().layer_positions(layer.0));
        while !thread.is_finished() {
            if begin.elapsed() > most {
                return Err(ClusterError::Unfinished { layer, seconds: begin.elapsed().as_secs() });
            }
            self.pump()?;
        }
        thread.join().unwrap_or_else(|panic| Err(ClusterError::Panicked(text_of(&*panic))))?;
        self.discard(layer)
    }

    /// Discards the layers that no layer below this one reads.
    fn discard(&mut self, layer: Layer) -> Result<(), ClusterError> {
        for done_with in self.discards.solved(layer) {
            self.run().discard(done_with)?;
        }
        Ok(())
    }
}

/// The slabs that unsolved layers read.
struct Releases<'a> {
    graph: &'a Graph<'a>,
    readers: Readers<'a>,
    observer: &'a dyn Observer,
}

impl Releases<'_> {
    /// A layer that was not solved at first.
    fn stack(&self, Layer(layer): Layer) -> Result<Stack<'_>, SolveError> {
        self.graph.stack(self.graph.layers(0)[0].0 - layer, &|| stopped(self.observer))
    }

    /// Gives back the room of the slabs that nothing reads any more when a layer is finished.
    fn solved(&self, run: &RunDir, layer: Layer) -> Result<(), ClusterError> {
        let stack = self.stack(layer)?;
        let unread: Vec<SlabId> = (0..stack.order.len()).flat_map(|place| self.readers.solved(&stack, place)).collect();
        Ok(run.release(&unread)?)
    }
}

fn stopped(observer: &dyn Observer) -> Result<(), SolveError> {
    if observer.should_stop() { Err(SolveError::Stopped { layer: Layer(0) }) } else { Ok(()) }
}
