//! The manager: hands pieces out, works itself, and puts layers together.

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
use dab_solve::{DiscardSchedule, Observer, ReferenceCounts, SharedRun, SolveError, solve_layer};
use dab_store::{Digest, RunDir, ScoreRead, ScoreWrite};

use crate::assemble::{Written, assemble};
use crate::pool::{Event, Pool, Shop, text_of};
use crate::{BEGINNING, ClusterError, Link, Message, PAUSE, PULSE, Task};

/// How long a position may take on top of the patience for its piece.
const SLOWEST: Duration = Duration::from_micros(2);

/// Solves every layer of `run`, which holds its lock, together with the workers at the other ends of `link`.
///
/// # Errors
/// If files cannot be read or written, a worker is silent or stuck for too long, or [`Observer::should_stop`] says so;
/// what was finished stays.
pub fn manage(task: Task<'_>, link: &dyn Link, run: &RunDir, watch: &dyn Observer) -> Result<(), ClusterError> {
    let Task { space, rules, budget, shared_slabs, threads, .. } = task;
    (1..link.size()).for_each(|rank| link.send(rank, Message::Begin));
    let kernel = Kernel::best(space, rules);
    let pieces = Pieces::new(space.layout());
    let shared = SharedRun::new(run, &pieces);
    let inputs = SlabCache::new(space, &shared, budget).sharing(shared_slabs);
    let layer = Mutex::new(usize::MAX);
    let shop = Shop { space, kernel: &kernel, shared: &shared, pieces: &pieces, inputs: &inputs, layer };
    thread::scope(|scope| {
        let pool = Pool::start(scope, &shop, threads);
        let mut manager = Manager::new(task, link, watch, &shop, pool);
        if run.last_kept() < space.n_layers() - 1 {
            manager.passing = DiscardSchedule::new(&ReferenceCounts::new(&kernel, &inputs), run.last_kept());
        }
        let solved = catch_unwind(AssertUnwindSafe(|| manager.solve(scope)));
        let solved = solved.unwrap_or_else(|panic| Err(ClusterError::Panicked(text_of(&*panic))));
        solved.inspect_err(|error| link.abort(error))
    })
}

/// What the manager knows of a process.
struct Worker {
    /// Its threads; none as long as it is not ready.
    threads: usize,
    /// Those that wait for a piece.
    idle: usize,
    /// When it last said something.
    heard: Instant,
}

/// A piece that somebody solves.
struct InHand {
    rank: usize,
    since: Instant,
    positions: u64,
}

/// The layer that is being solved.
struct Current {
    layer: usize,
    queue: Queue,
    written: Sender<Written>,
}

/// A layer that is being put together.
struct Assembler<'s> {
    layer: usize,
    thread: ScopedJoinHandle<'s, Result<(), ClusterError>>,
}

struct Manager<'s> {
    patience: Duration,
    link: &'s dyn Link,
    watch: &'s dyn Observer,
    shop: &'s Shop<'s>,
    pool: Pool,
    workers: Vec<Worker>,
    current: Option<Current>,
    /// By layer and piece.
    in_hand: HashMap<(usize, usize), InHand>,
    /// When signs of life were last sent.
    pulse: Instant,
    passing: DiscardSchedule,
    /// The layer that is still put together while the next one is solved.
    behind: Option<Assembler<'s>>,
}

impl<'s> Manager<'s> {
    fn new(task: Task<'_>, link: &'s dyn Link, watch: &'s dyn Observer, shop: &'s Shop<'s>, pool: Pool) -> Self {
        let now = Instant::now();
        let mut workers: Vec<Worker> = (0..link.size()).map(|_| Worker { threads: 0, idle: 0, heard: now }).collect();
        workers[0].threads = task.threads;
        Self {
            patience: task.patience,
            link,
            watch,
            shop,
            pool,
            workers,
            current: None,
            in_hand: HashMap::new(),
            pulse: now,
            passing: DiscardSchedule::default(),
            behind: None,
        }
    }

