//! The plan of a solve: positions, bytes, memory and time.
//!
//! ```text
//!    layout ─► [`Plan`] ─► [`DryRun`]    the schedule without scores, on the index: time, memory, disk and traffic of one machine or many
//!    beside them  `costs` (of a core), `density` (bytes of slabs), `memory` (bytes of the index), `disk` (files that come and go),
//!                  `parts` (of a slab that are read)
//! ```
//! Positions and slabs are exact. Everything else rests on `constants`, fitted to recorded solves. Nothing here reads a file or a clock.

pub mod costs;
mod density;
mod disk;
mod dry_run;
mod estimate;
pub mod load;
mod memory;
mod parts;

pub use disk::PeakDisk;
pub use dry_run::DryRun;
pub use estimate::{LayerPlan, Plan, Work, least_memory};
pub use memory::{IndexSize, PeakMemory};
