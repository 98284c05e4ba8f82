//! Solves on demand: work that is watched, limited, and stopped when nobody wants it any more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde::Serialize;

use crate::Limits;
use crate::oracle::{Json, Refusal, Task};
use crate::problem::Problem;

/// Finished solves whose end is remembered.
const REMEMBERED: usize = 64;

/// A solve that runs or has run. The work reports to it and asks it whether to go on.
#[derive(Debug)]
pub struct Job {
    positions: u64,
    plan: Json,
    done: AtomicU64,
    begin: Instant,
    time: Duration,
    abandoned: Duration,
    is_cancelled: AtomicBool,
    /// When somebody asked about it, in milliseconds since its begin.
    last_asked: AtomicU64,
    end: Mutex<Option<End>>,
}

/// How a solve ended.
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
    fn new(task: &Task, limits: &Limits) -> Self {
        Self {
            positions: task.positions,
            plan: task.plan.clone(),
            done: AtomicU64::new(0),
            begin: Instant::now(),
            time: limits.solve_time,
            abandoned: limits.abandoned,
            is_cancelled: AtomicBool::new(false),
            last_asked: AtomicU64::new(0),
            end: Mutex::new(None),
        }
    }

    /// That many positions more are solved.
    pub fn advance(&self, positions: u64) {
        self.done.fetch_add(positions, Ordering::Relaxed);
    }

    /// Whether to stop as soon as possible: cancelled, out of time, or nobody asks about it any more.
    pub fn should_stop(&self) -> bool {
        self.why_stop().is_some()
    }

    fn why_stop(&self) -> Option<State> {
        let elapsed = self.begin.elapsed();
        let last_asked = Duration::from_millis(self.last_asked.load(Ordering::Relaxed));
        if self.is_cancelled.load(Ordering::Relaxed) {
            Some(State::Cancelled)
        } else if elapsed > self.time {
            Some(State::OutOfTime)
        } else if elapsed.saturating_sub(last_asked) > self.abandoned {
            Some(State::Abandoned)
        } else {
            None
        }
    }

    fn finish(&self, result: Result<(), Refusal>) {
        let (state, error) = match result {
            Ok(()) => (State::Done, None),
            Err(Refusal::Stopped) => (self.why_stop().unwrap_or(State::Cancelled), None),
            Err(refusal) => (State::Failed, Some(refusal.into())),
        };
        *self.end() = Some(End { state, error, after: self.begin.elapsed() });
    }

    fn is_running(&self) -> bool {
        self.end().is_none()
    }

    fn end(&self) -> MutexGuard<'_, Option<End>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn status(&self, id: u64) -> Status {
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

/// All solves, by number.
#[derive(Default)]
pub(crate) struct Solves {
    jobs: Mutex<Jobs>,
}

#[derive(Default)]
struct Jobs {
    last: u64,
    by_id: BTreeMap<u64, Arc<Job>>,
}

impl Solves {
    /// Begins a solve in a thread of its own, unless too many run already.
    pub(crate) fn begin(&self, task: Task, limits: &Limits) -> Result<Status, Problem> {
        let mut jobs = self.jobs();
        let running = jobs.by_id.values().filter(|job| job.is_running()).count();
        if running >= limits.solves {
            let error = format!("{running} positions are being solved: wait for one of them, or cancel it");
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", error));
        }
        let job = Arc::new(Job::new(&task, limits));
        jobs.last += 1;
        let id = jobs.last;
        jobs.by_id.insert(id, Arc::clone(&job));
        while jobs.by_id.len() > REMEMBERED {
            let Some(oldest) = jobs.by_id.iter().find(|(_, job)| !job.is_running()).map(|(&id, _)| id) else { break };
            jobs.by_id.remove(&oldest);
        }
        drop(jobs);
        let worker = Arc::clone(&job);
        let work = tokio::task::spawn_blocking(move || {
            let result = (task.run)(&worker);
            worker.finish(result);
        });
        let watched = Arc::clone(&job);
        tokio::spawn(async move {
            if work.await.is_err() {
                watched.finish(Err(Refusal::Failed("the program failed; its terminal says where".to_owned())));
            }
        });
        Ok(job.status(id))
    }

    /// How a solve stands.
    pub(crate) fn status(&self, id: u64) -> Option<Status> {
        self.jobs().by_id.get(&id).map(|job| job.status(id))
    }

    /// Asks a solve to stop, and tells how it stands.
    pub(crate) fn cancel(&self, id: u64) -> Option<Status> {
        let job = Arc::clone(self.jobs().by_id.get(&id)?);
        job.is_cancelled.store(true, Ordering::Relaxed);
        Some(job.status(id))
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
