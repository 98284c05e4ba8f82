//! Backward induction: the score of every position of a space.
//!
//! ```text
//!    layer L (nothing left to draw) ─► layer L-1 ─► … ─► layer 0 (the start)
//!       slabs of a layer in parallel, each from slabs of the layers above it
//! ```
//! [`sweep`] goes through the layers, [`inputs`] hands it the slabs it reads, [`kernel`] computes one slab.
//! [`pieces`] shares the slabs of a layer out among processes. [`verify`] re-derives what is stored, [`naive`] is the
//! oracle for small boards.
#![deny(unsafe_code)]

pub mod cluster;
pub mod inputs;
pub mod kernel;
pub mod memory;
pub mod naive;
pub mod pieces;
pub mod plan;
pub mod queue;
pub mod reads;
pub mod sweep;
pub mod verify;

mod buffers;
mod density;
mod error;
mod game;
mod live;
mod readers;
mod shared;

pub use error::SolveError;
pub use game::{Rules, game_of};
pub use live::Live;
pub use readers::Readers;
pub use shared::SharedRun;
pub use sweep::{Passing, Watch, solve, solve_layer, solve_with};
