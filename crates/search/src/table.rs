//! The table of bounds that searches remember, by position. All threads share it without a lock.
//!
//! ```text
//!    entry, 16 bytes:   | upper word: 64 bits of the key, mixed with the lower word |
//!                       | lower word: 40 bits of the key | work | low | high |            zero: empty
//!    bucket, 64 bytes:  | entry | entry | entry | entry |
//!    levels:            | 2^10 buckets | 2^10 | 2^11 | 2^12 | …
//! ```
//! A bucket is a line of the processor's cache. The lowest bits of its key choose the bucket of a position, one more
//! with each level. When half of the entries are taken, a level is added, which doubles the table, until the limit or the end
//! of the memory is reached. Then a new entry replaces the one in its bucket that took least work.
//!
//! Two threads may write an entry at once. The words of an entry are mixed, so two words that were not written together
//! belong to no position, and the entry is lost. An entry is found for another position with a chance below 10^-30.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::bounds::Bounds;
use crate::fetch::fetch;
use crate::hash::Key;

/// Entries of a bucket.
const ENTRIES: usize = 4;
/// Bytes of a bucket.
const BUCKET: u64 = size_of::<Bucket>() as u64;
/// Bits of the number of buckets that a table begins with.
const FIRST: u32 = 10;
/// Most levels: 2^40 buckets.
const LEVELS: usize = 31;
/// Bits of the lower word that belong to no key.
const DATA: u32 = 24;
/// New entries that a thread counts for itself.
const COUNTED: usize = 64;

/// An entry as two words.
#[derive(Default)]
struct Entry([AtomicU64; 2]);

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Entry; ENTRIES]);

/// The bytes that a table begins with.
pub(crate) const LEAST: u64 = BUCKET << FIRST;

/// What is remembered of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Remembered {
    /// The lower 64 bits of the key.
    key: u64,
    /// 40 further bits of the key above the data.
    lower: u64,
}

impl Remembered {
    fn new(key: Key, bounds: Bounds, work: u8) -> Self {
        let data = u64::from(work) << 16 | u64::from(bounds.low as u8) << 8 | u64::from(bounds.high as u8);
        Self { key: key.0 as u64, lower: tag(key) | data }
    }

    fn bounds(self) -> Bounds {
        Bounds { low: (self.lower >> 8) as u8 as i8, high: self.lower as u8 as i8 }
    }

    /// Binary logarithm of the positions searched, and one.
    fn work(self) -> u8 {
        (self.lower >> 16) as u8
    }

    fn is_of(self, key: Key) -> bool {
        self.key == key.0 as u64 && self.lower >> DATA == tag(key) >> DATA
    }
}

/// The bits of the key that the lower word holds, in their place.
fn tag(key: Key) -> u64 {
    (key.0 >> 64) as u64 >> DATA << DATA
}

impl Entry {
    /// The entry, unless it is empty.
    #[inline]
    fn read(&self) -> Option<Remembered> {
        let lower = self.0[1].load(Ordering::Relaxed);
        (lower != 0).then(|| Remembered { key: self.0[0].load(Ordering::Relaxed) ^ scattered(lower), lower })
    }

    #[inline]
    fn write(&self, Remembered { key, lower }: Remembered) {
        self.0[0].store(key ^ scattered(lower), Ordering::Relaxed);
        self.0[1].store(lower, Ordering::Relaxed);
    }

