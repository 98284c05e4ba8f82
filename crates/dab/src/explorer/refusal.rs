//! The reason why there is no answer.

use thiserror::Error as ThisError;

use crate::{Error, ErrorKind, TableError};

/// The reason why there is no answer. The text says what is wrong; the front end adds the remedy.
#[derive(Debug, ThisError)]
pub enum Refusal {
    /// No question has this name.
    #[error("there is no question {0}")]
    NoSuchQuestion(String),
    /// The fields are not those of the question.
    #[error("{0}")]
    Fields(String),
    /// No table holds the position, but it may be solved.
    #[error("{0} is not solved")]
    NotSolved(String),
    /// The answer takes more than is allowed.
    #[error("{error}")]
    TooMuch {
        /// The position.
        position: String,
        /// The verb of the command line that may take more.
        verb: &'static str,
        /// The limit that it exceeds, in words.
        error: String,
    },
    /// Any other error.
    #[error(transparent)]
    Other(#[from] Error),
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        Error::from(error).into()
    }
}

impl Refusal {
    /// The code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchQuestion(_) => "not_found",
            Self::Fields(_) => "bad_json",
            Self::NotSolved(_) => "not_solved",
            Self::TooMuch { .. } => "too_much",
            Self::Other(error) => match error.kind() {
                ErrorKind::Input | ErrorKind::Limit => "bad_position",
                ErrorKind::Interrupted => "stopped",
                ErrorKind::Wrong | ErrorKind::File | ErrorKind::Damaged => "failed",
            },
        }
    }
}
