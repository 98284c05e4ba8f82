//! The search against solves, and its parts, each on its own. They are private, so all tests belong to the test binary of the crate.

mod agree;
mod canonical;
mod pieces;
