//! Decoded slabs in memory, and the memory that they are decoded into.
//!
//! [`SlabCache`] keeps slabs within a room, in memory that a pool of buffers lends. Solves, checks and queries share it: who
//! uses it says how large the room is, and may know when a slab is read next.

mod buffer_pool;
mod kept_slabs;
mod slab_cache;

pub use kept_slabs::{Held, KeptSlabs, NextUse};
pub use slab_cache::{CacheMemory, IndexedScores, SlabCache};
