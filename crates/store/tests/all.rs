//! Tests of files, whole and damaged.

mod book;
mod common;
mod damage;
mod discard;
mod fault;
mod impossible;
mod mutation;
mod power_loss;
mod release;
mod repair;
mod resume;
mod round_trip;
mod run_dir;
