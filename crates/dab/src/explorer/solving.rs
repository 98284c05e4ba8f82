//! A solve that a question asks for: first its cost, then the work.

use std::sync::Arc;

use super::fields::Question;
use super::{Explorer, not_solved};
use crate::batch::Effort;
use crate::{Cost, Error, ErrorKind, Observer, OnDemand, Remedy};

/// A solve that is planned.
pub struct Task {
    task: crate::Task,
    tables: Arc<OnDemand>,
}

impl Task {
    /// Its cost.
    pub fn cost(&self) -> &Cost {
        self.task.cost()
    }

    /// Solves it. From then on the explorer answers.
    ///
    /// # Errors
    /// If `observer` stops it or temporary files fail.
    pub fn run(self, observer: &dyn Observer) -> Result<(), Error> {
        let bytes = self.cost().memory;
        if let Some(source) = self.task.run(observer)? {
            self.tables.library.keep(source, bytes);
        }
        Ok(())
    }
}

impl Explorer {
    pub(super) fn task(&self, question: &Question, observer: &dyn Observer) -> Result<Task, Error> {
        let asked = self.asked(question)?;
        let too_much = |error: Error| match error.kind() {
            ErrorKind::Input | ErrorKind::Limit => error.with(Remedy::Solve { position: asked.position.to_string() }),
            _ => error,
        };
        let task = self.tables.task(asked.question(), Effort::Any, observer).map_err(too_much)?;
        let task = task.ok_or_else(|| not_solved(&asked.position))?;
        Ok(Task { task, tables: Arc::clone(&self.tables) })
    }
}
