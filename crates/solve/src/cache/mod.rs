//! Decoded slabs in memory, and the memory that they are decoded into.

pub(crate) mod buffer_pool;
pub mod slab_cache;
