//! The slab cache: decoded slabs in front of a store, within a budget of bytes.
//!
//! ```text
//!    slab wanted ─► in the cache? ─► decoded from the store, kept from now on
//!    part of one ─► in the cache? ─► its missing tiles decoded, into the slab that is kept unless somebody reads it
//!    score wanted ─► in the cache? ─► its block decoded, its slab counted
//! ```
//! When others need room, the slabs go that are read last, as far as the user of the cache knows, and else those that were not used for
//! longest. A single score costs about as much as decoding two blocks. A slab of which half as many scores were asked for
//! as it has blocks is decoded as a whole and kept, so that queries cost at most twice the decoding that would have been
//! best. Many questions foretell more: after one miss for eight blocks of all slabs, a tenth as many are enough, and so on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock, PoisonError};
#[cfg(not(feature = "parallel"))]
use std::sync::{
    RwLock as ShardedLock, RwLockReadGuard as ShardedLockReadGuard, RwLockWriteGuard as ShardedLockWriteGuard,
};
use std::thread;

#[cfg(feature = "parallel")]
use crossbeam_utils::sync::{ShardedLock, ShardedLockReadGuard, ShardedLockWriteGuard};
use dab_space::{Layer, SlabId, SlabShape, Space};

use super::kept_slabs::{KeptSlabs, NextUse};
use crate::{Arena, BLOCK_POSITIONS, Buffer, Crew, LayerSummary, Part, ScoreRead, Scores, StoreError, Wanted};

/// Blocks whose decoding takes as long as a single score.
const BLOCKS_OF_SCORE: usize = 2;
/// Of one miss for each block of all slabs, how many more blocks a score stands for.
const BLOCKS_FORETOLD: usize = 64;

/// What debug builds put in place of scores that are not decoded: no score is as low, so a move that reads one wins.
const NO_SCORE: i8 = -100;

/// Scores with the index of their positions.
pub trait IndexedScores: Send + Sync {
    /// The index.
    fn space(&self) -> &Space;

    /// The scores.
    fn scores(&self) -> &dyn ScoreRead;
}

impl IndexedScores for (&Space, &dyn ScoreRead) {
    fn space(&self) -> &Space {
        self.0
    }

    fn scores(&self) -> &dyn ScoreRead {
        self.1
    }
}

impl<T: IndexedScores + ?Sized> IndexedScores for Arc<T> {
    fn space(&self) -> &Space {
        self.as_ref().space()
    }

    fn scores(&self) -> &dyn ScoreRead {
        self.as_ref().scores()
    }
}

/// The memory of a cache, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct CacheMemory {
    /// Of slabs that are kept.
    pub kept: u64,
    /// Of buffers that nobody uses, beside those of slabs that leave room to others.
    pub unused: u64,
    /// Tenths of the bytes of small slabs that are lost between them.
    pub gaps: u64,
}

impl CacheMemory {
    /// The gaps where slabs come and go in no order, as in checks and queries.
    pub const GAPS_IN_NO_ORDER: u64 = 12;

    /// Bytes of memory that a slab of `len` scores takes.
    pub fn taken(&self, len: usize) -> u64 {
        self.split(len).iter().sum()
    }

    /// The same: of large buffers, and of the allocator.
    fn split(&self, len: usize) -> [u64; 2] {
        if len < Buffer::LEAST_EXTENT { [0, self.taken_of_heap(len as u64)] } else { [Arena::taken(len) as u64, 0] }
    }

    /// Bytes that the allocator takes for so many.
    fn taken_of_heap(&self, bytes: u64) -> u64 {
        bytes + bytes * self.gaps / 10
    }
}

/// A cache of decoded slabs in front of a store.
pub struct SlabCache<'a> {
    behind: Box<dyn IndexedScores + 'a>,
    memory: CacheMemory,
    /// The threads that decode a slab.
    crew: Crew,
    /// Blocks of all slabs, at least 1.
    n_blocks: usize,
    /// Bytes of the room that something else takes: of buffers, and of the allocator.
    lent: [AtomicU64; 2],
    next_use: Option<NextUse<'a>>,
    /// Scores that were decoded.
    decoded: AtomicU64,
    /// Threads of queries look here all the time, and must not wait for one lock.
    kept: ShardedLock<KeptSlabs<Scores>>,
    /// The memory of large slabs.
    arena: Arc<Arena>,
    /// The thread that decodes slabs for queries, if there is one.
    decoder: OnceLock<Sender<SlabId>>,
}

