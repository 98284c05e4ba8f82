//! The threads that code a slab.
//!
//! Parts of a large slab, each of which decodes or encodes by itself, may be shared out among the threads of rayon's pool that
//! are free. Bytes and scores are the same by all and by one. Without the feature `parallel` every crew is one thread.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Positions from which on a slab is computed and coded by all threads that are free: chosen, not fitted. Such a slab takes a core about ten
/// milliseconds, and handing out its parts some microseconds.
pub const SHARED_OUT: usize = 1 << 20;

/// Who codes a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crew {
    /// The calling thread.
    Alone,
    /// The calling thread, and those that are free. While it waits for them, it may do parts of other slabs: so it is in no task
    /// of the pool like those that it may be given then.
    Together,
}

impl Crew {
    /// The same crew, or the calling thread alone for a slab with few positions.
    pub(crate) fn for_slab(self, positions: usize) -> Self {
        if positions < SHARED_OUT { Self::Alone } else { self }
    }

    /// `work` of every part, in their order.
    pub fn map<P: Send, T: Send>(self, parts: Vec<P>, work: impl Fn(P) -> T + Send + Sync) -> Vec<T> {
        #[cfg(feature = "parallel")]
        if self == Self::Together {
            return parts.into_par_iter().map(work).collect();
        }
        parts.into_iter().map(work).collect()
    }

    /// Threads that may work at once.
    pub(crate) fn n_threads(self) -> usize {
        #[cfg(feature = "parallel")]
        if self == Self::Together {
            return rayon::current_num_threads();
        }
        1
    }

    /// Both results.
    pub(crate) fn join<A: Send, B: Send>(
        self,
        one: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        #[cfg(feature = "parallel")]
        if self == Self::Together {
            return rayon::join(one, other);
        }
        (one(), other())
    }
}
