//! The service: the parts that every request shares.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::{HeaderValue, StatusCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::limits::Limits;
use crate::oracle::{Oracle, Task};
use crate::problem::{Json, Problem, Refusal};
use crate::solves::Solves;

/// A handle to the service; clones share it.
pub(crate) type Service = Arc<Shared>;

/// The parts of a service.
pub(crate) struct Shared {
    pub(crate) oracle: Arc<dyn Oracle>,
    pub(crate) limits: Limits,
    /// The address that the server listens on.
    pub(crate) address: SocketAddr,
    /// The site whose pages may ask, too.
    pub(crate) allowed: Option<HeaderValue>,
    /// A permit for each question that may be answered at a time.
    pub(crate) questions: Arc<Semaphore>,
    /// The permit for the one plan that may be made at a time.
    pub(crate) plans: Arc<Semaphore>,
    pub(crate) solves: Solves,
}

impl Shared {
    /// Asks the oracle in a thread that may block, as soon as a permit is free.
    pub(crate) async fn ask(&self, question: &str, fields: String) -> Result<Json, Problem> {
        let permit = Arc::clone(&self.questions).acquire_owned().await.map_err(|_| Problem::broken())?;
        let question = question.to_owned();
        self.ask_with(permit, move |oracle| oracle.answer(&question, &fields)).await
    }

    /// Has the oracle plan a solve, as soon as no other plan is made. The plan is given up when the client is gone.
    pub(crate) async fn plan(&self, fields: String) -> Result<Task, Problem> {
        let Ok(permit) = timeout(self.limits.patience, Arc::clone(&self.plans).acquire_owned()).await else {
            let error = "another solve is being planned: ask again in a few seconds";
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", error));
        };
        let client = Client::default();
        let is_gone = Arc::clone(&client.is_gone);
        self.ask_with(permit.map_err(|_| Problem::broken())?, move |oracle| oracle.plan(&fields, &is_gone)).await
    }

    /// Asks the oracle in a thread that may block. The permit belongs to that work, which goes on when the client is gone.
    async fn ask_with<T: Send + 'static>(
        &self,
        permit: OwnedSemaphorePermit,
        question: impl FnOnce(&dyn Oracle) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Problem> {
        let oracle = Arc::clone(&self.oracle);
        let answer = spawn_blocking(move || {
            let _permit = permit;
            question(&*oracle)
        });
        answer.await.map_err(|_| Problem::broken())?.map_err(Problem::from)
    }
}

/// A client that waits for an answer. It is dropped with the request, whether that was answered or the connection ended.
#[derive(Default)]
struct Client {
    is_gone: Arc<AtomicBool>,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.is_gone.store(true, Ordering::Relaxed);
    }
}
