//! The score of one position by search.
#![forbid(unsafe_code)]

mod parts;
mod search;
mod tree;

pub use search::{Found, score, test};
