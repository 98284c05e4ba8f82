//! Answers as dicts and lists: the same fields as `dab … --json` prints.

use pyo3::prelude::*;
use serde::Serialize;

use crate::error::Error;

/// A value as Python reads it from JSON.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|error| Error::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
