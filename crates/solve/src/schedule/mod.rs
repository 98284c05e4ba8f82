//! The schedule of a solve: which slab is solved when, and which slabs and layers go meanwhile.
//!
//! ```text
//!    [`sweep`]          stack by stack; in each, the slabs that are [`ready`] go
//!      ├─ `hand_out`      to the threads of this process
//!      └─ [`others`]      to other processes, which are [`given`] slabs and solve nothing else
//!    `inputs`           are what one of them reads
//!    `open_layers`      reads and writes them, `unread` releases others, `checker` derives some scores again
//! ```

pub(crate) mod checker;
pub(crate) mod given;
mod hand_out;
mod inputs;
pub(crate) mod open_layers;
pub(crate) mod others;
pub(crate) mod ready;
pub(crate) mod stack;
pub(crate) mod sweep;
mod unread;
