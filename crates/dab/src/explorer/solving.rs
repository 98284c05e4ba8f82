//! A solve that a question asks for: first its cost, then the work.

use super::fields::Question;
use super::{Explorer, not_solved};
use crate::Effort;
use crate::{Error, ErrorKind, Observer, Remedy, Task};

impl Explorer {
    pub(super) fn task(&self, question: &Question, observer: &dyn Observer) -> Result<Task, Error> {
        let asked = self.asked(question)?;
        // A shell has more memory and time, but an index of no more lines.
        let too_much = |error: Error| match error.kind() {
            ErrorKind::Input => Error::new(ErrorKind::Limit, error.to_string()),
            ErrorKind::Limit => error.with(Remedy::Solve { position: asked.position.to_string() }),
            _ => error,
        };
        let task = self.tables.task(asked.question(), Effort::Any, observer).map_err(too_much)?;
        task.ok_or_else(|| not_solved(&asked.position))
    }
}
