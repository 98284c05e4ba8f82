//! Positions to places in score files and back.
#![forbid(unsafe_code)]

mod shape;

pub use shape::{Parity, SlabShape};
