//! The manager: hands out the pieces of each layer, solves some itself, and lists the score files of finished layers.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

use dab_solve::SlabKeeper;
use dab_solve::graph::{Discards, Graph, Readers, Stack};
use dab_solve::kernel::Kernel;
use dab_solve::schedule::pieces::Pieces;
use dab_solve::schedule::queue::{Queue, Sized};
use dab_solve::{Observer, SolveError, solve_stack};
use dab_space::{Layer, SlabId, SlabShape};
use dab_store::{FollowedRun, LayerShare, RunDir, ScoreRead, ScoreRelease};

use crate::error::ClusterError;
use crate::link::Link;
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
    let Task { space, rules, budget, threads, .. } = task;
    (1..link.size()).for_each(|rank| link.send(rank, Message::Begin));
    let kernel = Kernel::best(space, rules);
    let pieces = Pieces::new(space.layout());
    let followed = FollowedRun::new(run, pieces.n_slabs_of_layers());
    let keeper = SlabKeeper::new(space, &followed, budget);
    let unsolved = space.layout().listed_layers().rev().filter(|&layer| !run.is_finished(layer));
    let stacks = unsolved.map(|layer| vec![layer]).collect();
    let wanted = || stopped(observer);
    let graph = Graph::new((&kernel, space), stacks, budget / 32, &wanted)?;
    let releases = Releases { readers: Readers::new(&graph), graph: &graph, observer };
    let solver = PieceSolver::new((space, &kernel, &pieces), &followed, &keeper, link);
    thread::scope(|scope| {
        let pool = Pool::start(scope, &solver, threads);
        let mut manager = Manager::new(task, link, observer, &solver, &releases, pool);
        let solved = catch_unwind(AssertUnwindSafe(|| manager.solve()));
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
}

/// A layer whose score files are being completed.
struct Closing<'r> {
    layer: Layer,
    share: Option<LayerShare<'r>>,
    /// Workers that have not completed theirs.
    n_open: usize,
    /// Numbers of theirs.
    numbers: Vec<u32>,
}

struct Manager<'s, 'r> {
    patience: Duration,
    link: &'s dyn Link,
    observer: &'s dyn Observer,
    solver: &'s PieceSolver<'s, 'r>,
    pool: Pool<'s>,
    workers: Vec<Worker>,
    current: Option<Current>,
    /// Pieces that are being solved, by layer and piece.
    in_hand: HashMap<(Layer, usize), InHand>,
    /// Time at which signs of life were last sent.
    pulse: Instant,
    releases: &'s Releases<'s>,
    discards: Discards,
    /// The layer that is still being completed while the next one is solved.
    behind: Option<Closing<'r>>,
}

