//! The oracle: the server's only source of positions and scores. The program that starts the server implements it.

use std::sync::atomic::AtomicBool;

use crate::job::Job;
use crate::problem::{Json, Refusal};

/// A long computation that reports to its job.
pub(crate) type Work = dyn FnOnce(&Job) -> Result<(), Refusal> + Send;

/// Work that solves a position.
pub struct Task {
    /// The time, memory and disk that the work takes, as JSON.
    pub plan: Json,
    /// Positions to be solved.
    pub positions: u64,
    /// Does the work, and keeps the result where [`Oracle::answer`] finds it.
    pub run: Box<Work>,
}

/// Reads questions and answers them. Every method may be called from any thread and many at a time; none but
/// [`Oracle::plan`] and [`Task::run`] takes long.
pub trait Oracle: Send + Sync + 'static {
    /// The answer to a question, which has a name and fields, a JSON object. A field of an address is always a text.
    ///
    /// # Errors
    /// If there is no such question, or it has no answer.
    fn answer(&self, question: &str, fields: &str) -> Result<Json, Refusal>;

    /// The cost of solving a position, and the work itself. `is_gone` becomes true when nobody waits for it any more.
    ///
    /// # Errors
    /// If the position cannot be read, or it or its plan takes more than is allowed.
    fn plan(&self, fields: &str, is_gone: &AtomicBool) -> Result<Task, Refusal>;
}
