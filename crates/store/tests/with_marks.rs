//! The tests that look at bytes once more, of scores with marks: games have them in the program of this name.

mod book;
#[allow(dead_code, reason = "some tests are in the other program only")]
mod common;
mod damage;
mod impossible;
mod mutation;
mod release;
mod repair;
mod resume;
mod round_trip;
