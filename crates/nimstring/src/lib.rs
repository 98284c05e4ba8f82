//! Nimstring: the game of the last move, in which boxes count nothing.
//!
//! A player who closes a box must move again, and a player who cannot move loses. A position G has *nimber* n if the
//! player to move loses G together with a nim heap of n; it is *loony* if he wins with every heap.
//! ```text
//!    position ─ capture run ─► quiet position ─ net ─► components ─► canonical keys ─► nimbers ─► nim-sum
//! ```
//! `net` drops everything that does not change a nimber, `key` gives alike components the same name, and [`Nimstring`]
//! works out and keeps their nimbers. The crate reads positions of `board` and depends on no other crate of ours. Theory:
//! Berlekamp, Conway and Guy, *Winning Ways*, chapter 16.
#![forbid(unsafe_code)]

mod key;
mod net;
mod table;

pub use table::{Nimstring, NimstringError, Value};

#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
