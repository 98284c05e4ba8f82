//! Questions and answers of the explorer page, as JSON. A front end carries both: a server over HTTP, or a program beside the
//! page. Neither has to know the game.
//!
//! ```text
//!    name and fields ─► Explorer ─► Library: runs, books, solved tables ─► answer, or Refusal
//!                          └─► plan ─► Task: cost, then the solve itself
//! ```
//! `docs/API.md` describes every question. No question opens a file that it names, and none solves anything.

mod board;
mod fields;
mod nimber;
mod opponent;
mod puzzles;
mod query;
mod read;
mod refusal;
mod review;
mod solving;
mod sources;
mod texts;
mod write;

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::nimstring::NimTables;
use crate::{Library, Limits, Observer, OnDemand};

pub use refusal::Refusal;
pub use serde_json::value::RawValue;
pub use solving::Task;

/// A finished piece of JSON.
pub type Json = Box<RawValue>;

/// Bytes of nimbers at most; they are filled in seconds.
const NIMBER_BYTES: u64 = 8 << 20;

/// Answers the questions of the explorer from a library.
pub struct Explorer {
    tables: Arc<OnDemand>,
    /// Nimbers that were worked out.
    nimbers: NimTables,
}

impl Explorer {
    /// An explorer of a library that solves positions within `limits`.
    pub fn new(library: Library, limits: Limits) -> Self {
        let tables = Arc::new(OnDemand { library, limits });
        Self { tables, nimbers: NimTables::new(1, NIMBER_BYTES.min(limits.memory)) }
    }

    /// Answers the question of the name `question` with the fields of the JSON object `fields`. None takes long.
    ///
    /// # Errors
    /// A [`Refusal`], which has a code for programs.
    pub fn answer(&self, question: &str, fields: &str) -> Result<Json, Refusal> {
        match question {
            "board" => json(&self.board(&fields::read(fields)?)?),
            "nimber" => json(&self.nimber(&fields::read(fields)?)?),
            "opponent" => json(&self.opponent(&fields::read(fields)?)?),
            "problems" => json(&self.problems(&fields::read(fields)?)?),
            "query" => self.query(&fields::read(fields)?),
            "read" => json(&self.read(&fields::read(fields)?)?),
            "review" => json(&self.review(&fields::read(fields)?)?),
            "write" => json(&self.write(&fields::read(fields)?)?),
            "sources" => json(&self.sources(&fields::read(fields)?)),
            _ => Err(Refusal::NoSuchQuestion(question.to_owned())),
        }
    }

    /// The cost of solving the position of a question, and the work itself. The fields are those of `query`. `observer` may
    /// stop the planning.
    ///
    /// # Errors
    /// A [`Refusal`], if the position cannot be read, or it or its plan takes more than is allowed.
    pub fn plan(&self, fields: &str, observer: &dyn Observer) -> Result<Task, Refusal> {
        self.task(&fields::read(fields)?, observer)
    }
}

fn json(value: &impl Serialize) -> Result<Json, Refusal> {
    to_raw_value(value).map_err(|error| Refusal::Fields(error.to_string()))
}
