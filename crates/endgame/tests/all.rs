//! The theorems against the sources, against independent values and against altered clauses; their parts by hand. Tests look at
//! items that are private, so all of them belong to the test binary of the crate.

mod caribou;
mod common;
mod golden;
mod laws;
mod misprints;
mod positions;
mod subpositions;
mod traps;
mod values;
