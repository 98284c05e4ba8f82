//! Tests of components, graphs and notations, in one program, which is linked once.

mod any_game;
mod components;
mod multigraphs;
mod mutation;
mod notation;
mod transcripts;
