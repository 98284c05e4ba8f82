//! Buffers used over and over: fresh memory costs as much as several passes over it.
//!
//! A buffer of the pool returns by itself when its last owner drops it. Small buffers are left to the allocator.
//! ```text
//!    bytes of unused buffers  ≤  limit + free - scratch      limit    share of the budget
//!                                                            free     bytes of the cache that no slab takes now
//!                                                            scratch  bytes of scratch buffers in use
//! ```

use std::sync::{Arc, Mutex, MutexGuard};

use dab_store::{Buffer, BufferHome};

use super::spares::Spares;
use crate::cost::constants::MOST_UNUSED;

/// Unused buffers, and the bytes of those that are scratch memory.
pub(crate) struct BufferPool {
    for_slabs: Arc<Entrance>,
    for_scratch: Arc<Entrance>,
}

/// A way back into the pool.
struct Entrance {
    pool: Arc<Pool>,
    is_scratch: bool,
}

struct Pool {
    limit: u64,
    counted: Mutex<Counted>,
}

struct Counted {
    spares: Spares<Buffer>,
    scratch: u64,
    free: u64,
}

impl BufferPool {
    /// An empty pool, in which `limit` bytes may be unused or be scratch memory.
    pub(crate) fn new(limit: u64) -> Self {
        let counted = Mutex::new(Counted { spares: Spares::new(), scratch: 0, free: 0 });
        let pool = Arc::new(Pool { limit, counted });
        let entrance = |is_scratch| Arc::new(Entrance { pool: pool.clone(), is_scratch });
        Self { for_slabs: entrance(false), for_scratch: entrance(true) }
    }

    /// Sets how many bytes may be unused beyond the limit, because nothing else needs them now.
    pub(crate) fn set_free(&self, free: u64) {
        let mut counted = self.lock();
        counted.free = free;
        self.for_slabs.pool.trim(&mut counted);
    }

    /// A buffer of `len` scores, which hold anything.
    pub(crate) fn buffer(&self, len: usize) -> Buffer {
        self.used(len).with_len(len)
    }

    /// A used buffer with room for `len` scores, or an empty one that grows to that.
    pub(crate) fn used(&self, len: usize) -> Buffer {
        if len < Buffer::LEAST_MAP {
            return Buffer::default();
        }
        self.unused(len).with_home(self.for_slabs.clone())
    }

    /// A buffer of `len` scores, which hold anything, for a copy that is no slab of the cache.
    pub(crate) fn scratch(&self, len: usize) -> Buffer {
        if len < Buffer::LEAST_MAP {
            return Buffer::new(len);
        }
        let buffer = self.unused(len).with_len(len).with_home(self.for_scratch.clone());
        let mut counted = self.lock();
        counted.scratch += buffer.capacity() as u64;
        self.for_slabs.pool.trim(&mut counted);
        buffer
    }

    fn unused(&self, len: usize) -> Buffer {
        self.lock().spares.take(len).map_or_else(Buffer::default, |(_, buffer)| buffer)
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.for_slabs.pool.lock()
    }
}

impl BufferHome for Entrance {
    fn take_back(&self, buffer: Buffer) {
        let bytes = buffer.capacity();
        if bytes < Buffer::LEAST_MAP {
            return;
        }
        let mut counted = self.pool.lock();
        if self.is_scratch {
            counted.scratch -= bytes as u64;
        }
        counted.spares.put(bytes, buffer);
        self.pool.trim(&mut counted);
    }
}

impl Pool {
    fn trim(&self, counted: &mut Counted) {
        let unused = self.limit.saturating_add(counted.free).saturating_sub(counted.scratch);
        counted.spares.limit_to(unused.min(MOST_UNUSED));
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().expect("no thread panics while it holds the buffers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_bytes_without_any_help() {
        const LEN: usize = Buffer::LEAST_MAP;
        let pool = BufferPool::new(2 * LEN as u64);
        let state = || {
            let counted = pool.lock();
            (counted.spares.bytes() / LEN as u64, counted.scratch / LEN as u64)
        };
        let (one, other) = (pool.buffer(LEN), pool.scratch(LEN));
        assert_eq!(state(), (0, 1));
        drop(one);
        assert_eq!(state(), (1, 1));
        // One byte may be unused for each that is scratch memory no more.
        drop((pool.used(LEN).with_len(LEN), pool.buffer(LEN)));
        assert_eq!(state(), (1, 1));
        drop(other);
        assert_eq!(state(), (2, 0));
        drop(pool.buffer(LEN - 1));
        assert_eq!(state(), (2, 0));
    }
}
