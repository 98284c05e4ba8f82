//! `nimstring`: the game of the last move.

use dab::{Limits, NimTables};
use pyo3::prelude::*;

use crate::error::of_input;
use crate::json::to_python;
use crate::number::Size;
use crate::position::to_position;

/// The nimber of a position, of its lines and of its components, as ``dab nimstring --json`` prints them.
///
/// In nimstring boxes count nothing, and the player who cannot move loses. position: a Position, or a text in any
/// notation. memory: bytes to keep nimbers in, or a text such as ``"512M"``; half of the free memory if it is None.
#[pyfunction]
#[pyo3(signature = (position, memory=None))]
pub(crate) fn nimstring<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    memory: Option<Size>,
) -> PyResult<Bound<'py, PyAny>> {
    let position = to_position(position, None)?;
    let memory = memory.map_or_else(|| dab::available_memory() / 2, |Size(bytes)| bytes);
    let answer = py.detach(|| NimTables::new(Limits::new(1, memory)).answer(&position));
    to_python(py, &answer.map_err(of_input)?)
}
