//! Decoded slabs in memory, and the memory that they are decoded into.
//!
//! [`SlabCache`] keeps slabs within a room, in memory of an arena. Solves, checks and queries share it: who
//! uses it says how large the room is, and may know when a slab is read next.

mod kept_slabs;
mod slab_cache;

pub use kept_slabs::{Held, KeptSlabs, NextUse};
pub use slab_cache::{CacheMemory, IndexedScores, SlabCache};
