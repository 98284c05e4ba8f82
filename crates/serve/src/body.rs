//! Bodies of requests: JSON, not too large, and not too slow.

use std::error::Error;
use std::fmt::Display;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::problem::Problem;
use crate::service::Service;

/// A body that was read.
pub(crate) struct FromJson<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Service> for FromJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Service) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        // Pages of other sites cannot send this without being asked first, and they are not.
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            let error = "the body must be JSON: send the header Content-Type: application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", error));
        }
        let bytes = read(request.into_body(), service).await?;
        serde_json::from_slice(&bytes).map(Self).map_err(bad_body)
    }
}

/// A body that is no JSON, or that of no question.
pub(crate) fn bad_body(error: impl Display) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "bad_json", format!("the body cannot be read: {error}"))
}

async fn read(body: Body, service: &Service) -> Result<axum::body::Bytes, Problem> {
    let limits = &service.limits;
    let too_large = || {
        let error = format!("the body is larger than {} bytes: ask for fewer positions at a time", limits.body_bytes);
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", error)
    };
    // As announced, before any of it is there.
    if body.size_hint().lower() > limits.body_bytes as u64 {
        return Err(too_large());
    }
    let Ok(read) = timeout(limits.patience, to_bytes(body, limits.body_bytes)).await else {
        let error = format!("the body did not arrive within {} seconds", limits.patience.as_secs_f64());
        return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", error));
    };
    read.map_err(|error| match error.source() {
        Some(cause) if cause.to_string().contains("length limit") => too_large(),
        _ => Problem::new(StatusCode::BAD_REQUEST, "bad_request", "the body ended too early"),
    })
}
