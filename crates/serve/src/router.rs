//! The addresses of the API, and the answer to each request.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json as ToJson, Router};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::body::FromJson;
use crate::guard::guard;
use crate::job::Status;
use crate::limits::Limits;
use crate::oracle::{Asked, Oracle, Text};
use crate::page;
use crate::problem::{Json, Problem};
use crate::service::{Service, Shared};
use crate::solves::Solves;

/// The whole service.
pub(crate) fn router(oracle: Arc<dyn Oracle>, limits: Limits, address: SocketAddr) -> Router {
    let [questions, plans] = [limits.questions, 1].map(|permits| Arc::new(Semaphore::new(permits)));
    let service = Arc::new(Shared { oracle, limits, address, questions, plans, solves: Solves::default() });
    let api = Router::new()
        .route("/api/sources", get(sources))
        .route("/api/board", get(board))
        .route("/api/read", post(read))
        .route("/api/query", get(query_one).post(query))
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
        sources: service.ask(|oracle| oracle.sources()).await?,
        body_bytes: limits.body_bytes,
        batch: limits.batch,
        solves: limits.solves,
        solve_seconds: limits.solve_time.as_secs_f64(),
    }))
}

/// Reads the part of an address after the `?`.
fn from_query<T>(query: Queried<T>) -> Result<T, Problem> {
    let wrong = |error: QueryRejection| Problem::new(StatusCode::BAD_REQUEST, "bad_request", error.body_text());
    query.map(|Query(query)| query).map_err(wrong)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    name: String,
}

type Queried<T> = Result<Query<T>, QueryRejection>;

async fn board(State(service): State<Service>, query: Queried<Name>) -> Result<Response, Problem> {
    let Name { name } = from_query(query)?;
    Ok(json(service.ask(move |oracle| oracle.board(&name)).await?))
}

async fn read(State(service): State<Service>, FromJson(text): FromJson<Text>) -> Result<Response, Problem> {
    Ok(json(service.ask(move |oracle| oracle.read(&text)).await?))
}

async fn query_one(State(service): State<Service>, query: Queried<Asked>) -> Result<Response, Problem> {
    let asked = from_query(query)?;
    Ok(json(service.ask(move |oracle| oracle.ask(&asked)).await?))
}

/// One position, or several with what they have in common.
#[derive(Deserialize)]
#[serde(untagged)]
enum Questions {
    One(Asked),
    Batch(Batch),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    positions: Vec<String>,
    board: Option<String>,
    penalty: Option<i32>,
    #[serde(default)]
    details: bool,
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

async fn query(State(service): State<Service>, FromJson(asked): FromJson<Questions>) -> Result<Response, Problem> {
    let Batch { positions, board, penalty, details } = match asked {
        Questions::One(asked) => return Ok(json(service.ask(move |oracle| oracle.ask(&asked)).await?)),
        Questions::Batch(batch) => batch,
    };
    let limit = service.limits.batch;
    if positions.len() > limit {
        let error = format!("{} positions at a time are too many: ask for at most {limit}", positions.len());
        return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", error));
    }
    let mut answers = Vec::with_capacity(positions.len());
    // One after the other, so that others get their turn.
    for position in positions {
        let asked = Asked { position, board: board.clone(), penalty, details };
        answers.push(match service.ask(move |oracle| oracle.ask(&asked)).await {
            Ok(answer) => Answer::Found(answer),
            Err(problem) => Answer::Not(problem),
        });
    }
    Ok(ToJson(Answers { answers }).into_response())
}

async fn plan(State(service): State<Service>, FromJson(asked): FromJson<Asked>) -> Result<Response, Problem> {
    Ok(json(service.plan(asked).await?.plan))
}

async fn begin(State(service): State<Service>, FromJson(asked): FromJson<Asked>) -> Result<Response, Problem> {
    let task = service.plan(asked).await?;
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
