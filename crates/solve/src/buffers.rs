//! Buffers that have done their duty, to be used again: fresh memory costs as much as several passes over it.

use std::sync::{Arc, Mutex, MutexGuard};

use dab_board::Score;
use dab_store::Scores;

/// Bytes of unused buffers that are kept at most.
const KEPT_BYTES: usize = 256 << 20;
/// Smaller buffers are left to the allocator, which is good at them.
const LEAST_BYTES: usize = 1 << 20;

/// Unused buffers, by ascending capacity.
#[derive(Default)]
pub(crate) struct Buffers(Mutex<Vec<Vec<Score>>>);

impl Buffers {
    /// A buffer of `len` scores that hold anything: the smallest that is large enough.
    pub(crate) fn take(&self, len: usize) -> Vec<Score> {
        let mut buffer = if len < LEAST_BYTES { Vec::new() } else { self.smallest(len) };
        buffer.resize(len, 0);
        buffer
    }

    /// Takes back a buffer that nobody else holds.
    pub(crate) fn give(&self, scores: Scores) {
        if scores.capacity() >= LEAST_BYTES
            && let Ok(buffer) = Arc::try_unwrap(scores)
        {
            let mut kept = self.lock();
            let at = kept.partition_point(|other| other.capacity() < buffer.capacity());
            kept.insert(at, buffer);
            let mut bytes: usize = kept.iter().map(Vec::capacity).sum();
            while bytes > KEPT_BYTES {
                bytes -= kept.remove(0).capacity();
            }
        }
    }

    fn smallest(&self, len: usize) -> Vec<Score> {
        let mut kept = self.lock();
        let at = kept.partition_point(|buffer| buffer.capacity() < len);
        if at < kept.len() { kept.remove(at) } else { Vec::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Score>>> {
        self.0.lock().expect("no thread panics while it holds the buffers")
    }
}
