//! Replies of the oracle: a piece of JSON, or the reason why there is none. Errors as clients see them: a status and a JSON
//! object with a code for programs and a message for people.

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;

/// A finished piece of JSON.
pub type Json = Box<RawValue>;

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One of the codes of `docs/API.md`; any other one is a fault of the server.
    pub code: &'static str,
    /// The reason and its remedy, for people.
    pub error: String,
}

impl Refusal {
    /// The code of work that was stopped before it was done.
    pub(crate) const STOPPED: &'static str = "stopped";
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

    /// The same problem of a question in an address.
    pub(crate) fn in_address(self) -> Self {
        if self.code == "bad_json" { Self { code: "bad_request", ..self } } else { self }
    }

    /// A thread of the server failed.
    pub(crate) fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", "the program failed; its terminal says where")
    }
}

impl From<Refusal> for Problem {
    fn from(Refusal { code, error }: Refusal) -> Self {
        let status = match code {
            "bad_json" => StatusCode::BAD_REQUEST,
            "not_found" => StatusCode::NOT_FOUND,
            "not_solved" | Refusal::STOPPED => StatusCode::CONFLICT,
            "bad_position" | "too_much" => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, code, error)
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
