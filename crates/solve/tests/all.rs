//! Tests of solves against references.

mod agree;
mod cache;
mod common;
mod discard;
mod golden_histograms;
mod golden_positions;
mod golden_starts;
mod graphs;
mod kernels;
mod large;
mod marks;
mod midgames;
mod nimstring;
mod penalties;
mod published;
mod release;
mod symmetric_starts;
mod tiles;
