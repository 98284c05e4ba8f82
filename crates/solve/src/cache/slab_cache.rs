//! The slab cache: decoded slabs in front of a store, within a budget of bytes.
//!
//! ```text
//!    slab wanted ─► in the cache? ─► in memory shared between processes? ─► decoded from the store, kept from now on
//!    score wanted ─► in the cache? ─► its block decoded, its slab counted
//! ```
//! When others need room, the slabs go that are read last, as far as a solve knows, and else those that were not used for
//! longest. A single score costs about as much as decoding two blocks. A slab of which half as many scores were asked for
//! as it has blocks is decoded as a whole and kept, so that queries cost at most twice the decoding that would have been
//! best. Many questions foretell more: after one miss for eight blocks of all slabs, a tenth as many are enough, and so on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crossbeam_utils::sync::{ShardedLock, ShardedLockReadGuard, ShardedLockWriteGuard};
use dab_space::{Layer, SlabId, SlabShape, Space};
use dab_store::{BLOCK_POSITIONS, Buffer, Crew, LayerSummary, ScoreRead, Scores, SharedSlabs, StoreError};

use super::buffer_pool::BufferPool;
use super::kept_slabs::{KeptSlabs, NextUse};
use super::shares::{Shares, Size};
use crate::kernel::source::SlabSource;
use crate::schedule::observer::Observer;

/// Blocks whose decoding takes as long as a single score.
const BLOCKS_OF_SCORE: usize = 2;
/// Of one miss for each block of all slabs, how many more blocks a score stands for.
const BLOCKS_FORETOLD: usize = 64;

/// A cache of decoded slabs in front of a store.
pub struct SlabCache<'a> {
    space: &'a Space,
    store: &'a dyn ScoreRead,
    shares: Shares,
    /// The threads that decode a slab.
    crew: Crew,
    /// Blocks of all slabs, at least 1.
    n_blocks: usize,
    /// Bytes of tables of moves.
    tables: AtomicU64,
    shared_slabs: Option<&'a SharedSlabs>,
    next_use: Option<NextUse<'a>>,
    observer: Option<&'a dyn Observer>,
    /// Locked by a thread that solves a large slab of a piece.
    turn: Mutex<()>,
    /// Threads of queries look here all the time, and must not wait for one lock.
    kept: ShardedLock<KeptSlabs>,
    pool: BufferPool,
    /// The thread that decodes slabs for queries, if there is one.
    decoder: OnceLock<Sender<SlabId>>,
}

impl<'a> SlabCache<'a> {
    /// A cache for a solve: at most `budget` bytes of slabs are in memory, those in work by threads included.
    pub fn new(space: &'a Space, store: &'a dyn ScoreRead, budget: u64) -> Self {
        let shares = Shares::new(budget, space.layout().largest_slab(), rayon::current_num_threads());
        Self::with_shares(space, store, shares)
    }

    /// A cache for checks of slabs ([`Shares::of_checks`]).
    pub fn to_check(space: &'a Space, store: &'a dyn ScoreRead, budget: u64) -> Self {
        let shares = Shares::of_checks(budget, space.layout().largest_slab());
        Self { crew: Crew::Alone, ..Self::with_shares(space, store, shares) }
    }

    /// A cache for queries of single positions, all of whose budget is for slabs.
    pub fn to_query(space: &'a Space, store: &'a dyn ScoreRead, budget: u64) -> Self {
        Self { crew: Crew::Alone, ..Self::with_shares(space, store, Shares::of_queries(budget)) }
    }

    /// A cache for a solve that takes these shares.
    pub(crate) fn with_shares(space: &'a Space, store: &'a dyn ScoreRead, shares: Shares) -> Self {
        Self {
            space,
            store,
            shares,
            crew: Crew::Together,
            n_blocks: space.layout().total_positions().div_ceil(BLOCK_POSITIONS.into()).max(1) as usize,
            tables: AtomicU64::new(0),
            shared_slabs: None,
            next_use: None,
            observer: None,
            turn: Mutex::default(),
            kept: ShardedLock::default(),
            pool: BufferPool::new(shares.unused.saturating_add(shares.lent)),
            decoder: OnceLock::new(),
        }
    }

    /// The same cache for a solve that knows when slabs are read next.
    pub(crate) fn that_knows(mut self, next_use: Option<NextUse<'a>>) -> Self {
        self.next_use = next_use;
        self
    }

