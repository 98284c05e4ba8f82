//! Tests of the library through its front door, in one program, which is linked once.

mod census;
mod crosscheck;
mod cut;
mod examples;
mod front_door;
mod lacking;
mod mapped;
mod sample;
mod turns;