impl<'s, 'r: 's> Manager<'s, 'r> {
    fn new(
        task: Task<'_>,
        link: &'s dyn Link,
        observer: &'s dyn Observer,
        solver: &'s PieceSolver<'s, 'r>,
        releases: &'s Releases<'s>,
        pool: Pool<'s>,
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
            discards: Discards::new(releases.graph, solver.followed.run().last_kept()),
            behind: None,
        }
    }

    fn run(&self) -> &'r RunDir {
        self.solver.followed.run()
    }

    /// Solves all layers.
    fn solve(&mut self) -> Result<(), ClusterError> {
        // An earlier manager may have ended before it released these.
        let is_finished = |id: &SlabId| self.run().is_finished(id.layer);
        self.run().release(&self.releases.readers.unread().filter(is_finished).collect::<Vec<_>>())?;
        for layer in self.solver.space.layout().listed_layers().rev() {
            self.observer.layer(layer);
            match self.run().finished(layer) {
                Some(summary) => {
                    self.observer.found(summary.positions);
                    // The layer before may still be read again after a power cut.
                    self.catch_up()?;
                    self.discard(layer)?;
                }
                None if self.solver.pieces.is_small(layer) => self.alone(layer)?,
                None => self.together(layer)?,
            }
        }
        self.catch_up()?;
        (1..self.workers.len()).for_each(|rank| self.link.send(rank, Message::End));
        Ok(())
    }

    /// Solves a layer without the workers.
    fn alone(&mut self, layer: Layer) -> Result<(), ClusterError> {
        self.catch_up()?;
        self.solver.keeper.cache().enter();
        let PieceSolver { kernel, space, keeper, .. } = self.solver;
        let stack = self.releases.stack(layer)?;
        solve_stack((kernel, space, keeper), self.run(), (&stack, &self.releases.readers), self.observer)?;
        self.discard(layer)
    }

    /// Solves a layer together with the workers.
    fn together(&mut self, layer: Layer) -> Result<(), ClusterError> {
        let (PieceSolver { pieces, space, .. }, begin) = (self.solver, Instant::now());
        let shapes: Vec<SlabShape<'_>> = space.layout().layers()[layer.0].iter().map(|&key| space.shape(key)).collect();
        // The workers join when they get their first piece.
        let share = self.run().lead_layer(layer, &shapes)?;
        let there = share.slabs();
        self.solver.begin(layer, share)?;
        let is_missing = |&piece: &usize| pieces.slabs(layer, piece).any(|slab| !there.contains(slab));
        let size = |piece: usize| pieces.positions(space.layout(), layer, piece);
        let to_solve: Vec<Sized> =
            (0..pieces.len(layer)).filter(is_missing).map(|piece| (piece, size(piece))).collect();
        let all: u64 = (0..pieces.len(layer)).map(size).sum();
        self.observer.found(all - to_solve.iter().map(|&(_, positions)| positions).sum::<u64>());
        let threads: Vec<usize> = self.workers.iter().map(|worker| worker.threads).collect();
        self.current = Some(Current { layer, queue: Queue::new(&to_solve, &threads) });
        loop {
            self.hand_out();
            if self.in_hand.is_empty() && self.current.as_ref().is_none_or(|current| current.queue.is_empty()) {
                break;
            }
            self.pump()?;
        }
        self.current = None;
        self.catch_up()?;
        self.observer.took(layer, begin.elapsed());
        let n_open = self.workers.len() - 1;
        (1..=n_open).for_each(|rank| self.link.send(rank, Message::Close { layer }));
        self.behind = Some(Closing { layer, share: self.solver.end(layer), n_open, numbers: Vec::new() });
        self.finish_when_closed();
        Ok(())
    }

    /// Finishes the layer behind once all workers have completed their files of it.
    fn finish_when_closed(&mut self) {
        let Some(Closing { layer, share, n_open: 0, numbers }) = &mut self.behind else { return };
        let Some(share) = share.take() else { return };
        let (layer, numbers) = (*layer, std::mem::take(numbers));
        let (releases, run) = (self.releases, self.run());
        self.pool.do_aside(move || {
            share.finish(&numbers)?;
            releases.solved(run, layer)?;
            Ok(Event::Closed { layer, number: None })
        });
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
                Message::Done { layer, piece } => self.done((layer, piece)),
                Message::Closed { layer, number } => {
                    if let Some(behind) = self.behind.as_mut().filter(|behind| behind.layer == layer) {
                        behind.n_open = behind.n_open.saturating_sub(1);
                        behind.numbers.extend(number);
                    }
                    self.finish_when_closed();
                }
                _ => {}
            }
        }
        match self.pool.event(pause) {
            Some(Event::Idle) => self.workers[0].idle += 1,
            Some(Event::Done { layer, piece }) => self.done((layer, piece)),
            Some(Event::Closed { layer, .. }) => {
                self.behind = None;
                self.discard(layer)?;
            }
            Some(Event::Failed(error)) => return Err(error),
            None => {}
        }
        Ok(())
    }

    /// Takes note of a piece whose slabs can be read.
    fn done(&mut self, piece: (Layer, usize)) {
        if let Some(InHand { positions, .. }) = self.in_hand.remove(&piece) {
            self.observer.positions(positions);
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

    /// Waits until the layer before is finished.
    fn catch_up(&mut self) -> Result<(), ClusterError> {
        let begin = Instant::now();
        while let Some(Closing { layer, .. }) = self.behind {
            let most = self.patience + at_most(self.solver.space.layout().layer_positions(layer.0));
            if begin.elapsed() > most {
                return Err(ClusterError::Unfinished { layer, seconds: begin.elapsed().as_secs() });
            }
            self.pump()?;
        }
        Ok(())
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
    /// A layer that was not solved at first. Those that were may lie between others.
    fn stack(&self, layer: Layer) -> Result<Stack<'_>, SolveError> {
        let n = (0..self.graph.n_stacks()).find(|&n| self.graph.layers(n) == [layer]);
        self.graph.stack(n.expect("the graph has all unsolved layers"), &|| stopped(self.observer))
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
