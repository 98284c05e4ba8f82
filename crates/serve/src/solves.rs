//! All solves on demand. Each one is a [`Job`] with a number and a thread of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;

use crate::job::{Job, Status};
use crate::limits::Limits;
use crate::oracle::Task;
use crate::problem::{Problem, Refusal};

/// Finished solves whose end is remembered.
const REMEMBERED: usize = 64;

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
        let job = Arc::new(Job::new(task.positions, task.plan.clone(), limits));
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
                let error = "the program failed; its terminal says where".to_owned();
                watched.finish(Err(Refusal { code: "failed", error }));
            }
        });
        Ok(job.status(id))
    }

    /// The progress of a solve.
    pub(crate) fn status(&self, id: u64) -> Option<Status> {
        self.jobs().by_id.get(&id).map(|job| job.status(id))
    }

    /// Asks a solve to stop, and reports its progress.
    pub(crate) fn cancel(&self, id: u64) -> Option<Status> {
        let job = Arc::clone(self.jobs().by_id.get(&id)?);
        job.cancel();
        Some(job.status(id))
    }

    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