    fn run(&self) -> &'s RunDir {
        self.shop.shared.run()
    }

    /// Solves all layers.
    fn solve(&mut self, scope: &'s Scope<'s, '_>) -> Result<(), ClusterError> {
        for layer in (0..self.shop.space.n_layers()).rev() {
            self.watch.layer(layer);
            match self.run().finished(layer) {
                Some(summary) => {
                    self.watch.positions(summary.positions);
                    self.done_with(layer)?;
                }
                None if self.shop.pieces.is_small(layer) => self.alone(layer)?,
                None => self.together(scope, layer)?,
            }
        }
        self.catch_up()?;
        (1..self.workers.len()).for_each(|rank| self.link.send(rank, Message::End));
        Ok(())
    }

    /// Solves a layer that is too small to be shared out.
    fn alone(&mut self, layer: usize) -> Result<(), ClusterError> {
        self.catch_up()?;
        self.shop.enter(layer);
        let Shop { kernel, space, inputs, .. } = self.shop;
        solve_layer((kernel, space, inputs), self.run(), layer, self.watch, &|_| Vec::new())?;
        self.done_with(layer)
    }

    /// Solves a layer together with the workers.
    fn together(&mut self, scope: &'s Scope<'s, '_>, layer: usize) -> Result<(), ClusterError> {
        let (shop, run) = (self.shop, self.run());
        let (say_missing, missing) = mpsc::channel();
        let (written, to_copy) = mpsc::channel();
        let copy = move || assemble((shop.space, shop.pieces, run), layer, &say_missing, &to_copy);
        let assembler = Assembler { layer, thread: scope.spawn(copy) };
        let missing = loop {
            let is_over = assembler.thread.is_finished();
            match missing.try_recv() {
                Ok(missing) => break missing,
                Err(_) if is_over => return assembler.join(),
                Err(_) => self.pump()?,
            }
        };
        let size = |piece: usize| shop.pieces.positions(shop.space.layout(), layer, piece);
        let to_solve: Vec<Sized> = missing.into_iter().map(|piece| (piece, size(piece))).collect();
        let all: u64 = (0..shop.pieces.len(layer)).map(size).sum();
        self.watch.positions(all - to_solve.iter().map(|&(_, positions)| positions).sum::<u64>());
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
        self.behind = Some(assembler);
        Ok(())
    }

    /// Gives pieces to whoever waits for some.
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

    /// Takes in what has happened, or waits a little for something to happen.
    fn pump(&mut self) -> Result<(), ClusterError> {
        if self.watch.should_stop() {
            let layer = self.current.as_ref().map_or(0, |current| current.layer);
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

    /// A slab file is there.
    fn done(&mut self, rank: usize, piece: (usize, usize), digest: Digest) {
        let Some(InHand { positions, .. }) = self.in_hand.remove(&piece) else { return };
        self.watch.positions(positions);
        if let Some(current) = &self.current {
            // If nobody copies any more, joining the thread says why.
            let _ = current.written.send((piece.1, rank, digest));
        }
    }

    /// Shows that this process is alive, and looks whether the others are and get on.
    fn look_around(&mut self) -> Result<(), ClusterError> {
        self.pulse = Instant::now();
        for (rank, worker) in self.workers.iter().enumerate().skip(1) {
            self.link.send(rank, Message::Alive);
            let patience = if worker.threads > 0 { self.patience } else { self.patience * BEGINNING };
            let silent = worker.heard.elapsed();
            if silent > patience {
                return Err(ClusterError::Silent { rank, seconds: silent.as_secs() });
            }
        }
        for (&(layer, piece), InHand { rank, since, positions }) in &self.in_hand {
            let most = SLOWEST.saturating_mul(u32::try_from(*positions).unwrap_or(u32::MAX));
            if since.elapsed() > self.patience + most {
                let (slab, seconds) = (self.shop.pieces.slabs(layer, piece).start, since.elapsed().as_secs());
                return Err(ClusterError::Stuck { rank: *rank, layer, slab, seconds });
            }
        }
        Ok(())
    }

    /// Waits until the layer is finished that is still put together.
    fn catch_up(&mut self) -> Result<(), ClusterError> {
        let Some(assembler) = self.behind.take() else { return Ok(()) };
        while !assembler.thread.is_finished() {
            self.pump()?;
        }
        let layer = assembler.layer;
        assembler.join()?;
        self.done_with(layer)
    }

    /// A layer is finished; discards those that nobody reads any more.
    fn done_with(&mut self, layer: usize) -> Result<(), ClusterError> {
        for done_with in self.passing.solved(layer) {
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
