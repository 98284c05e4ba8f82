//! Memory, disk and time of a solve before it runs.
//!
//! ```text
//!    layout ─► density ─► plan ◄─ memory ◄─ peak_memory ◄─ replay      one machine
//!                │          │                  peak_disk  ◄──┤
//!                │          │                  decodes    ◄──┘
//!                │          ├───► machine ◄─────────────────┘         any number of threads
//!                │          └───► cluster                              many machines
//!    held        the slabs that a cache holds: decodes and cluster replay it
//!    constants   every fitted number, and the solves it was fitted to
//!    costs       those of a core, fitted to what was measured
//! ```
//! Pure functions: nothing here reads a file or a clock.

pub mod cluster;
pub(crate) mod constants;
pub mod costs;
pub mod decodes;
mod density;
mod held;
pub mod machine;
pub mod memory;
pub(crate) mod peak_disk;
pub(crate) mod peak_memory;
pub mod plan;
pub(crate) mod replay;
