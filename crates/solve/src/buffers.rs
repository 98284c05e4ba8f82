//! Buffers that have done their duty, to be used again: fresh memory costs as much as several passes over it.

use std::sync::{Mutex, MutexGuard};

use dab_board::Score;
use dab_store::Scores;

/// Smaller buffers are left to the allocator, which is good at them.
const LEAST_BYTES: usize = 1 << 20;

/// Unused buffers, by ascending capacity, of at most so many bytes.
pub(crate) struct Buffers {
    limit: u64,
    unused: Mutex<Vec<Vec<Score>>>,
}

impl Buffers {
    /// No buffers yet.
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, unused: Mutex::default() }
    }

    /// A buffer of `len` scores that hold anything: the smallest that is large enough, if it is not much larger.
    pub(crate) fn take(&self, len: usize) -> Vec<Score> {
        let mut buffer = if len < LEAST_BYTES { Vec::new() } else { self.smallest(len) };
        buffer.resize(len, 0);
        buffer
    }

    /// A buffer that was used before, if one is large enough for `len` scores, or else an empty one.
    pub(crate) fn take_used(&self, len: usize) -> Vec<Score> {
        if len < LEAST_BYTES { Vec::new() } else { self.smallest(len) }
    }

    /// Takes back a buffer that nobody else holds.
    pub(crate) fn give(&self, scores: Scores) {
        if let Some(buffer) = scores.into_buffer().filter(|buffer| buffer.capacity() >= LEAST_BYTES) {
            let mut kept = self.lock();
            let at = kept.partition_point(|other| other.capacity() < buffer.capacity());
            kept.insert(at, buffer);
            let mut bytes: u64 = kept.iter().map(|buffer| buffer.capacity() as u64).sum();
            while bytes > self.limit {
                bytes -= kept.remove(0).capacity() as u64;
            }
        }
    }

    fn smallest(&self, len: usize) -> Vec<Score> {
        let mut kept = self.lock();
        let at = kept.partition_point(|buffer| buffer.capacity() < len);
        match kept.get(at) {
            // What a slab does not fill is lost as long as the slab is kept.
            Some(buffer) if buffer.capacity() <= len + len / 3 => kept.remove(at),
            _ => Vec::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Score>>> {
        self.unused.lock().expect("no thread panics while it holds the buffers")
    }
}
