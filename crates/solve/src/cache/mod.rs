//! Decoded slabs in memory, and the memory that they are decoded into.
//!
//! [`slab_cache`] keeps slabs as far as its [`shares`] of a budget allow, in memory that a pool of buffers lends. It serves
//! solves, checks and queries alike.

mod buffer_pool;
mod kept_slabs;
pub mod shares;
pub mod slab_cache;
