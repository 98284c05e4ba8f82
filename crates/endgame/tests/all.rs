//! Tests of the theory against reference values and laws, in one program, which is linked once.

mod caribou;
mod common;
mod golden;
mod laws;
mod misprints;
mod subpositions;
mod traps;
