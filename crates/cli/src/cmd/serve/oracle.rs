//! The library as the server asks it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dab::details::{Detailed, Details, ScoredPosition};
use dab::text::{Asked as Question, Input};
use dab::{Library, OnDemandSolve, Source};
use dab_board::{LineIdx, Position, Start};
use dab_draw::Geometry;
use dab_serve::{Asked, Job, Json, Limits, Oracle, Refusal, Task, Text};
use dab_solve::Observer;
use dab_space::Rules;
use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::failure;
use crate::options::Setting;

/// A run or a book.
#[derive(Serialize)]
struct ServedTable {
    path: String,
    kind: &'static str,
    board: String,
    start: String,
    /// The name of the start, if it is one of the usual ones.
    start_name: Option<String>,
    penalty: i8,
    /// Layers that are here, and those of the run.
    layers: [usize; 2],
}

/// The board as the page draws it.
#[derive(Serialize)]
struct Drawn {
    board: String,
    /// The lines that each start draws.
    starts: BTreeMap<String, Vec<LineIdx>>,
    #[serde(flatten)]
    geometry: Geometry,
}

/// The cost of a solve.
#[derive(Serialize)]
struct Planned {
    position: String,
    penalty: i32,
    positions: u128,
    seconds: f64,
    memory: u64,
}

/// A position or a game that was read.
#[derive(Serialize)]
struct Read {
    notation: String,
    board: String,
    start: String,
    moves: Vec<usize>,
    /// The player to move in the start.
    side: String,
    /// Boxes of A and of B in the start, as far as the text tells.
    captured: [Vec<usize>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    penalty: Option<u8>,
}

/// The tables that are served.
pub(super) struct Served {
    library: Library,
    limits: Limits,
    /// A plan or a solve on demand may take so much of the machine: a fifth of the memory, beyond which scores are in temporary
    /// files. There is one plan at a time and there are two solves. Another fifth is for decoded slabs of runs and books, one for
    /// tables solved on demand.
    setting: Setting,
}

impl Served {
    /// Opens runs and books, the shipped ones too.
    pub(super) fn open(paths: &[PathBuf], setting: &Setting, limits: Limits) -> anyhow::Result<Self> {
        let mut setting = *setting;
        setting.memory /= 5;
        Ok(Self { library: Library::open(paths, &dab::shipped_books()?, setting.limits())?, limits, setting })
    }

    fn question(&self, asked: &Asked) -> anyhow::Result<Question> {
        let Input { record, .. } = self.library.read(&asked.position, asked.board.as_deref())?;
        let penalty = asked.penalty.or(record.penalty().map(i32::from));
        let position = record.end().clone();
        Rules::of_start(&position, penalty.unwrap_or(0)).map_err(|error| failure::Usage(error.to_string()))?;
        Ok(Question { position, penalty })
    }

    fn answer(&self, Question { position, penalty }: &Question, details: bool) -> anyhow::Result<Option<Json>> {
        let ask = |source: &Source<'_>| {
            let scored = ScoredPosition::new(position, &source.answer(position, false)?, source);
            if !details {
                return Ok(to_raw_value(&scored)?);
            }
            let beyond = |now: &Position| {
                let play = |source: &Source<'_>| anyhow::Ok(source.book.best_play(now).map_err(dab::Error::from)?);
                self.library.ask(now, *penalty, play, failure::is_absent)
            };
            Ok(to_raw_value(&Detailed { scored, details: Details::new(position, source, beyond)? })?)
        };
        self.library.ask(position, *penalty, ask, failure::is_absent)
    }
}

impl Oracle for Served {
    fn sources(&self) -> Result<Json, Refusal> {
        let served = self.library.tables().iter().map(|table| {
            let (start, summary) = (table.start(), table.summary());
            let is_usual = |usual: &Start| start.board().start_lines(*usual) == Some(start.drawn());
            ServedTable {
                path: summary.path.clone(),
                kind: summary.kind,
                board: start.board().name().to_owned(),
                start: start.to_string(),
                start_name: Start::ALL.into_iter().find(is_usual).map(|usual| usual.to_string()),
                penalty: summary.penalty,
                layers: [summary.layers.len(), summary.n_layers],
            }
        });
        json(&served.collect::<Vec<_>>())
    }

