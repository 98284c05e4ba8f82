//! Errors of crate `dab` as exceptions, with the same messages: `ValueError` if the question is wrong, `dab.Error` if it is
//! not.

use dab::ErrorKind;
use pyo3::PyErr;
use pyo3::exceptions::{PyException, PyValueError};

pyo3::create_exception!(
    dab,
    Error,
    PyException,
    "Files are missing, damaged or not finished, or a solve cannot go on. The message names the file."
);

/// The exception for an error of crate `dab`.
pub(crate) fn of_dab(error: impl Into<dab::Error>) -> PyErr {
    let error = error.into();
    let message = with_causes(&error);
    match error.kind() {
        ErrorKind::Input | ErrorKind::Limit => PyValueError::new_err(message),
        _ => Error::new_err(message),
    }
}

/// The exception for input that is wrong, whatever the error.
pub(crate) fn of_input(error: impl std::error::Error) -> PyErr {
    PyValueError::new_err(with_causes(&error))
}

/// An error and its causes, as far as it does not tell them itself.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let told = error.to_string();
        if !text.contains(&told) {
            text += &format!(": {told}");
        }
        cause = error.source();
    }
    text
}
