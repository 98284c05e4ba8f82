//! Tests of the library through its front door.

mod caribou;
mod census;
mod crosscheck;
mod cut;
mod examples;
mod explorer;
mod export;
mod flat;
mod front_door;
mod lacking;
mod mapped;
mod opponent;
mod puzzles;
mod sample;
mod turns;
