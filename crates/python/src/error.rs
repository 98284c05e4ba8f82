//! Errors of crate `dab` as exceptions, with the same messages, and remedies that name arguments: `ValueError` if the
//! question is wrong, `dab.Error` if it is not.

use dab::{ErrorKind, Remedy};
use pyo3::PyErr;
use pyo3::exceptions::{PyException, PyValueError};

pyo3::create_exception!(
    dab_solver,
    Error,
    PyException,
    "Files are missing, damaged or not finished, or a solve cannot go on. The message names the file."
);

/// The exception for an error of crate `dab`.
pub(crate) fn of_dab(error: impl Into<dab::Error>) -> PyErr {
    let error = error.into();
    let message = format!("{error:#}{}", error.remedy().and_then(words).unwrap_or_default());
    match error.kind() {
        ErrorKind::Input | ErrorKind::Limit => PyValueError::new_err(message),
        _ => Error::new_err(message),
    }
}

/// The exception for input that is wrong, whatever the error.
pub(crate) fn of_input(error: impl std::error::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A remedy in the words of this module, if its functions have one.
fn words(remedy: &Remedy) -> Option<String> {
    match remedy {
        Remedy::MoreMemory { bytes: Some(bytes) } | Remedy::MoreMemoryOrLess { bytes, .. } => {
            Some(format!("; use memory={bytes}"))
        }
        Remedy::NameBoard { such_as } => Some(format!(", with board='{such_as}'")),
        Remedy::Solve { position } => Some(format!("; solve it into a directory: dab.solve('{position}', directory)")),
        Remedy::SameCommand | Remedy::Finish => Some("; dab.solve goes on with the same arguments".to_owned()),
        _ => None,
    }
}
