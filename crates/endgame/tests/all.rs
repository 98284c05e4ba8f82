//! The theorems against the sources, against independent values and against altered clauses. They look at items that are
//! private, so all of them belong to the test binary of the crate.

mod caribou;
mod common;
mod golden;
mod laws;
mod misprints;
mod traps;
