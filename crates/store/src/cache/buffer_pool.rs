//! The memory of large buffers: how much of it may be unused.
//!
//! ```text
//!    bytes of unused memory  ≤  limit - scratch + free       limit    share of the budget, at most `most` beside scratch buffers
//!                                                            scratch  bytes of scratch buffers in use
//!                                                            free     bytes that slabs of the cache leave, where room is short
//! ```
//! Small buffers are left to the allocator.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Arena, Buffer, BufferHome};

/// Buffers of one arena.
pub(super) struct BufferPool {
    arena: Arc<Arena>,
    limits: Arc<Limits>,
}

/// The bounds of unused memory.
struct Limits {
    limit: u64,
    most: u64,
    counted: Mutex<Counted>,
}

#[derive(Default)]
struct Counted {
    scratch: u64,
    free: u64,
}

impl BufferPool {
    /// An arena of which `limit` bytes may be unused or scratch memory, and `most` bytes unused.
    pub(super) fn new(limit: u64, most: u64) -> Self {
        Self { arena: Arc::default(), limits: Arc::new(Limits { limit, most, counted: Mutex::default() }) }
    }

    /// Sets how many bytes may be unused beyond the limit, because nothing else needs them now, and gives back what is more.
    pub(super) fn set_free(&self, free: u64) {
        self.limits.counted().free = free;
        self.trim();
    }

    /// A buffer of `len` scores, which hold anything.
    pub(super) fn buffer(&self, len: usize) -> Buffer {
        Buffer::within(&self.arena, len)
    }

    /// A buffer of `len` scores, which hold anything, for a copy that is no slab of the cache.
    pub(super) fn scratch(&self, len: usize) -> Buffer {
        let buffer = self.buffer(len);
        if len < Buffer::LEAST_MAP {
            return buffer;
        }
        self.limits.counted().scratch += buffer.capacity() as u64;
        self.trim();
        buffer.with_home(self.limits.clone())
    }

    fn trim(&self) {
        let Counted { scratch, free } = *self.limits.counted();
        let Limits { limit, most, .. } = *self.limits;
        self.arena.limit_unused(limit.saturating_sub(scratch).min(most).saturating_add(free));
    }
}

impl Limits {
    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BufferHome for Limits {
    fn dropped(&self, bytes: usize) {
        self.counted().scratch -= bytes as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_bytes_without_any_help() {
        const LEN: usize = Buffer::LEAST_MAP;
        let pool = BufferPool::new(2 * LEN as u64, u64::MAX);
        let unused = || {
            pool.trim();
            pool.arena.unused() / LEN as u64
        };
        let buffers = [pool.scratch(LEN), pool.buffer(LEN), pool.buffer(LEN), pool.buffer(LEN)];
        let [scratch, one, others @ ..] = buffers;
        assert_eq!(unused(), 0);
        drop(one);
        assert_eq!(unused(), 1);
        // One byte may be unused for each that is scratch memory no more.
        drop(others);
        assert_eq!(unused(), 1);
        drop(scratch);
        assert_eq!(unused(), 2);
        pool.set_free(LEN as u64);
        drop([pool.buffer(LEN), pool.buffer(LEN), pool.buffer(LEN), pool.buffer(LEN)]);
        assert_eq!(unused(), 3);
        drop(pool.buffer(LEN - 1));
        assert_eq!(unused(), 3);
    }
}