    /// The same cache for a solve that `observer` may cancel.
    pub(crate) fn watched_by(mut self, observer: &'a dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The size of a slab that reads some others.
    pub(crate) fn size(&self, id: SlabId, reads: &[SlabId]) -> Size {
        let layout = self.space.layout();
        let positions = |&id: &SlabId| layout.positions(layout.key(id));
        self.shares.size(positions(&id), reads.iter().map(positions).max().unwrap_or(0))
    }

    /// Waits until no other large slab is being solved; for threads that solve slabs side by side and are none of rayon's.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same cache in front of slabs that all processes of a machine share. Their memory is taken from the budget of
    /// each process.
    pub fn sharing(mut self, shared_slabs: Option<&'a SharedSlabs>) -> Self {
        self.shared_slabs = shared_slabs;
        if shared_slabs.is_some() {
            self.shares.kept -= self.shares.shared_slabs();
        }
        self
    }

    /// Has a thread of its own decode slabs from now on, so that no query waits for a whole slab. The thread ends with the
    /// program. Where there are no threads, queries decode blocks only.
    pub fn decode_aside(&'static self) {
        let (sender, receiver) = channel();
        if self.decoder.set(sender).is_ok() {
            // An error comes up again when a query reads the damaged block.
            let _ = thread::Builder::new().spawn(move || receiver.into_iter().for_each(|id| drop(self.slab(id))));
        }
    }

    /// Memory for a slab that all processes of a machine see, if there is any.
    fn claim(&self, id: SlabId, len: usize) -> Option<Buffer> {
        self.shared_slabs.and_then(|shared| shared.claim(id, len))
    }

    /// Keeps a slab that has just been computed; returns it as it is kept.
    pub fn keep(&self, id: SlabId, scores: Scores) -> Scores {
        if scores.is_for_all() {
            return scores;
        }
        let bytes = self.shares.taken(scores.len());
        let replaced = self.lock().insert(id, scores.clone(), bytes);
        drop(replaced);
        self.make_room(0);
        scores
    }

    /// Begins a layer of a run that other processes solve, too. Slabs that the last layer did not use go, because they
    /// will hardly be used again.
    pub fn enter(&self, layer: Layer) {
        if let Some(shared) = self.shared_slabs {
            shared.enter(layer);
        }
        let unused = self.lock().next_layer();
        drop(unused);
    }

    /// Drops slabs that nothing reads any more.
    pub(crate) fn drop_slabs(&self, ids: &[SlabId]) {
        let dropped: Vec<Option<Scores>> = {
            let mut kept = self.lock();
            ids.iter().map(|&id| kept.remove(id)).collect()
        };
        drop(dropped);
    }

    /// Number of scores in the cache.
    #[cfg(test)]
    pub(crate) fn n_scores(&self) -> u64 {
        self.lock().n_scores()
    }

    /// Bytes that slabs may take.
    fn room(&self) -> u64 {
        self.shares.kept.saturating_sub(self.tables.load(Ordering::Relaxed))
    }

    /// Makes room for `bytes` bytes more. The memory of dropped slabs goes to the pool.
    fn make_room(&self, bytes: u64) {
        let room = self.room();
        let (dropped, free) = {
            let mut kept = self.lock();
            let is_full = kept.bytes().saturating_add(bytes) > room;
            let dropped = if is_full { kept.evict(bytes, room, self.next_use) } else { Vec::new() };
            // A solve that has dropped no slab is not short of memory: memory that it does not use goes back.
            let free = if kept.evicts() { room.saturating_sub(kept.bytes()) } else { 0 };
            (dropped, free)
        };
        drop(dropped);
        self.pool.set_free(free);
    }

    /// A slab that is not in the cache and of which `n` scores are wanted, if decoding it as a whole pays.
    fn if_worth_it(&self, id: SlabId, n: usize, positions: usize) -> Result<Option<Scores>, StoreError> {
        let blocks = positions.div_ceil(BLOCK_POSITIONS as usize);
        let foretold = |missed: usize| BLOCKS_FORETOLD.saturating_mul(missed) / self.n_blocks;
        let wanted = self.lock().count(id, n, |missed| blocks.div_ceil(BLOCKS_OF_SCORE + foretold(missed)));
        let fits = self.shares.taken(positions) <= self.room();
        if !(wanted && (fits || n > 1 && n >= blocks)) {
            return Ok(None);
        }
        match self.decoder.get() {
            Some(decoder) => {
                // The thread lasts as long as the program.
                let _ = decoder.send(id);
                Ok(None)
            }
            None => self.slab(id).map(Some),
        }
    }

    // Scores must not be dropped under the lock: their memory goes to the pool, which has a lock of its own.
    fn lock(&self) -> ShardedLockWriteGuard<'_, KeptSlabs> {
        self.kept.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> ShardedLockReadGuard<'_, KeptSlabs> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SlabSource for SlabCache<'_> {
    fn slab(&self, id: SlabId) -> Result<Scores, StoreError> {
        let found = self.kept().touch(id).cloned();
        if let Some(scores) = found.or_else(|| self.shared_slabs.and_then(|shared| shared.slab(id))) {
            return Ok(scores);
        }
        let shape = self.space.shape(self.space.layout().key(id));
        let claim = self.claim(id, shape.positions());
        let buffer = claim.unwrap_or_else(|| {
            // Slabs that have to go leave their memory to this one.
            self.make_room(self.shares.taken(shape.positions()));
            self.pool.buffer(shape.positions())
        });
        let scores = self.store.read_slab_into(id, shape, buffer, self.crew)?;
        Ok(self.keep(id, scores))
    }

    fn buffer(&self, id: SlabId, len: usize) -> Buffer {
        self.claim(id, len).unwrap_or_else(|| self.pool.buffer(len))
    }

    fn scratch(&self, len: usize) -> Buffer {
        self.pool.scratch(len)
    }

    fn batch_bytes(&self, positions: u64) -> u64 {
        self.shares.batch(positions)
    }

    fn table_bytes(&self) -> u64 {
        self.shares.tables
    }

    fn set_table_bytes(&self, bytes: u64) {
        self.tables.store(bytes, Ordering::Relaxed);
    }

    fn is_wanted(&self) -> bool {
        !self.observer.is_some_and(Observer::should_stop)
    }
}

impl ScoreRead for SlabCache<'_> {
    fn read_slab(&self, id: SlabId, _shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.slab(id)
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        let place = row * shape.cols() + col;
        if let Some(scores) = self.kept().touch(id) {
            return Ok(scores[place]);
        }
        match self.if_worth_it(id, 1, shape.positions())? {
            Some(scores) => Ok(scores[place]),
            None => self.store.read_score(id, shape, row, col),
        }
    }

    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        if let Some(scores) = self.kept().touch(id) {
            return Ok(places.iter().map(|&place| scores[place]).collect());
        }
        match self.if_worth_it(id, places.len(), shape.positions())? {
            Some(scores) => Ok(places.iter().map(|&place| scores[place]).collect()),
            None => self.store.read_scores(id, shape, places),
        }
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.store.finished(layer)
    }
}
