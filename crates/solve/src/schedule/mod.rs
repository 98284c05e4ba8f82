//! The schedule of a solve: which slab is solved when, and which slabs and layers go meanwhile.
//!
//! ```text
//!    one process          [`sweep`]      stack by stack; in each, threads solve the slabs that are `ready`, as `hand_out` says
//!                                        `open_layers` reads them, `unread` releases others, `checker` derives some scores again
//!    several processes    [`pieces`]     the units of work          [`queue`]    handed to processes
//! ```

pub(crate) mod checker;
mod hand_out;
pub(crate) mod open_layers;
pub mod pieces;
pub mod queue;
pub(crate) mod ready;
pub(crate) mod stack;
pub mod sweep;
mod unread;
