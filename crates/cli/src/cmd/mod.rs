//! One file per verb: each takes its arguments, does the work and prints one result.

mod batch;
pub(crate) mod book;
pub(crate) mod caribou;
pub(crate) mod census;
pub(crate) mod convert;
pub(crate) mod crosscheck;
pub(crate) mod draw;
pub(crate) mod endgame;
pub(crate) mod export;
pub(crate) mod info;
pub(crate) mod nimstring;
pub(crate) mod on_demand;
pub(crate) mod penalties;
mod picture;
pub(crate) mod plan;
pub(crate) mod plot;
pub(crate) mod problems;
pub(crate) mod puzzles;
pub(crate) mod query;
pub(crate) mod review;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod solve;
pub(crate) mod survey;
pub(crate) mod verify;
