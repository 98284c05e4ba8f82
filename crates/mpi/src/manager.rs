//! The manager: hands out the pieces of each layer, solves some itself, and assembles layers from slab files.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use dab_solve::SlabCache;
use dab_solve::kernel::Kernel;
use dab_solve::schedule::pieces::Pieces;
use dab_solve::schedule::queue::{Queue, Sized};
use dab_solve::{DiscardSchedule, Observer, ReferenceCounts, SharedRun, SlabSource, SolveError, solve_layer};
use dab_space::Layer;
use dab_store::{Digest, RunDir, ScoreRead, ScoreWrite};

use crate::assemble::{Written, assemble};
use crate::error::ClusterError;
use crate::link::Link;
use crate::message::Message;
use crate::pool::{Event, PieceSolver, Pool, text_of};
use crate::task::{PAUSE, PULSE, Task};

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
    let cache = SlabCache::new(space, &shared, budget).sharing(shared_slabs);
    let layer = Mutex::new(Layer::MAX);
    let solver = PieceSolver { space, kernel: &kernel, shared: &shared, pieces: &pieces, cache: &cache, layer };
    thread::scope(|scope| {
        let pool = Pool::start(scope, &solver, threads);
        let mut manager = Manager::new(task, link, observer, &solver, pool);
        if run.last_kept() < Layer(space.n_layers() - 1) {
            let unsolved: Vec<Layer> =
                space.layout().listed_layers().filter(|&layer| !run.is_finished(layer)).collect();
            let counts = ReferenceCounts::new(&kernel, space, cache.table_bytes(), &unsolved, observer)?;
            manager.discards = DiscardSchedule::new(&counts, run.last_kept());
        }
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
    written: Sender<Written>,
}

/// A layer that is being assembled.
struct Assembler<'s> {
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
    discards: DiscardSchedule,
    /// The layer that is still assembled while the next one is solved.
    behind: Option<Assembler<'s>>,
}

impl<'s> Manager<'s> {
    fn new(
        task: Task<'_>,
        link: &'s dyn Link,
        observer: &'s dyn Observer,
        solver: &'s PieceSolver<'s>,
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
            discards: DiscardSchedule::default(),
            behind: None,
        }
    }

    fn run(&self) -> &'s RunDir {
        self.solver.shared.run()
    }

    /// Solves all layers.
    fn solve(&mut self, scope: &'s Scope<'s, '_>) -> Result<(), ClusterError> {
        for layer in self.solver.space.layout().listed_layers().rev() {
            self.observer.layer(layer);
            match self.run().finished(layer) {
                Some(summary) => {
                    self.observer.found(summary.positions);
                    self.done_with(layer)?;
                }
                None if self.solver.pieces.is_small(layer) => self.alone(layer)?,
                None => self.together(scope, layer)?,
            }
        }
        self.catch_up()?;
        (1..self.workers.len()).for_each(|rank| self.link.send(rank, Message::End));
        Ok(())
    }

    /// Solves a layer that is too small to be shared out.
    fn alone(&mut self, layer: Layer) -> Result<(), ClusterError> {
        self.catch_up()?;
        self.solver.enter(layer);
        let PieceSolver { kernel, space, cache, .. } = self.solver;
        solve_layer((kernel, space, cache), self.run(), layer, self.observer)?;
        self.done_with(layer)
    }

    /// Solves a layer together with the workers.
    fn together(&mut self, scope: &'s Scope<'s, '_>, layer: Layer) -> Result<(), ClusterError> {
        let (solver, run, begin) = (self.solver, self.run(), Instant::now());
        let (say_missing, missing) = mpsc::channel();
        let (written, to_copy) = mpsc::channel();
        let copy = move || assemble((solver.space, solver.pieces, run), layer, &say_missing, &to_copy);
        let assembler = Assembler { layer, thread: scope.spawn(copy) };
        let missing = loop {
            let is_over = assembler.thread.is_finished();
            match missing.try_recv() {
                Ok(missing) => break missing,
                Err(_) if is_over => return assembler.join(),
                Err(_) => self.wait_for(layer, begin)?,
            }
        };
        let size = |piece: usize| solver.pieces.positions(solver.space.layout(), layer, piece);
        let to_solve: Vec<Sized> = missing.into_iter().map(|piece| (piece, size(piece))).collect();
        let all: u64 = (0..solver.pieces.len(layer)).map(size).sum();
        self.observer.found(all - to_solve.iter().map(|&(_, positions)| positions).sum::<u64>());
        let threads: Vec<usize> = self.workers.iter().map(|worker| worker.threads).collect();
        self.current = Some(Current { layer, queue: Queue::new(&to_solve, &threads), written });
        loop {
            self.hand_out();
            if self.in_hand.is_empty() && self.current.as_ref().is_none_or(|current| current.queue.is_empty()) {
                break;
            }
            if assembler.thread.is_finished() {
                return assembler.join();
            }
            self.pump()?;
        }
        // Nothing more will be written.
        self.current = None;
        self.catch_up()?;
        self.observer.took(layer, begin.elapsed());
        self.behind = Some(assembler);
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
        let mut pause = PAUSE;
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
        if let Some(current) = &self.current {
            // If the assembler has ended, joining its thread gives the reason.
            let _ = current.written.send((piece.1, rank, digest));
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

    /// Waits until the layer that is still assembled is finished.
    fn catch_up(&mut self) -> Result<(), ClusterError> {
        let Some(assembler) = self.behind.take() else { return Ok(()) };
        let (layer, begin) = (assembler.layer, Instant::now());
        while !assembler.thread.is_finished() {
            self.wait_for(layer, begin)?;
        }
        assembler.join()?;
        self.done_with(layer)
    }

    /// Does what [`Self::pump`] does; an error if the assembler of a layer has been waited for since `begin`, too long.
    fn wait_for(&mut self, layer: Layer, begin: Instant) -> Result<(), ClusterError> {
        let positions = self.solver.space.layout().layer_positions(layer.0);
        match begin.elapsed() {
            waited if waited > self.patience + at_most(positions) => {
                Err(ClusterError::Unfinished { layer, seconds: waited.as_secs() })
            }
            _ => self.pump(),
        }
    }

    /// Takes note of a finished layer, and discards the layers that no later layer reads.
    fn done_with(&mut self, layer: Layer) -> Result<(), ClusterError> {
        for done_with in self.discards.solved(layer) {
            self.run().discard(done_with)?;
        }
        Ok(())
    }
}

impl Assembler<'_> {
    fn join(self) -> Result<(), ClusterError> {
        self.thread.join().unwrap_or_else(|panic| Err(ClusterError::Panicked(text_of(&*panic))))
    }
}
