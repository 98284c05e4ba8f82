//! Checks of the endgame theory and of tables, each against something independent.
//!
//! ```text
//!    endgames    every theorem against plain recursion, on all endgames up to a size
//!    survey      the theory against every simple loony endgame of a solved board
//!    program     a program of the user's against the theory or a solved board
//!    runs        every score of one run or book against the answers of another
//!    search      random scores of a run or book against searches
//! ```
//! A difference is a result, not an error: it is counted, and the first one is told.

use dab_solve::plan::Plan;

use crate::Tablebase;

mod endgames;
mod program;
mod runs;
mod search;
mod survey;

pub use endgames::{EndgameCheck, EndgameSet, TheoremCheck, endgames};
pub use program::{Counterexample, ProgramCheck, Questions, program};
pub use runs::{RunCheck, runs};
pub use search::{Sample, SearchCheck, search, search_memory};
pub use survey::{BoardCheck, MultisetCount, board};

/// Bytes of the index of a table.
fn index_bytes(table: &Tablebase) -> u64 {
    Plan::new(table.space().layout()).index().bytes()
}
