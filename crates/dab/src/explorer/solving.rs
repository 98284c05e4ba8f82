//! A solve that a question asks for: first its cost, then the work.

use std::sync::Arc;

use super::fields::Question;
use super::{Explorer, Refusal};
use crate::batch::Effort;
use crate::text::Asked;
use crate::{Cost, Error, ErrorKind, Observer, OnDemand};

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
    /// A [`Refusal`], if `observer` stops it or temporary files fail.
    pub fn run(self, observer: &dyn Observer) -> Result<(), Refusal> {
        let bytes = self.cost().memory;
        if let Some(source) = self.task.run(observer)? {
            self.tables.library.keep(source, bytes);
        }
        Ok(())
    }
}

impl Explorer {
    pub(super) fn task(&self, question: &Question, observer: &dyn Observer) -> Result<Task, Refusal> {
        let asked = self.asked(question)?;
        let too_much = |error: Error| match error.kind() {
            ErrorKind::Input | ErrorKind::Limit => {
                let Asked { position, .. } = &asked;
                Refusal::TooMuch { position: position.to_string(), verb: "solve", error: error.to_string() }
            }
            _ => Refusal::Other(error),
        };
        let task = self.tables.task(asked.question(), Effort::Any, observer).map_err(too_much)?;
        let task = task.ok_or_else(|| Refusal::NotSolved(asked.position.to_string()))?;
        Ok(Task { task, tables: Arc::clone(&self.tables) })
    }
}
