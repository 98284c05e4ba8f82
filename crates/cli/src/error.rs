//! The result of a verb, and errors that verbs make themselves.

use dab::{Error, ErrorKind};

/// The result of a verb and of its parts.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// An error in the input; the text has the remedy.
pub(crate) fn usage(text: impl Into<String>) -> Error {
    Error::new(ErrorKind::Input, text)
}

/// An error of a check that found something wrong, or of this program.
pub(crate) fn wrong(text: impl Into<String>) -> Error {
    Error::new(ErrorKind::Wrong, text)
}
