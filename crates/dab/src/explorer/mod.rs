//! Questions and answers of the explorer page, as JSON. A front end carries both: a server over HTTP, or a program beside the
//! page. Neither has to know the game.
//!
//! ```text
//!    name and fields ─► Explorer ─► Library: runs, books, solved tables ─► answer, or Error
//!                          └─► plan ─► Task: cost, then the solve itself
//! ```
//! `docs/API.md` describes every question. No question opens a file that it names, and none solves anything. Here are `query` and
//! `nimber`, and how positions, games and boards are read; graphs are those of the runs and books.

mod boards;
mod endgames;
mod fields;
mod games;
mod play;

use std::sync::Arc;

use dab_board::notation::{Notation, Transcript};
use dab_board::{Board, LineSet, Position};
use dab_space::Rules;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use self::fields::Question;
use crate::details::ScoredPosition;
use crate::nimstring::{NimAnswer, NimTables};
use crate::text::{self, Asked, Input};
use crate::{Answer, Effort, Error, ErrorKind, Library, Limits, Observer, OnDemand, Remedy, Source, Task};

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
        let nimbers = Limits { threads: 1, memory: NIMBER_BYTES.min(limits.memory), ..limits };
        Self { tables: OnDemand { library, limits }, nimbers: NimTables::new(nimbers) }
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
        let asked = self.asked(&fields::read(fields)?)?;
        // A shell has more memory and time, but an index of no more lines.
        let too_much = |error: Error| match error.kind() {
            ErrorKind::Input => Error::new(ErrorKind::Limit, error.to_string()),
            ErrorKind::Limit => error.with(Remedy::Solve { position: asked.position.to_string() }),
            _ => error,
        };
        let task = self.tables.task(asked.question(), Effort::Any, observer).map_err(too_much)?;
        task.ok_or_else(|| not_solved(&asked.position))
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

    /// The scores of a position and of its moves, from the tables that hold it.
    fn query(&self, question: &Question) -> Result<Json, Error> {
        let asked = self.asked(question)?;
        let (library, is_detailed) = (&self.tables.library, question.details == Some(true));
        let read = |source: &Source, answer: Answer| {
            let beyond = |now: &Position| {
                let play = |source: &Source, _| match source.book().best_play(now) {
                    Err(error) if error.is_beyond() => Ok(None),
                    play => play.map(Some).map_err(Error::from),
                };
                library.ask(crate::Question { position: now, ..asked.question() }, play)
            };
            let scored = ScoredPosition::new(&asked.position, answer, source.table());
            let answer = if is_detailed { scored.detailed(source, beyond)? } else { scored };
            Ok::<_, Error>(Some(json(&answer)))
        };
        let answer = library.ask(asked.question(), read)?;
        answer.unwrap_or_else(|| Err(not_solved(&asked.position)))
    }

    /// The game of the last move.
    fn nimber(&self, question: &Question) -> Result<NimAnswer, Error> {
        let Asked { position, .. } = self.asked(question)?;
        let answer = self.nimbers.answer(&position);
        answer.map_err(|error| error.with(Remedy::Nimber { position: position.to_string() }))
    }

    /// The position of a question with its penalty.
    fn asked(&self, question: &Question) -> Result<Asked, Error> {
        let Input { record, .. } = self.read_text(&question.position, question.board.as_deref())?;
        let asked = Asked::from(&record);
        let penalty = question.penalty.or(asked.penalty);
        Rules::for_start(&asked.position, penalty.unwrap_or(0))?;
        Ok(Asked { penalty, ..asked })
    }

    /// Reads a position or a game in any notation; `board` names the board of texts that do not tell it.
    fn read_text(&self, text: &str, board: Option<&str>) -> Result<Input, Error> {
        let text = text.trim();
        if let Some(board) = self.graph(text) {
            let empty = Position::new(Arc::clone(board), LineSet::EMPTY)?;
            return Ok(Input { record: Transcript::new(empty), notation: Notation::Compact });
        }
        let board = board.map(|name| self.board_of(name)).transpose()?;
        text::read(text, None, board.as_ref().into(), |file| self.graph_of(file))
    }

    /// The board of a name.
    fn board_of(&self, name: &str) -> Result<Arc<Board>, Error> {
        text::board(name, |file| self.graph_of(file))
    }

    /// The board of a run or book, by its name.
    fn graph(&self, name: &str) -> Option<&Arc<Board>> {
        let tables = self.tables.library.tables();
        tables.iter().map(|table| table.start().board()).find(|board| board.name() == name)
    }

    fn graph_of(&self, file: &str) -> Result<Arc<Board>, Error> {
        let name = format!("graph:{file}");
        self.graph(&name).cloned().ok_or_else(|| {
            Error::input(format!("{name} is not served: graphs are those of the runs and books that are"))
        })
    }
}

/// The error of a position that no table holds, but that may be solved.
fn not_solved(position: &Position) -> Error {
    Error::new(ErrorKind::File, format!("{position} is not solved")).with(Remedy::HaveSolved)
}

fn json(value: &impl Serialize) -> Result<Json, Error> {
    to_raw_value(value).map_err(|error| Error::new(ErrorKind::Wrong, error.to_string()))
}
