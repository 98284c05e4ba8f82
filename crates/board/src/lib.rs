//! The game of Dots and Boxes, and of strings and coins, without any I/O.
//!
//! A [`Board`] is a strings-and-coins [`Graph`] with a picture: coins are boxes, strings are lines, the ground is
//! the outside. A [`Position`] is a board and the set of its drawn lines. [`capture`] makes the run
//! when something can be captured, [`quiet`] lists the moves when nothing can, [`contract`] turns chains into
//! pseudo-lines. Everything above this crate works on graphs and knows nothing of rows and columns.
#![forbid(unsafe_code)]

pub mod capture;
pub mod components;
pub mod contract;
pub mod graph;
pub mod notation;
pub mod quiet;

mod board;
mod connected;
mod dots;
mod error;
mod errors;
mod graph_file;
mod grid;
mod illegal_move;
mod line_names;
mod lines;
mod names;
mod narrow;
mod position;
mod score;
mod start;

pub use board::{Board, BoardKind};
pub use connected::connected;
pub use dots::column_name;
pub use error::BoardError;
pub use graph::Graph;
pub use illegal_move::IllegalMove;
pub use lines::{BoxIdx, LineIdx, LineSet, MAX_LINES};
pub use position::Position;
pub use score::Score;
pub use start::Start;

#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
