//! Questions and answers of the explorer page, as JSON. A front end carries both: a server over HTTP, or a program beside the
//! page. Neither has to know the game.
//!
//! ```text
//!    name and fields ─► Explorer ─► Library: runs, books, solved tables ─► answer, or Error
//!                          └─► plan ─► Task: cost, then the solve itself
//! ```
//! `docs/API.md` describes every question. No question opens a file that it names, and none solves anything.

mod advice;
mod board;
mod endgames;
mod fields;
mod nimber;
mod opponent;
mod puzzles;
mod query;
mod read;
mod review;
mod solving;
mod sources;
mod texts;
mod write;

use dab_board::Position;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::nimstring::NimTables;
use crate::{Error, ErrorKind, Library, Limits, Observer, OnDemand, Remedy, Task};

/// A finished piece of JSON.
type Json = Box<RawValue>;

/// Bytes of nimbers at most; they are filled in seconds.
const NIMBER_BYTES: u64 = 8 << 20;

/// Answers the questions of the explorer from a library.
pub struct Explorer {
    tables: OnDemand,
    /// Nimbers that were worked out.
    nimbers: NimTables,
}

impl Explorer {
    /// An explorer of a library that solves positions within `limits`.
    pub fn new(library: Library, limits: Limits) -> Self {
        let tables = OnDemand { library, limits };
        Self {
            tables,
            nimbers: NimTables::new(Limits { threads: 1, memory: NIMBER_BYTES.min(limits.memory), ..limits }),
        }
    }

    /// Answers the question of the name `question` with the fields of the JSON object `fields`. None takes long.
    ///
    /// # Errors
    /// Any; [`Explorer::code`] has a code for programs.
    pub fn answer(&self, question: &str, fields: &str) -> Result<Box<RawValue>, Error> {
        match question {
            "advice" => json(&self.advice(&fields::read(fields)?)?),
            "board" => json(&self.board(&fields::read(fields)?)?),
            "nimber" => json(&self.nimber(&fields::read(fields)?)?),
            "opponent" => json(&self.opponent(&fields::read(fields)?)?),
            "problems" => json(&self.problems(&fields::read(fields)?)?),
            "query" => self.query(&fields::read(fields)?),
            "read" => json(&self.read(&fields::read(fields)?)?),
            "review" => json(&self.review(&fields::read(fields)?)?),
            "write" => json(&self.write(&fields::read(fields)?)?),
            "sources" => json(&self.sources(&fields::read(fields)?)),
            _ => Err(Error::input(format!("there is no question {question}")).with(Remedy::ListQuestions)),
        }
    }

    /// The cost of solving the position of a question, and the work itself, for [`Explorer::solve`]. The fields are those of `query`. `observer` may
    /// stop the planning.
    ///
    /// # Errors
    /// If the position cannot be read, or it or its plan takes more than is allowed.
    pub fn plan(&self, fields: &str, observer: &dyn Observer) -> Result<Task, Error> {
        self.task(&fields::read(fields)?, observer)
    }

    /// Solves a position. From then on the explorer answers for it.
    ///
    /// # Errors
    /// As [`Task::run`].
    pub fn solve(&self, task: Task, observer: &dyn Observer) -> Result<(), Error> {
        self.tables.run(task, observer).map(drop)
    }

    /// The code of an error for programs.
    pub fn code(error: &Error) -> &'static str {
        match (error.remedy(), error.kind()) {
            (Some(Remedy::ListQuestions), _) => "not_found",
            (Some(Remedy::ListFields), _) => "bad_json",
            (Some(Remedy::HaveSolved), _) => "not_solved",
            (_, ErrorKind::Limit) => "too_much",
            (_, ErrorKind::Input) => "bad_position",
            (_, ErrorKind::Interrupted) => "stopped",
            (_, ErrorKind::Wrong | ErrorKind::File | ErrorKind::Damaged) => "failed",
        }
    }
}

/// The error of a position that no table holds, but that may be solved.
fn not_solved(position: &Position) -> Error {
    Error::new(ErrorKind::File, format!("{position} is not solved")).with(Remedy::HaveSolved)
}

fn json(value: &impl Serialize) -> Result<Json, Error> {
    to_raw_value(value).map_err(|error| Error::new(ErrorKind::Wrong, error.to_string()))
}
