//! Tests of the library through its front door, in one program, which is linked once.

mod caribou;
mod census;
mod crosscheck;
mod cut;
mod examples;
mod explorer;
mod export;
mod front_door;
mod lacking;
mod mapped;
mod opponent;
mod puzzles;
mod sample;
mod turns;
