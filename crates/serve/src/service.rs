//! The service: the parts that every request shares.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::limits::Limits;
use crate::oracle::Oracle;
use crate::problem::{Problem, Refusal};
use crate::solves::Solves;

/// A handle to the service; clones share it.
pub(crate) type Service = Arc<Shared>;

/// The parts of a service.
pub(crate) struct Shared {
    pub(crate) oracle: Arc<dyn Oracle>,
    pub(crate) limits: Limits,
    /// The address that the server listens on.
    pub(crate) address: SocketAddr,
    /// A permit for each question that may be answered at a time.
    pub(crate) questions: Semaphore,
    pub(crate) solves: Solves,
}

impl Shared {
    /// Asks the oracle in a thread that may block, as soon as a permit is free.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Oracle) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Problem> {
        let _permit = self.questions.acquire().await.map_err(|_| Problem::broken())?;
        let oracle = Arc::clone(&self.oracle);
        let answer = spawn_blocking(move || question(&*oracle)).await;
        answer.map_err(|_| Problem::broken())?.map_err(Problem::from)
    }
}
