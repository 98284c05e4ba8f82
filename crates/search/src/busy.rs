//! The positions that some thread searches at present, so that other threads turn to other moves first.
//!
//! This is the simplest form of ABDADA (Weill 1996): a move is put off while another thread searches it. By the time it is
//! searched after all, the table mostly has its bounds.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::hash::Key;

/// Places for positions; two positions may share one, which only puts a move off in vain.
const PLACES: usize = 1 << 12;

/// The positions under search.
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(crate) fn new() -> Self {
        Self((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(&self, key: Key) -> &AtomicU64 {
        &self.0[(key.0 >> 64) as usize % PLACES]
    }

    /// Whether a thread searches the position.
    pub(crate) fn is_searched(&self, key: Key) -> bool {
        self.place(key).load(Ordering::Relaxed) == key.0 as u64
    }

    /// A thread begins to search the position.
    pub(crate) fn begin(&self, key: Key) {
        self.place(key).store(key.0 as u64, Ordering::Relaxed);
    }

    /// The thread has searched it.
    pub(crate) fn end(&self, key: Key) {
        self.place(key).store(0, Ordering::Relaxed);
    }
}
