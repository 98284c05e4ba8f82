//! Buffers that have done their duty, to be used again: fresh memory costs as much as several passes over it.

use std::sync::{Mutex, MutexGuard};

use dab_board::Score;
use dab_store::Scores;

/// Smaller buffers are left to the allocator, which is good at them.
pub(crate) const LEAST_BYTES: usize = 1 << 20;

/// Unused buffers of at most so many bytes.
pub(crate) struct Buffers {
    unused: Mutex<Spares<Vec<Score>>>,
}

impl Buffers {
    /// No buffers yet.
    pub(crate) fn new(limit: u64) -> Self {
        Self { unused: Mutex::new(Spares::new(limit)) }
    }

    /// A buffer of `len` scores that hold anything: the smallest that is large enough, if it is not much larger.
    pub(crate) fn take(&self, len: usize) -> Vec<Score> {
        let mut buffer = self.take_used(len);
        buffer.resize(len, 0);
        buffer
    }

    /// A buffer that was used before, if one is large enough for `len` scores, or else an empty one.
    pub(crate) fn take_used(&self, len: usize) -> Vec<Score> {
        if len < LEAST_BYTES { Vec::new() } else { self.lock().take(len).map_or_else(Vec::new, |(_, buffer)| buffer) }
    }

    /// Takes back a buffer that nobody else holds.
    pub(crate) fn give(&self, scores: Scores) {
        if let Some(buffer) = scores.into_buffer().filter(|buffer| buffer.capacity() >= LEAST_BYTES) {
            self.lock().put(buffer.capacity(), buffer);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Spares<Vec<Score>>> {
        self.unused.lock().expect("no thread panics while it holds the buffers")
    }
}

/// Things of some capacity each, by ascending capacity, together of at most so many bytes.
pub(crate) struct Spares<T> {
    limit: u64,
    bytes: u64,
    kept: Vec<(usize, T)>,
}

impl<T> Spares<T> {
    /// Nothing yet.
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, bytes: 0, kept: Vec::new() }
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

    /// Keeps something more; the smallest go when that is too much.
    pub(crate) fn put(&mut self, capacity: usize, thing: T) {
        let at = self.kept.partition_point(|&(other, _)| other < capacity);
        self.kept.insert(at, (capacity, thing));
        self.bytes += capacity as u64;
        while self.bytes > self.limit {
            self.remove(0);
        }
    }

    fn remove(&mut self, at: usize) -> (usize, T) {
        let (capacity, thing) = self.kept.remove(at);
        self.bytes -= capacity as u64;
        (capacity, thing)
    }
}
