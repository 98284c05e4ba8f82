//! `solve`: every position of a start, into a run directory or into memory.

use std::path::PathBuf;

use dab::{Planned, Solve, SpaceKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{of_dab, of_input};
use crate::number::{Number, Size};
use crate::position::to_position;
use crate::table::Table;
use crate::watch::watched;

/// Solves every position that `start` can lead to. `dab.solve` calls it.
#[pyfunction]
#[pyo3(
    signature = (start, out=None, *, space="quiet", penalty=Number(0), marks=false, memory=None, threads=Number(0), progress=None),
    text_signature = "(start, out=None, *, space='quiet', penalty=0, marks=False, memory=None, threads=0, progress=None)"
)]
#[allow(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn solve(
    py: Python<'_>,
    start: &Bound<'_, PyAny>,
    out: Option<PathBuf>,
    space: &str,
    penalty: Number<i32>,
    marks: bool,
    memory: Option<Size>,
    threads: Number<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    crate::threads::require()?;
    let (Number(penalty), Number(threads)) = (penalty, threads);
    let start = to_position(start, None)?;
    dab_space::Rules::for_start(&start, penalty).map_err(of_input)?;
    let space: SpaceKind = space.parse().map_err(PyValueError::new_err)?;
    let mut solve = Solve { space, penalty, marks, ..dab::solve(start) };
    solve.limits.threads = threads;
    if let Some(Size(bytes)) = memory {
        solve.limits.memory = bytes;
    }
    let planned = py.detach(|| solve.plan()).map_err(of_dab)?;
    let total = planned.plan.positions();
    let table = watched(py, total, progress.as_ref(), |watch| {
        let mut planned: Planned<'_> = planned;
        planned.options.observer = watch;
        match &out {
            Some(dir) => planned.into_dir(dir),
            None => planned.in_memory(),
        }
    })?;
    Ok(Table::new(table, out, 0))
}
