//! `ask`: an answer from the shipped books, and where they end from a solve on demand, as `dab query` gives it.

use std::sync::OnceLock;
use std::time::Duration;

use dab::text::Asked;
use dab::{Answer, Effort, Error, ErrorKind, Library, Limits, OnDemand, Question, ScoredPosition, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::of_dab;
use crate::json::to_python;
use crate::number::{Number, Size};
use crate::position::{read, to_position};
use crate::threads;
use crate::watch::watched;

/// The shipped books and what was solved before, within the usual limits.
static TABLES: OnceLock<OnDemand> = OnceLock::new();

/// The score of a position and of each of its lines, as ``dab query --json`` prints them: from the shipped books, and where
/// they end from a solve within limits. Books are found beside the program, in ``share/dab/books`` of its installation, and in
/// ``data/books`` of the current directory.
///
/// position: a Position, or a text in any notation. penalty: boxes charged to the player who draws the last line; 0, or that of
/// the text, if it is None. memory: bytes that a solve may take, or a text such as ``"4G"``; half of the free memory if it is None.
/// seconds: the time that a solve may take by its plan; 600 if it is None. Ctrl-C stops it.
///
/// Raises ValueError if a solve would take more. What was solved is kept for later questions, unless limits are given.
#[pyfunction]
#[pyo3(signature = (position, *, penalty=None, memory=None, seconds=None))]
pub(crate) fn ask<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    penalty: Option<Number<i32>>,
    memory: Option<Size>,
    seconds: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    threads::require()?;
    let asked = match position.extract::<&str>() {
        Ok(text) => Asked::from(&read(text, None, None)?),
        Err(_) => Asked { position: to_position(position, None)?, penalty: None },
    };
    let penalty = asked.penalty_or(penalty.map(|Number(penalty)| penalty)).map_err(of_dab)?;
    let limits = limits(memory, seconds)?;
    let question = Question { position: &asked.position, penalty: Some(penalty), marks: false };
    let scored =
        |source: &Source, answer: Answer| Ok(Some(ScoredPosition::new(question.position, answer, source.table())));
    let answer = watched(py, 0, None, |watch| {
        let own = limits.map(tables_within).transpose()?;
        let tables = match &own {
            Some(tables) => tables,
            None => usual_tables()?,
        };
        let answer = tables.ask(question, Effort::Any, scored, |task| tables.run(task, watch))?;
        answer.ok_or_else(|| Error::new(ErrorKind::Wrong, format!("{} has no answer", question.position)))
    })?;
    to_python(py, &answer)
}

/// The limits of a solve, if they are not the usual ones.
fn limits(memory: Option<Size>, seconds: Option<f64>) -> PyResult<Option<Limits>> {
    if memory.is_none() && seconds.is_none() {
        return Ok(None);
    }
    let mut limits = Limits::default();
    if let Some(Size(bytes)) = memory {
        limits.memory = bytes;
    }
    if let Some(seconds) = seconds {
        let wrong = |_| PyValueError::new_err(format!("{seconds} seconds are no time"));
        limits.time = Duration::try_from_secs_f64(seconds).map_err(wrong)?;
    }
    Ok(Some(limits))
}

fn usual_tables() -> Result<&'static OnDemand, Error> {
    match TABLES.get() {
        Some(tables) => Ok(tables),
        None => tables_within(Limits::default()).map(|tables| TABLES.get_or_init(|| tables)),
    }
}

fn tables_within(limits: Limits) -> Result<OnDemand, Error> {
    Ok(OnDemand { library: Library::shipped_books(limits)?, limits })
}
