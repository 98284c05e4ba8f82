//! The slabs that a cache keeps, and the order in which they go.

use std::sync::atomic::{AtomicU64, Ordering};

use dab_space::SlabId;
use rustc_hash::FxHashMap;

use crate::{Buffer, Scores};

/// The part of the slabs that leave one after another once all slabs were looked at: those of them that are used meanwhile stay.
const LEAVING: usize = 16;

/// Units of the time until a slab is read, in which whole numbers are fine enough: so many in a place of the order.
const WAIT_UNITS: f64 = 256.0;

/// The scores of a slab, or what stands for them where a solve is planned.
pub trait Held {
    /// Whether somebody uses them, so that dropping them would free nothing.
    fn is_in_use(&self) -> bool;

    /// Bytes of the allocator that they take.
    fn heap(&self) -> u64 {
        0
    }

    /// The part of the scores that is there.
    fn part(&self) -> f64 {
        1.0
    }
}

impl Held for Scores {
    fn is_in_use(&self) -> bool {
        self.is_shared()
    }

    fn heap(&self) -> u64 {
        if self.len() < Buffer::LEAST_EXTENT { self.len() as u64 } else { 0 }
    }

    fn part(&self) -> f64 {
        self.decoded().n_scores() as f64 / self.len().max(1) as f64
    }
}

/// Nothing stands for scores that nobody uses.
impl Held for () {
    fn is_in_use(&self) -> bool {
        false
    }
}

/// Tells when a slab is read next: the later, the greater.
pub type NextUse<'a> = &'a (dyn Fn(SlabId) -> u32 + Sync);

/// Slabs with the time at which each was last used.
pub struct KeptSlabs<S> {
    slabs: FxHashMap<SlabId, Entry<S>>,
    /// Slabs that leave next, the last one first, each with the time when it was last used.
    leaving: Vec<(u64, SlabId)>,
    /// Scores asked for of slabs that are not kept.
    asked: FxHashMap<SlabId, usize>,
    /// Scores asked for of slabs that were not kept then, all in all.
    missed: usize,
    bytes: u64,
    heap: u64,
    clock: u64,
    evicts: bool,
}

struct Entry<S> {
    scores: S,
    /// Of memory that the slab takes.
    bytes: u64,
    used: AtomicU64,
}

impl<S> Default for KeptSlabs<S> {
    fn default() -> Self {
        let (slabs, leaving, asked) = Default::default();
        Self { slabs, leaving, asked, missed: 0, bytes: 0, heap: 0, clock: 0, evicts: false }
    }
}

impl KeptSlabs<Scores> {
    /// Number of their scores.
    pub(super) fn n_scores(&self) -> u64 {
        self.slabs.values().map(|entry| entry.scores.len() as u64).sum()
    }
}

impl<S: Held> KeptSlabs<S> {
    /// Bytes of the allocator that the scores take.
    pub(super) fn heap(&self) -> u64 {
        self.heap
    }

    /// Whether slabs have had to go.
    pub fn evicts(&self) -> bool {
        self.evicts
    }

    /// A slab, which is used now. Time passes when a slab is added, so that many threads may look at once.
    pub fn touch(&self, id: SlabId) -> Option<&S> {
        let entry = self.slabs.get(&id)?;
        // Threads that read the same slab share this line of memory as long as none writes to it.
        if entry.used.load(Ordering::Relaxed) != self.clock {
            entry.used.store(self.clock, Ordering::Relaxed);
        }
        Some(&entry.scores)
    }

    /// Counts `n` scores asked for of a slab; returns whether they are as many by now as pay for decoding it, and begins
    /// anew if so. `enough` says how many these are, given all scores asked for of slabs that were not kept.
    pub(super) fn count(&mut self, id: SlabId, n: usize, enough: impl FnOnce(usize) -> usize) -> bool {
        self.missed += n;
        let asked = self.asked.entry(id).or_default();
        *asked += n;
        let is_enough = *asked >= enough(self.missed);
        if is_enough {
            self.asked.remove(&id);
        }
        is_enough
    }

    /// Adds a slab; returns the one in whose place it comes.
    pub fn insert(&mut self, id: SlabId, scores: S, bytes: u64) -> Option<S> {
        self.clock += 1;
        let old = self.remove(id);
        self.bytes += bytes;
        self.heap += scores.heap();
        self.slabs.insert(id, Entry { scores, bytes, used: AtomicU64::new(self.clock) });
        old
    }

    /// Removes a slab.
    pub fn remove(&mut self, id: SlabId) -> Option<S> {
        let entry = self.slabs.remove(&id)?;
        self.bytes -= entry.bytes;
        self.heap -= entry.scores.heap();
        Some(entry.scores)
    }

    /// Removes slabs until there is room for `more` bytes. Slabs that are read last go first, or slabs not used for longest if that is not
    /// known. Slabs in use stay, because removing them would free nothing.
    pub fn make_room(&mut self, more: u64, room: u64, next_use: Option<NextUse<'_>>) -> Vec<S> {
        let mut evicted = Vec::new();
        while self.bytes.saturating_add(more) > room {
            self.evicts = true;
            let Some((used, id)) = self.leaving.pop() else {
                self.leaving = self.next_to_leave(next_use);
                if self.leaving.is_empty() {
                    break;
                }
                continue;
            };
            let is_due = |entry: &Entry<S>| entry.used.load(Ordering::Relaxed) == used && !entry.scores.is_in_use();
            if self.slabs.get(&id).is_some_and(is_due) {
                evicted.extend(self.remove(id));
            }
        }
        evicted
    }

    /// The slabs that leave next. A slab with half of its scores saves half as much to its next reader, and goes as a whole one with twice
    /// the time until then.
    fn next_to_leave(&self, next_use: Option<NextUse<'_>>) -> Vec<(u64, SlabId)> {
        // Asked once for each slab: the answer lies anywhere in memory.
        let next = |id: SlabId| next_use.map_or(0, |next_use| next_use(id));
        let kept: Vec<(u32, SlabId, &Entry<S>)> = self.slabs.iter().map(|(&id, entry)| (next(id), id, entry)).collect();
        let soonest = kept.iter().map(|&(next, ..)| next).min().unwrap_or(0);
        let wait = |next: u32, part: f64| ((f64::from(next.saturating_sub(soonest)) + 1.0) / part * WAIT_UNITS) as u64;
        let unused = kept.into_iter().filter(|(.., entry)| !entry.scores.is_in_use());
        let stay = |(next, id, entry): (u32, SlabId, &Entry<S>)| {
            let used = entry.used.load(Ordering::Relaxed);
            (if next_use.is_some() { u64::MAX - wait(next, entry.scores.part()) } else { used }, id, used)
        };
        let mut leaving: Vec<(u64, SlabId, u64)> = unused.map(stay).collect();
        let n = leaving.len().div_ceil(LEAVING);
        if n < leaving.len() {
            leaving.select_nth_unstable(n);
            leaving.truncate(n);
        }
        leaving.sort_unstable_by(|a, b| b.cmp(a));
        leaving.into_iter().map(|(_, id, used)| (used, id)).collect()
    }
}