    fn clear(&self) {
        self.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

/// A word whose every bit depends on the data.
#[inline]
fn scattered(lower: u64) -> u64 {
    crate::hash::stir(lower.wrapping_mul(0xd6e8_feb8_6659_fd93))
}

/// Bounds of the scores of many positions.
pub(crate) struct Table {
    levels: [OnceLock<Box<[Bucket]>>; LEVELS],
    /// Levels that are in use.
    n_levels: AtomicU32,
    /// Levels that may be in use.
    most_levels: AtomicU32,
    /// Entries that were taken, as far as threads have counted them here.
    n_taken: AtomicUsize,
    growing: Mutex<()>,
}

impl Table {
    /// A table of at most `bytes` bytes; `None` if these are less than [`LEAST`], or cannot be had.
    pub(crate) fn new(bytes: u64) -> Option<Self> {
        let most = (bytes / LEAST).checked_ilog2()? + 1;
        let table = Self {
            levels: [const { OnceLock::new() }; LEVELS],
            n_levels: AtomicU32::new(0),
            most_levels: AtomicU32::new(most.min(LEVELS as u32)),
            n_taken: AtomicUsize::new(0),
            growing: Mutex::new(()),
        };
        table.grow();
        (table.n_levels.load(Ordering::Relaxed) > 0).then_some(table)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        BUCKET * self.n_buckets() as u64
    }

    /// Whether memory ended before the limit was reached.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.most_levels.load(Ordering::Relaxed) == 0
    }

    fn n_buckets(&self) -> usize {
        1 << (FIRST + self.n_levels.load(Ordering::Acquire)) >> 1
    }

    fn bucket(&self, at: usize) -> &Bucket {
        let level = (at >> (FIRST - 1)).max(1).ilog2();
        let before = if level == 0 { 0 } else { 1 << (FIRST + level - 1) };
        let buckets = self.levels[level as usize].get().map_or(&[][..], |level| level);
        &buckets[at - before]
    }

    /// The bucket of a position.
    #[inline]
    fn bucket_of(&self, key: Key) -> &Bucket {
        self.bucket(key.0 as usize & (self.n_buckets() - 1))
    }

    /// Asks for the memory of the bounds of a position.
    #[inline]
    pub(crate) fn fetch(&self, key: Key) {
        fetch(self.bucket_of(key));
    }

    /// The bounds of a position, if the table has them.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<Bounds> {
        let bucket = self.bucket_of(key);
        bucket.0.iter().filter_map(Entry::read).find(|entry| entry.is_of(key)).map(Remembered::bounds)
    }

    /// Remembers bounds of a position whose search looked at `nodes` positions, together with those known. Counts new
    /// entries in `n_new`.
    pub(crate) fn put(&self, key: Key, bounds: Bounds, nodes: u64, n_new: &mut usize) {
        let work = nodes.max(1).ilog2() as u8 + 1;
        let bucket = self.bucket_of(key);
        let (mut place, mut least) = (&bucket.0[0], u8::MAX);
        for entry in &bucket.0 {
            match entry.read() {
                Some(old) if old.is_of(key) => {
                    let bounds = bounds.and(old.bounds());
                    return entry.write(Remembered::new(key, bounds, work.max(old.work())));
                }
                Some(old) if old.work() < least => (place, least) = (entry, old.work()),
                None if least > 0 => (place, least) = (entry, 0),
                _ => {}
            }
        }
        place.write(Remembered::new(key, bounds, work));
        if least == 0 {
            *n_new += 1;
            if *n_new == COUNTED {
                self.count(std::mem::take(n_new));
            }
        }
    }

    /// Counts new entries of a thread, which counts few of them for itself.
    pub(crate) fn count(&self, n_new: usize) {
        let n_taken = self.n_taken.fetch_add(n_new, Ordering::Relaxed) + n_new;
        if n_taken > self.n_buckets() * ENTRIES / 2 {
            self.grow();
        }
    }

    /// Adds a level, if that is allowed and no other thread does it.
    #[cold]
    fn grow(&self) {
        let Ok(_guard) = self.growing.try_lock() else { return };
        let level = self.n_levels.load(Ordering::Relaxed);
        if level >= self.most_levels.load(Ordering::Relaxed) {
            return;
        }
        let half = if level == 0 { 0 } else { self.n_buckets() };
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(half.max(1 << FIRST)).is_err() {
            self.most_levels.store(0, Ordering::Relaxed);
            return;
        }
        buckets.resize_with(half.max(1 << FIRST), Bucket::default);
        let _ = self.levels[level as usize].set(buckets.into_boxed_slice());
        self.n_levels.store(level + 1, Ordering::Release);
        // One more bit of the key says in which half an entry lies. Threads that look for an entry meanwhile may miss it.
        for at in 0..half {
            let (lower, upper) = (self.bucket(at), self.bucket(at + half));
            for (from, to) in lower.0.iter().zip(&upper.0) {
                if let Some(entry) = from.read()
                    && entry.key as usize & half != 0
                {
                    to.write(entry);
                    from.clear();
                }
            }
        }
    }
}