impl<'a> SlabCache<'a> {
    /// A cache of so much memory, whose slabs are decoded by `crew`.
    pub fn new(behind: impl IndexedScores + 'a, memory: CacheMemory, crew: Crew) -> Self {
        Self {
            n_blocks: behind.space().layout().total_positions().div_ceil(BLOCK_POSITIONS.into()).max(1) as usize,
            behind: Box::new(behind),
            memory,
            crew,
            lent: Default::default(),
            next_use: None,
            decoded: AtomicU64::new(0),
            kept: ShardedLock::default(),
            arena: Arc::default(),
            decoder: OnceLock::new(),
        }
    }

    /// A cache for queries of single positions, all of whose `bytes` are for slabs.
    pub fn to_query(behind: impl IndexedScores + 'a, bytes: u64) -> Self {
        let gaps = CacheMemory::GAPS_IN_NO_ORDER;
        Self::new(behind, CacheMemory { kept: bytes, unused: 0, gaps }, Crew::Alone)
    }

    /// The same cache for a solve that knows when slabs are read next.
    pub fn that_knows(mut self, next_use: Option<NextUse<'a>>) -> Self {
        self.next_use = next_use;
        self
    }

    /// Lends bytes of the room of slabs to something else: to buffers, and to memory of the allocator. The slabs in them go.
    pub fn lend(&self, bytes: [u64; 2]) {
        for (lent, bytes) in self.lent.iter().zip(bytes) {
            lent.fetch_add(bytes, Ordering::Relaxed);
        }
        if bytes != [0; 2] {
            self.make_room();
        }
    }

    /// Has bytes that were lent.
    pub fn give_back(&self, bytes: [u64; 2]) {
        for (lent, bytes) in self.lent.iter().zip(bytes) {
            lent.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    /// Keeps a slab that has just been computed; returns it as it is kept.
    pub fn keep(&self, id: SlabId, scores: Scores) -> Scores {
        let bytes = self.memory.taken(scores.len());
        let replaced = self.lock().insert(id, scores.clone(), bytes);
        drop(replaced);
        self.make_room();
        scores
    }

    /// Drops slabs that nothing reads any more.
    pub fn drop_slabs(&self, ids: &[SlabId]) {
        let dropped: Vec<Option<Scores>> = {
            let mut kept = self.lock();
            ids.iter().map(|&id| kept.remove(id)).collect()
        };
        drop(dropped);
    }

    /// Number of scores in the cache.
    pub fn n_scores(&self) -> u64 {
        self.lock().n_scores()
    }

    /// Number of scores that were decoded, each as often as it was.
    pub fn n_decoded(&self) -> u64 {
        self.decoded.load(Ordering::Relaxed)
    }

    /// Bytes that slabs may take, and bytes of these and of buffers that were lent.
    fn room(&self) -> (u64, u64) {
        let [buffers, heap] = [0, 1].map(|of: usize| self.lent[of].load(Ordering::Relaxed));
        let all = self.memory.kept.saturating_sub(heap);
        (all.saturating_sub(buffers), all)
    }

    /// Drops slabs until they fit their room. Their memory is for others.
    fn make_room(&self) {
        let (room, all) = self.room();
        let (dropped, is_short, heap) = {
            let mut kept = self.lock();
            let dropped = kept.make_room(0, room, self.next_use);
            (dropped, kept.evicts(), self.memory.taken_of_heap(kept.heap()))
        };
        drop(dropped);
        // A solve that has dropped no slab is not short of memory: memory that it does not use goes back.
        match is_short {
            true => self.arena.limit_all(all.saturating_add(self.memory.unused).saturating_sub(heap)),
            false => self.arena.limit_unused(self.memory.unused),
        }
    }

    /// A slab that is not in the cache and of which `n` scores are wanted, if decoding it as a whole pays.
    fn if_worth_it(&self, id: SlabId, n: usize, positions: usize) -> Result<Option<Scores>, StoreError> {
        let blocks = positions.div_ceil(BLOCK_POSITIONS as usize);
        let foretold = |missed: usize| BLOCKS_FORETOLD.saturating_mul(missed) / self.n_blocks;
        let wanted = self.lock().count(id, n, |missed| blocks.div_ceil(BLOCKS_OF_SCORE + foretold(missed)));
        let fits = self.memory.taken(positions) <= self.room().0;
        if !(wanted && (fits || n > 1 && n >= blocks)) {
            return Ok(None);
        }
        match self.decoder.get() {
            Some(decoder) => {
                // The thread lasts as long as the cache.
                let _ = decoder.send(id);
                Ok(None)
            }
            None => self.slab(id).map(Some),
        }
    }

    /// A slab, which is kept from now on.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn slab(&self, id: SlabId) -> Result<Scores, StoreError> {
        self.part(id, || Wanted::ALL)
    }

    /// At least the wanted scores of a slab, which is kept from now on. `wanted` is called if the cache does not have all scores.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn part(&self, id: SlabId, wanted: impl FnOnce() -> Wanted) -> Result<Scores, StoreError> {
        if let Some(scores) = self.kept().touch(id).filter(|scores| scores.decoded().is_whole()) {
            return Ok(scores.clone());
        }
        let wanted = wanted();
        if let Some(scores) = self.kept().touch(id).filter(|scores| scores.decoded().has_all(&wanted)) {
            return Ok(scores.clone());
        }
        let space = self.behind.space();
        let shape = space.shape(space.layout().key(id));
        // Meanwhile nobody finds it, so nobody reads what is being written.
        let kept = self.lock().remove(id).map(Scores::into_part);
        // Slabs that have to go leave their memory to this one. Other threads do not take it meanwhile.
        let lent = self.memory.split(shape.positions());
        self.lend(lent);
        let part = match kept {
            Some(Ok(part)) => part,
            Some(Err(shared)) => {
                let mut scores = self.buffer(shape.positions());
                scores.copy_from_slice(&shared);
                Part { scores, decoded: shared.decoded().clone() }
            }
            None => {
                let mut scores = self.buffer(shape.positions());
                if cfg!(debug_assertions) {
                    scores.fill(NO_SCORE);
                }
                Part { scores, ..Part::default() }
            }
        };
        let before = part.decoded.n_scores();
        let read = self.behind.scores().read_part(id, shape, part, &wanted, self.crew);
        self.give_back(lent);
        let scores = read?;
        self.decoded.fetch_add(scores.decoded().n_scores() - before, Ordering::Relaxed);
        Ok(self.keep(id, scores))
    }

