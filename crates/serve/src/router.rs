//! The addresses of the API, and the answer to each request.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json as ToJson, Router};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::body::{FromJson, bad_body};
use crate::guard::guard;
use crate::job::Status;
use crate::limits::Limits;
use crate::oracle::Oracle;
use crate::page;
use crate::problem::{Json, Problem};
use crate::service::{Service, Shared};
use crate::solves::Solves;

/// The whole service.
pub(crate) fn router(
    oracle: Arc<dyn Oracle>,
    limits: Limits,
    address: SocketAddr,
    allowed: Option<HeaderValue>,
) -> Router {
    let [questions, plans] = [limits.questions, 1].map(|permits| Arc::new(Semaphore::new(permits)));
    let service = Arc::new(Shared { oracle, limits, address, allowed, questions, plans, solves: Solves::default() });
    let api = Router::new()
        .route("/api/sources", get(sources))
        .route("/api/{question}", get(answer_address).post(answer_body))
        .route("/api/plan", post(plan))
        .route("/api/solves", post(begin))
        .route("/api/solves/{id}", get(status).delete(cancel));
    api.merge(page::routes())
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(service.clone(), guard))
        .with_state(service)
}

fn json(text: Json) -> Response {
    let text: Box<str> = text.into();
    ([(CONTENT_TYPE, "application/json")], String::from(text)).into_response()
}

async fn wrong_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", "this address takes other methods; see docs/API.md")
}

#[derive(Serialize)]
struct Sources {
    version: &'static str,
    sources: Json,
    body_bytes: usize,
    batch: usize,
    solves: usize,
    solve_seconds: f64,
}

async fn sources(State(service): State<Service>) -> Result<ToJson<Sources>, Problem> {
    let limits = service.limits;
    Ok(ToJson(Sources {
        version: env!("CARGO_PKG_VERSION"),
        sources: service.ask("sources", "{}".to_owned()).await?,
        body_bytes: limits.body_bytes,
        batch: limits.batch,
        solves: limits.solves,
        solve_seconds: limits.solve_time.as_secs_f64(),
    }))
}

/// The fields of a question in the part of an address after the `?`, all of them texts.
type Address = Result<Query<BTreeMap<String, String>>, QueryRejection>;

async fn answer_address(
    State(service): State<Service>,
    Path(question): Path<String>,
    address: Address,
) -> Result<Response, Problem> {
    let bad_request = |error: String| Problem::new(StatusCode::BAD_REQUEST, "bad_request", error);
    let Query(fields) = address.map_err(|error| bad_request(error.body_text()))?;
    let fields = serde_json::to_string(&fields).map_err(|error| bad_request(error.to_string()))?;
    Ok(json(service.ask(&question, fields).await.map_err(Problem::in_address)?))
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Found(Json),
    Not(Problem),
}

#[derive(Serialize)]
struct Answers {
    answers: Vec<Answer>,
}

async fn answer_body(
    State(service): State<Service>,
    Path(question): Path<String>,
    FromJson(fields): FromJson<Json>,
) -> Result<Response, Problem> {
    let Some(questions) = split(&fields)? else {
        return Ok(json(service.ask(&question, fields.get().to_owned()).await?));
    };
    let limit = service.limits.batch;
    if questions.len() > limit {
        let error = format!("{} positions at a time are too many: ask for at most {limit}", questions.len());
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", error));
    }
    let mut answers = Vec::with_capacity(questions.len());
    // One after the other, so that others get their turn.
    for fields in questions {
        answers.push(match service.ask(&question, fields).await {
            Ok(answer) => Answer::Found(answer),
            Err(problem) => Answer::Not(problem),
        });
    }
    Ok(ToJson(Answers { answers }).into_response())
}

/// The questions about each of the `positions` of a question, if it has this field.
fn split(fields: &Json) -> Result<Option<Vec<String>>, Problem> {
    let mut fields: BTreeMap<&str, Value> = serde_json::from_str(fields.get()).map_err(bad_body)?;
    let Some(positions) = fields.remove("positions") else { return Ok(None) };
    if fields.contains_key("position") {
        return Err(bad_body("position: a question has this field or positions"));
    }
    let positions: Vec<String> =
        serde_json::from_value(positions).map_err(|error| bad_body(format!("positions: {error}")))?;
    let one = |position: String| {
        fields.insert("position", position.into());
        serde_json::to_string(&fields).map_err(bad_body)
    };
    positions.into_iter().map(one).collect::<Result<_, _>>().map(Some)
}

async fn plan(State(service): State<Service>, FromJson(fields): FromJson<Json>) -> Result<Response, Problem> {
    Ok(json(service.plan(fields.get().to_owned()).await?.plan))
}

async fn begin(State(service): State<Service>, FromJson(fields): FromJson<Json>) -> Result<Response, Problem> {
    let task = service.plan(fields.get().to_owned()).await?;
    let status = service.solves.begin(task, &service.limits)?;
    Ok((StatusCode::ACCEPTED, ToJson(status)).into_response())
}

async fn status(State(service): State<Service>, Path(id): Path<String>) -> Result<ToJson<Status>, Problem> {
    id.parse().ok().and_then(|id| service.solves.status(id)).map(ToJson).ok_or_else(no_such_solve)
}

async fn cancel(State(service): State<Service>, Path(id): Path<String>) -> Result<ToJson<Status>, Problem> {
    id.parse().ok().and_then(|id| service.solves.cancel(id)).map(ToJson).ok_or_else(no_such_solve)
}

fn no_such_solve() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "there is no such solve, or it ended too long ago")
}