    fn board(&self, name: &str) -> Result<Json, Refusal> {
        let board = self.library.board(name).map_err(|error| refusal(error.into()))?;
        let start = |start: Start| Some((start.to_string(), board.start_lines(start)?.iter().collect()));
        let starts = Start::ALL.into_iter().filter_map(start).collect();
        json(&Drawn { board: board.name().to_owned(), starts, geometry: Geometry::of(&board) })
    }

    fn read(&self, Text { text, board }: &Text) -> Result<Json, Refusal> {
        let Input { record, notation } =
            self.library.read(text, board.as_deref()).map_err(|error| refusal(error.into()))?;
        let start = record.start();
        // A game begins on an empty board, where nobody has a box.
        let captured = match record.moves() {
            [] => record.captured().map(|boxes| boxes.iter().collect()),
            _ => [Vec::new(), Vec::new()],
        };
        json(&Read {
            notation: notation.to_string(),
            board: start.board().name().to_owned(),
            start: start.to_string(),
            moves: record.moves().to_vec(),
            side: record.side().to_string(),
            captured,
            penalty: record.penalty(),
        })
    }

    fn ask(&self, asked: &Asked) -> Result<Json, Refusal> {
        let question = self.question(asked).map_err(refusal)?;
        let answer = self.answer(&question, asked.details).map_err(refusal)?;
        answer.ok_or_else(|| {
            let position = &question.position;
            Refusal::NotSolved(format!("{position} is not solved: have it solved with POST /api/solves"))
        })
    }

    fn plan(&self, asked: &Asked, is_gone: &AtomicBool) -> Result<Task, Refusal> {
        let Question { position, penalty } = self.question(asked).map_err(refusal)?;
        let penalty = penalty.unwrap_or(0);
        let Limits { solve_time, planning, .. } = self.limits;
        let limits = dab::Limits { time: solve_time, planning, ..self.setting.limits() };
        let too_much = |error: dab::Error| {
            if let dab::Error::Interrupted = error {
                return Refusal::Stopped;
            }
            let remedy = format!("'dab solve {position} --out DIR' solves it into files, to be served with --from DIR");
            Refusal::TooMuch(format!("{error}; {remedy}"))
        };
        let whole = OnDemandSolve::new(&position, penalty, limits, is_gone).map_err(too_much)?;
        let lacking = self.library.lacking(&whole).map_err(|error| refusal(error.into()))?;
        let (time, positions, memory) = match &lacking {
            Some(lacking) => (lacking.time(), lacking.positions(), lacking.memory()),
            None => (whole.plan().time(limits.threads), whole.plan().positions(), whole.memory()),
        };
        if lacking.is_none() {
            whole.check(1).map_err(too_much)?;
        }
        // Beyond that, scores are in temporary files.
        let (seconds, memory) = (time.as_secs_f64(), memory.min(limits.memory));
        let plan = json(&Planned { position: position.to_string(), penalty, positions, seconds, memory })?;
        let tables = Arc::clone(self.library.solved());
        let run = Box::new(move |job: &Job| {
            let failed = |error: dab::Error| refusal(error.into());
            match lacking {
                Some(lacking) => lacking.solve(&Watched(job)).map_err(failed)?,
                None => tables.keep(whole.solve(&Watched(job)).map_err(failed)?, memory),
            }
            Ok(())
        });
        Ok(Task { plan, positions: positions.min(u64::MAX.into()) as u64, run })
    }
}

/// A solve that a client follows.
struct Watched<'a>(&'a Job);

impl Observer for Watched<'_> {
    fn positions(&self, n: u64) {
        self.0.advance(n);
    }

    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

fn json(value: &impl Serialize) -> Result<Json, Refusal> {
    to_raw_value(value).map_err(|error| Refusal::Failed(error.to_string()))
}

fn refusal(error: anyhow::Error) -> Refusal {
    let text = failure::text(&error);
    if matches!(error.downcast_ref(), Some(dab::Error::Interrupted)) {
        Refusal::Stopped
    } else if failure::is_input(&error) {
        Refusal::Input(text)
    } else {
        Refusal::Failed(text)
    }
}
