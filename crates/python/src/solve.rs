//! `solve`: every position of a start, into a run directory or into memory.

use std::path::PathBuf;

use dab::figures::parse_size;
use dab::{Planned, Solve, SpaceKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{of_dab, of_input};
use crate::position::to_position;
use crate::table::Table;
use crate::watch::watched;

/// Bytes, as a number or as a text such as `"512M"`.
#[derive(FromPyObject)]
pub(crate) enum Size {
    Bytes(u64),
    Text(String),
}

impl Size {
    pub(crate) fn bytes(self) -> PyResult<u64> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Text(text) => parse_size(&text).map_err(PyValueError::new_err),
        }
    }
}

/// Solves every position that `start` can lead to. `dab.solve` calls it.
#[pyfunction]
#[pyo3(signature = (start, out=None, *, space="quiet", penalty=0, memory=None, threads=0, progress=None))]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn solve(
    py: Python<'_>,
    start: &Bound<'_, PyAny>,
    out: Option<PathBuf>,
    space: &str,
    penalty: i32,
    memory: Option<Size>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let start = to_position(start, None)?;
    dab_space::Rules::of_start(&start, penalty).map_err(of_input)?;
    let space: SpaceKind = space.parse().map_err(PyValueError::new_err)?;
    let mut solve = Solve { space, penalty, threads, ..dab::solve(start) };
    if let Some(memory) = memory {
        solve.memory = memory.bytes()?;
    }
    let planned = py.detach(|| solve.plan()).map_err(of_dab)?;
    let total = planned.plan.positions();
    let table = watched(py, total, progress.as_ref(), |watch| {
        let mut planned: Planned<'_> = planned;
        planned.options.observer = watch;
        match out {
            Some(dir) => planned.into_dir(dir),
            None => planned.in_memory(),
        }
    })?;
    Ok(Table::new(table))
}