    /// Memory for `len` scores; it holds anything.
    pub fn buffer(&self, len: usize) -> Buffer {
        Buffer::within(&self.arena, len)
    }

    // Scores must not be dropped under the lock: their memory goes to the arena, which has a lock of its own.
    fn lock(&self) -> ShardedLockWriteGuard<'_, KeptSlabs<Scores>> {
        self.kept.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> ShardedLockReadGuard<'_, KeptSlabs<Scores>> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SlabCache<'static> {
    /// Has a thread of its own decode slabs from now on, so that no query waits for a whole slab. The thread ends with the
    /// cache. Where there are no threads, queries decode blocks only.
    pub fn decode_aside(self: &Arc<Self>) {
        let (sender, receiver) = channel();
        if self.decoder.set(sender).is_ok() {
            let cache = Arc::downgrade(self);
            // An error comes up again when a query reads the damaged block.
            let decode = move |id| cache.upgrade().map(|cache| drop(cache.slab(id)));
            let _ = thread::Builder::new().spawn(move || receiver.into_iter().map_while(decode).for_each(drop));
        }
    }
}

impl ScoreRead for SlabCache<'_> {
    fn read_slab(&self, id: SlabId, _shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.slab(id)
    }

    fn read_score(&self, id: SlabId, shape: SlabShape<'_>, row: usize, col: usize) -> Result<i8, StoreError> {
        let place = row * shape.cols() + col;
        if let Some(scores) = self.kept().touch(id).filter(|scores| scores.decoded().has_score(row, col)) {
            return Ok(scores[place]);
        }
        match self.if_worth_it(id, 1, shape.positions())? {
            Some(scores) => Ok(scores[place]),
            None => self.behind.scores().read_score(id, shape, row, col),
        }
    }

    fn read_scores(&self, id: SlabId, shape: SlabShape<'_>, places: &[usize]) -> Result<Vec<i8>, StoreError> {
        let has_all = |scores: &&Scores| {
            scores.decoded().is_whole()
                || places.iter().all(|place| scores.decoded().has_score(place / shape.cols(), place % shape.cols()))
        };
        if let Some(scores) = self.kept().touch(id).filter(has_all) {
            return Ok(places.iter().map(|&place| scores[place]).collect());
        }
        match self.if_worth_it(id, places.len(), shape.positions())? {
            Some(scores) => Ok(places.iter().map(|&place| scores[place]).collect()),
            None => self.behind.scores().read_scores(id, shape, places),
        }
    }

    fn finished(&self, layer: Layer) -> Option<LayerSummary> {
        self.behind.scores().finished(layer)
    }
}
