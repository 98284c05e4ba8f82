//! BufferPool that have done their duty, to be used again: fresh memory costs as much as several passes over it.

use std::sync::{Mutex, MutexGuard};

use dab_store::{Buffer, Scores};

use crate::cost::memory::MOST_UNUSED;

/// Unused buffers, and those that are lent to batches.
pub(crate) struct BufferPool {
    /// Bytes that may be unused, or be lent.
    limit: u64,
    kept: Mutex<Kept>,
}

struct Kept {
    spares: Spares<Buffer>,
    /// Bytes that are lent now.
    lent: u64,
    /// Bytes that nobody else needs now.
    free: u64,
}

impl BufferPool {
    /// No buffers yet; `limit` bytes of them may be unused or lent.
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, kept: Mutex::new(Kept { spares: Spares::new(), lent: 0, free: 0 }) }
    }

    /// Until this is called again, so many bytes more may be unused.
    pub(crate) fn may_keep(&self, free: u64) {
        let mut kept = self.lock();
        kept.free = free;
        self.trim(&mut kept);
    }

    /// A buffer for `len` scores, which hold anything: the smallest that is large enough, if it is not much larger.
    pub(crate) fn take(&self, len: usize) -> Buffer {
        self.take_used(len).with_len(len)
    }

    /// A buffer that was used before, if one is large enough for `len` scores, or else an empty one.
    pub(crate) fn take_used(&self, len: usize) -> Buffer {
        if len < Buffer::LEAST_MAP {
            return Buffer::default();
        }
        self.lock().spares.take(len).map_or_else(Buffer::default, |(_, buffer)| buffer)
    }

    /// As [`BufferPool::take`], until [`BufferPool::give_back`].
    pub(crate) fn lend(&self, len: usize) -> Buffer {
        let used = self.take_used(len);
        if len >= Buffer::LEAST_MAP {
            let mut kept = self.lock();
            kept.lent += used.capacity().max(len) as u64;
            self.trim(&mut kept);
        }
        used.with_len(len)
    }

    /// Takes back a buffer that nobody else holds.
    pub(crate) fn give(&self, scores: Scores) {
        self.put(scores, false);
    }

    /// Takes back a buffer that was lent.
    pub(crate) fn give_back(&self, scores: Scores) {
        self.put(scores, true);
    }

    fn put(&self, scores: Scores, was_lent: bool) {
        let Some(buffer) = scores.into_buffer().filter(|buffer| buffer.capacity() >= Buffer::LEAST_MAP) else { return };
        let mut kept = self.lock();
        if was_lent {
            kept.lent = kept.lent.saturating_sub(buffer.capacity() as u64);
        }
        kept.spares.put(buffer.capacity(), buffer);
        self.trim(&mut kept);
    }

    fn trim(&self, kept: &mut Kept) {
        let unused = self.limit.saturating_add(kept.free).saturating_sub(kept.lent);
        kept.spares.limit_to(unused.min(MOST_UNUSED));
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("no thread panics while it holds the buffers")
    }
}

/// Things of some capacity each, by ascending capacity.
pub(crate) struct Spares<T> {
    bytes: u64,
    kept: Vec<(usize, T)>,
}

impl<T> Spares<T> {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self { bytes: 0, kept: Vec::new() }
    }

    /// Bytes of all that is kept.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The smallest that has room for `len` bytes, with its capacity, if that is not much more.
    pub(crate) fn take(&mut self, len: usize) -> Option<(usize, T)> {
        let at = self.kept.partition_point(|&(capacity, _)| capacity < len);
        // What a slab does not fill is lost as long as the slab is kept.
        let fits = self.kept.get(at).is_some_and(|&(capacity, _)| capacity <= len + len / 3);
        fits.then(|| self.remove(at))
    }

    /// Keeps something more.
    pub(crate) fn put(&mut self, capacity: usize, thing: T) {
        let at = self.kept.partition_point(|&(other, _)| other < capacity);
        self.kept.insert(at, (capacity, thing));
        self.bytes += capacity as u64;
    }

    /// The smallest go when all are more than `bytes` bytes.
    pub(crate) fn limit_to(&mut self, bytes: u64) {
        while self.bytes > bytes {
            self.remove(0);
        }
    }

    fn remove(&mut self, at: usize) -> (usize, T) {
        let (capacity, thing) = self.kept.remove(at);
        self.bytes -= capacity as u64;
        (capacity, thing)
    }
}
