//! Searches of positions: goals are raised and lowered until the bounds meet.

use std::sync::atomic::{AtomicBool, Ordering};

use dab_board::{Position, Score};
use thiserror::Error;

use crate::bounds::Bounds;
use crate::busy::Busy;
use crate::table::{LEAST, Table};
use crate::worker::{Shared, Worker};

/// Bytes that a thread takes at most beside the table: its stack, and what it knows of a line of play of 128 lines.
const THREAD: u64 = 8 << 20;

/// The part of the memory beside that in which the threads remember what moves leave: one part in `RESTS`.
const RESTS: u64 = 16;

/// A search that cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SearchError {
    /// The memory allowed is too little.
    #[error("a search with {n_threads} threads needs {needed} bytes of memory, but {allowed} are allowed")]
    TooLittleMemory {
        /// Threads.
        n_threads: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The machine does not have the least memory.
    #[error("{needed} bytes of memory cannot be had")]
    NoMemory {
        /// Bytes needed.
        needed: u64,
    },
}

/// Follows a search, and may end it.
pub trait Watch: Sync {
    /// Bounds of the score have been proven, the first ones before the search, after a look at the moves of `nodes` positions.
    fn bounds(&self, low: Score, high: Score, nodes: u64) {
        let _ = (low, high, nodes);
    }

    /// Whether to end the search. Asked several thousand times a second.
    fn should_stop(&self) -> bool {
        false
    }
}

impl Watch for () {}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The score of the position, for the player to move, is at least this.
    pub low: Score,
    /// It is at most this. Both bounds are the same unless the search was ended.
    pub high: Score,
    /// Positions whose moves were looked at.
    pub nodes: u64,
}

impl Found {
    /// The score, if it was found.
    pub fn score(&self) -> Option<Score> {
        (self.low == self.high).then_some(self.low)
    }
}

/// Searches of positions with one penalty. They share a table, so that each finds what earlier ones left there; they may
/// run at the same time.
pub struct Search {
    table: Table,
    /// Most bytes of [`Rests`](crate::rests::Rests) for each thread.
    rests: u64,
    penalty: i8,
}

impl Search {
    /// Searches with a last-move penalty, by at most `n_threads` threads in all at a time. All that they remember takes at
    /// most `memory` bytes. Scores do not depend on the memory, times do.
    ///
    /// # Errors
    /// [`SearchError`].
    ///
    /// # Panics
    /// If the penalty is negative, or there are no threads.
    pub fn new(penalty: i8, n_threads: usize, memory: u64) -> Result<Self, SearchError> {
        assert!(penalty >= 0 && n_threads > 0, "penalty {penalty}, {n_threads} threads");
        let taken = THREAD.saturating_mul(n_threads as u64);
        let needed = taken.saturating_add(LEAST);
        if memory < needed {
            return Err(SearchError::TooLittleMemory { n_threads, needed, allowed: memory });
        }
        let rests = (memory - needed) / RESTS;
        let table = Table::new(memory - taken - rests).ok_or(SearchError::NoMemory { needed: LEAST })?;
        Ok(Self { table, rests: rests / n_threads as u64, penalty })
    }

    /// Bytes that the table takes by now.
    pub fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Whether the memory of the machine ended before the table had reached its limit.
    pub fn is_cut_short(&self) -> bool {
        self.table.is_cut_short()
    }

    /// The score of a position, found by `n_threads` threads, or bounds of it if `watch` ends the search.
    ///
    /// # Panics
    /// If there are no threads, or if open boxes and penalty together are more than 127, so that scores would not fit a
    /// byte.
    pub fn find(&self, position: &Position, n_threads: usize, watch: &dyn Watch) -> Found {
        let most = position.open_boxes() as i32 + i32::from(self.penalty);
        assert!(most <= i32::from(i8::MAX), "penalty {}", self.penalty);
        let run = position.capture_run();
        let of_run = |bounds: Bounds| {
            let Bounds { low, high } = bounds.before_move(run.boxes, run.decline);
            (-Score(high), -Score(low))
        };
        let shared = Shared {
            table: &self.table,
            penalty: self.penalty,
            rests: self.rests,
            busy: (n_threads > 1).then(Busy::new),
            is_over: AtomicBool::new(false),
            should_stop: &|| watch.should_stop(),
        };
        let graph = position.board().graph();
        let mut workers: Vec<_> = (0..n_threads).map(|_| Worker::new(&shared, graph, run.after)).collect();
        let mut bounds = workers[0].root_bounds();
        // Most scores are near 0; scores of one position all have the same parity.
        let mut goal = i32::from(bounds.low & 1);
        let mut nodes = 0;
        let (low, high) = of_run(bounds);
        watch.bounds(low, high, nodes);
        while bounds.low < bounds.high && !watch.should_stop() {
            let found = search_together(&mut workers, &shared, goal);
            nodes = workers.iter().map(|worker| worker.nodes).sum();
            let Some(found) = found else { break };
            bounds = bounds.and(found);
            let (low, high) = of_run(bounds);
            watch.bounds(low, high, nodes);
            goal = if i32::from(bounds.low) >= goal { i32::from(bounds.low) + 2 } else { i32::from(bounds.high) };
        }
        // Short searches fill the table, too: without their entries it would never grow.
        workers.iter().for_each(|worker| self.table.count(worker.n_new));
        let (low, high) = of_run(bounds);
        Found { low, high, nodes }
    }
}

/// Bounds of the score of the root that tell whether it reaches the goal, from the worker that is done first; `None` if the
/// search was ended.
fn search_together(workers: &mut [Worker<'_>], shared: &Shared<'_>, goal: i32) -> Option<Bounds> {
    shared.is_over.store(false, Ordering::Relaxed);
    let search = |worker: &mut Worker<'_>| {
        let found = worker.search_root(goal);
        shared.is_over.store(true, Ordering::Relaxed);
        found
    };
    let [first, others @ ..] = workers else { return None };
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter_mut().map(|worker| scope.spawn(|| search(worker))).collect();
        let found = search(first);
        let of_others = others.into_iter().filter_map(|other| other.join().ok().flatten());
        of_others.chain(found).reduce(Bounds::and)
    })
}
