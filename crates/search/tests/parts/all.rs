//! The parts of the search, each on its own. They are private, so these tests belong to the test binary of the crate.

mod canonical;
mod pieces;
