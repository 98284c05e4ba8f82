//! The service: the parts that every request shares.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::limits::Limits;
use crate::oracle::Oracle;
use crate::problem::Problem;
use crate::reply::Refusal;
use crate::solves::Solves;

/// A handle to the service; clones share it.
#[derive(Clone)]
pub(crate) struct Service(Arc<Shared>);

/// The parts of a service.
pub(crate) struct Shared {
    oracle: Arc<dyn Oracle>,
    pub(crate) limits: Limits,
    /// The address that the server listens on.
    pub(crate) address: SocketAddr,
    /// A permit for each question that may be answered at a time.
    questions: Semaphore,
    pub(crate) solves: Solves,
}

impl Deref for Service {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Service {
    pub(crate) fn new(oracle: Arc<dyn Oracle>, limits: Limits, address: SocketAddr) -> Self {
        let questions = Semaphore::new(limits.questions);
        Self(Arc::new(Shared { oracle, limits, address, questions, solves: Solves::default() }))
    }

    /// Asks the oracle in a thread that may block, as soon as a permit is free.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Oracle) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Problem> {
        let _permit = self.questions.acquire().await.map_err(|_| Problem::broken())?;
        let service = self.clone();
        let answer = spawn_blocking(move || question(&*service.oracle)).await;
        answer.map_err(|_| Problem::broken())?.map_err(Problem::from)
    }
}
