//! Tests of requests, refused and answered, in one program, which is linked once.

mod common;
mod refusals;
mod solves;
