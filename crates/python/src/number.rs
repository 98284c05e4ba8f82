//! Numbers of Python in the range of a type of Rust, and sizes in bytes.

use dab::figures::parse_size;
use pyo3::Borrowed;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// A whole number. One out of range is a `ValueError`, like every wrong question, and not the `OverflowError` of PyO3.
pub(crate) struct Number<T>(pub(crate) T);

impl<'a, 'py, T: FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for Number<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        T::extract(given).map(Self).map_err(|error| {
            let error: PyErr = error.into();
            match error.is_instance_of::<PyOverflowError>(given.py()) {
                // Numbers of thousands of digits have no text.
                true => PyValueError::new_err(match given.str() {
                    Ok(number) => format!("{number} is out of range"),
                    Err(_) => "a number is out of range".to_owned(),
                }),
                false => error,
            }
        })
    }
}

/// Bytes, given as a number or as a text such as `"512M"`.
pub(crate) struct Size(pub(crate) u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Size {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match String::extract(given) {
            Ok(text) => parse_size(&text).map(Self).map_err(PyValueError::new_err),
            Err(_) => Ok(Self(Number::extract(given)?.0)),
        }
    }
}
