//! The tests that look at bytes once more, of scores with marks: games have them in the module of this name.
#![allow(clippy::duplicate_mod, reason = "the same tests, of other games")]

mod book;
#[allow(dead_code, reason = "some tests are in the other module only")]
mod common;
mod damage;
mod impossible;
mod mutation;
mod release;
mod repair;
mod resume;
mod round_trip;
