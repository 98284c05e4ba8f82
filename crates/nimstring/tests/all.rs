//! Tests of nimbers against their definition.

mod common;
mod definition;
mod empty_boards;
