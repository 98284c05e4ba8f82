//! Tests of nimbers against their definition, in one program, which is linked once.

mod common;
mod definition;
mod empty_boards;
