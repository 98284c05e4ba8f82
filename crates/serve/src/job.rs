//! A solve on demand: work that is watched, limited, and stopped when no client wants it any more.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::limits::Limits;
use crate::problem::{Json, Problem, Refusal};

/// A solve that runs or has run. The work reports to it and asks it whether to go on.
#[derive(Debug)]
pub struct Job {
    positions: u64,
    plan: Json,
    done: AtomicU64,
    begin: Instant,
    limits: Limits,
    is_cancelled: AtomicBool,
    /// The time of the last client's question about it, in milliseconds since its begin.
    last_asked: AtomicU64,
    end: Mutex<Option<End>>,
}

/// The end of a solve.
#[derive(Clone, Debug)]
struct End {
    state: State,
    error: Option<Problem>,
    after: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Running,
    Done,
    Cancelled,
    OutOfTime,
    Abandoned,
    Failed,
}

/// A solve as clients see it.
#[derive(Serialize)]
pub(crate) struct Status {
    id: u64,
    state: State,
    positions: u64,
    solved: u64,
    seconds: f64,
    plan: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
}

impl Job {
    /// A job that begins now: `positions` are to be solved, at a cost that `plan` describes.
    pub(crate) fn new(positions: u64, plan: Json, limits: &Limits) -> Self {
        Self {
            positions,
            plan,
            done: AtomicU64::new(0),
            begin: Instant::now(),
            limits: *limits,
            is_cancelled: AtomicBool::new(false),
            last_asked: AtomicU64::new(0),
            end: Mutex::new(None),
        }
    }

    /// Adds to the number of positions that are solved.
    pub fn advance(&self, positions: u64) {
        self.done.fetch_add(positions, Ordering::Relaxed);
    }

    /// Whether the work should stop as soon as possible: it is cancelled, out of time, or no client asks about it any
    /// more.
    pub fn should_stop(&self) -> bool {
        self.why_stop().is_some()
    }

    /// Asks the work to stop.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    fn why_stop(&self) -> Option<State> {
        let elapsed = self.begin.elapsed();
        let last_asked = Duration::from_millis(self.last_asked.load(Ordering::Relaxed));
        if self.is_cancelled.load(Ordering::Relaxed) {
            Some(State::Cancelled)
        } else if elapsed > self.limits.solve_time {
            Some(State::OutOfTime)
        } else if elapsed.saturating_sub(last_asked) > self.limits.abandoned {
            Some(State::Abandoned)
        } else {
            None
        }
    }

    /// Records the end of the work.
    pub(crate) fn finish(&self, result: Result<(), Refusal>) {
        let (state, error) = match result {
            Ok(()) => (State::Done, None),
            Err(Refusal { code: Refusal::STOPPED, .. }) => (self.why_stop().unwrap_or(State::Cancelled), None),
            Err(refusal) => (State::Failed, Some(refusal.into())),
        };
        *self.end() = Some(End { state, error, after: self.begin.elapsed() });
    }

    pub(crate) fn is_running(&self) -> bool {
        self.end().is_none()
    }

    fn end(&self) -> MutexGuard<'_, Option<End>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state of the job; counts as a sign that a client still wants it.
    pub(crate) fn status(&self, id: u64) -> Status {
        let end = self.end().clone();
        self.last_asked.store(self.begin.elapsed().as_millis() as u64, Ordering::Relaxed);
        let (state, problem, after) = match end {
            Some(End { state, error, after }) => (state, error, after),
            None => (State::Running, None, self.begin.elapsed()),
        };
        Status {
            id,
            state,
            positions: self.positions,
            solved: self.done.load(Ordering::Relaxed).min(self.positions),
            seconds: after.as_secs_f64(),
            plan: self.plan.clone(),
            problem,
        }
    }
}
