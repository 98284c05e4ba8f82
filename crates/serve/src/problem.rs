//! Replies of the oracle: a piece of JSON, or the reason why there is none. Errors as clients see them: a status and a JSON
//! object with a code for programs and a message for people.

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;

/// A finished piece of JSON.
pub type Json = Box<RawValue>;

/// The reason why there is no answer. Each message names the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The question makes no sense.
    Input(String),
    /// Nothing that was solved holds the position, but it may be solved.
    NotSolved(String),
    /// The solve takes more than is allowed.
    TooMuch(String),
    /// The solve was stopped before it was done.
    Stopped,
    /// Something is wrong on the server's side: a damaged file, a full disk.
    Failed(String),
}

/// An error with its HTTP status.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(skip)]
    status: StatusCode,
    code: &'static str,
    error: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, error: impl Into<String>) -> Self {
        Self { status, code, error: error.into() }
    }

    /// There is nothing at this address.
    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is nothing here; docs/API.md lists what can be asked")
    }

    /// A thread of the server failed.
    pub(crate) fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", "the program failed; its terminal says where")
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Input(error) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_position", error),
            Refusal::NotSolved(error) => Self::new(StatusCode::CONFLICT, "not_solved", error),
            Refusal::TooMuch(error) => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "too_much", error),
            Refusal::Stopped => Self::new(StatusCode::CONFLICT, "stopped", "stopped before it was solved"),
            Refusal::Failed(error) => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", error),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status;
        let mut response = (status, axum::Json(self)).into_response();
        if status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(RETRY_AFTER, const { axum::http::HeaderValue::from_static("5") });
        }
        response
    }
}
