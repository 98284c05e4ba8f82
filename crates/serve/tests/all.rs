//! Tests of requests, refused and answered.

mod common;
mod refusals;
mod solves;
