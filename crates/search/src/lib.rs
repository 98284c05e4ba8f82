//! The score of one position by search, without solving everything that it can lead to.
//!
//! ```text
//!    position ─ capture run ─► sum (`summands`, `chains`, `sum`) ─ alpha-beta (`worker`) ─► bounds that meet: the score
//!                                   │ moves: `cut`, `rests`            │ order: `history`, `weights`; several threads: `busy`
//!                                   └ key: `canonical`                 └ bounds remembered: `table`
//! ```
//! Positions are told apart as contracted graphs, up to isomorphism and sum by sum, so far fewer are met than there are sets
//! of lines. Scores agree with those of a solve, with which this crate shares no code but the rules of the game. Nothing is
//! kept but bounds of the score asked for.
#![deny(unsafe_code)]

mod bounds;
mod busy;
mod canonical;
mod chains;
mod cut;
mod fetch;
mod hash;
mod history;
mod link;
mod rests;
mod search;
mod sum;
mod summands;
mod table;
mod weights;
mod worker;

pub use search::{Found, Search, SearchError, Watch};

#[cfg(test)]
#[path = "../tests/all.rs"]
mod tests;
