//! Positions to places in score files and back.
//!
//! A start is cut into *units* ([`Units`]), the bits of a position. A *waist*, a separator of their graph, leaves two
//! halves ([`cuts`], [`partition`]), and each half lists its configurations by the state of its boundary with the waist
//! ([`half_table`]). A waist configuration with two unit counts is a *slab*, a matrix of scores; all slabs with the
//! same number of filled units are a *layer* ([`Layout`]). Mirror images share slabs (`symmetry`). [`Space`] puts it
//! together: position ↔ (layer, slab, row, column). [`count`] counts the same positions by a transfer matrix.
//!
//! Feeds on `board`; feeds `store` (shapes), `solve` (moves between slabs) and `book` (places).
#![forbid(unsafe_code)]

pub mod boundary_chain;
pub mod count;
pub mod cuts;
pub mod half_table;
#[doc(hidden)]
pub mod json;
pub mod partition;

mod budget;
mod clock;
mod config_enumerator;
mod defect;
mod error;
mod half;
mod half_shape;
mod joint_states;
mod layout;
mod linear_arrangement;
mod mark;
mod ordinals;
mod parallel_classes;
mod rules;
mod shape;
mod shared_out;
mod slab_id;
mod slab_numbers;
mod space;
mod symmetry;
mod units;

pub use budget::{Budget, Spent};
pub use clock::{now, set_clock};
pub use defect::caught;
pub use error::SpaceError;
pub use half::{Half, PerHalf};
pub use layout::{Layout, SlabKey};
pub use mark::Mark;
pub use rules::Rules;
pub use shape::{Parity, SlabShape};
pub use slab_id::{Layer, SlabId};
pub use slab_numbers::SlabNumbers;
pub use space::{Place, Space, Stored};
pub use units::{SpaceKind, Units};

/// A set of filled units, in group order: waist in the low bits, then upper, then lower.
pub type UnitMask = u64;

#[cfg(test)]
#[path = "../tests/golden_counts.rs"]
mod tests;
