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

use std::fmt::{self, Display};

use dab_solve::plan::Plan;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::{Error, ErrorKind, Tablebase};

mod endgames;
mod program;
mod runs;
mod search;
mod survey;

pub use program::Questions;
pub use search::Sample;

/// The result of a check: `{}` tells it in words, and it serializes as everything that was counted.
#[derive(Clone, Debug)]
pub struct Check {
    words: String,
    counts: Box<RawValue>,
    fault: Option<String>,
}

/// The counts of a check, and what is wrong if something is.
trait Counts: Display + Serialize {
    /// The first difference, in words.
    fn fault(&self) -> Option<String>;
}

impl Check {
    fn new(counts: &impl Counts) -> Result<Self, Error> {
        let (words, fault) = (counts.to_string(), counts.fault());
        let counts = to_raw_value(counts).map_err(|error| Error::new(ErrorKind::Wrong, error.to_string()))?;
        Ok(Self { words, counts, fault })
    }

    /// The fault, if there is one: the number of differences and the first of them.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }
}

impl Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.counts.serialize(serializer)
    }
}

/// Bytes of the index of a table.
fn index_bytes(table: &Tablebase) -> u64 {
    Plan::new(table.space().layout()).index.bytes()
}
