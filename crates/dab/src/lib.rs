//! Dots and Boxes, solved exactly: open a table of scores, ask it, or compute one.

#![forbid(unsafe_code)]

pub mod crosscheck;
mod error;
mod on_demand;
pub mod problems;
pub mod review;
mod solve;
mod tablebase;
pub mod text;
pub mod theory;

pub use error::Error;
