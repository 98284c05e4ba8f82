//! The order in which slabs are solved, and the slabs that may be dropped meanwhile.
//!
//! ```text
//!    one process          [`sweep`]       `stacks` of layers, each `stack` in parallel as `hand_out` says, read as `open_layers`
//!    several processes    [`pieces`]      the units of work          [`queue`]    handed to processes
//!    a full cache keeps   `next_readers`  the slabs that are needed soonest
//!    for both             `reference_counts` and `discard_schedule`  slabs and layers that nothing reads any more
//! ```

pub(crate) mod checker;
pub(crate) mod discard_schedule;
pub(crate) mod hand_out;
mod next_readers;
pub(crate) mod observer;
pub(crate) mod open_layers;
pub mod pieces;
pub mod queue;
pub mod reads;
pub(crate) mod reference_counts;
pub(crate) mod stack;
pub(crate) mod stacks;
pub mod sweep;
mod unread;
