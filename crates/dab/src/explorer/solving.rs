//! A solve that a question asks for: first its cost, then the work.

use std::sync::Arc;

use serde::Serialize;

use super::fields::Question;
use super::{Explorer, Refusal};
use crate::text::Asked;
use crate::{Error, Lacking, Observer, OnDemandSolve, SolvedTables};

/// The estimated cost of a solve.
#[derive(Clone, Debug, Serialize)]
pub struct Cost {
    /// The position.
    pub position: String,
    /// The last-move penalty, in boxes.
    pub penalty: i32,
    /// Positions to be solved.
    pub positions: u128,
    /// Time on this machine.
    pub seconds: f64,
    /// Bytes of memory; scores beyond them are in temporary files.
    pub memory: u64,
}

/// A solve that is planned.
pub struct Task {
    cost: Cost,
    work: Work,
}

enum Work {
    /// Scores that the answer of a book lacks.
    Part(Lacking),
    /// Every position that the position leads to; the table is kept with the others.
    Whole(Box<OnDemandSolve>, Arc<SolvedTables>),
}

impl Task {
    /// Its cost.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// Solves it. From then on the explorer answers.
    ///
    /// # Errors
    /// A [`Refusal`], if `observer` stops it or temporary files fail.
    pub fn run(self, observer: &dyn Observer) -> Result<(), Refusal> {
        match self.work {
            Work::Part(lacking) => lacking.solve(observer)?,
            Work::Whole(solve, solved) => solved.keep(solve.solve(observer)?, self.cost.memory),
        }
        Ok(())
    }
}

impl Explorer {
    pub(super) fn task(&self, question: &Question, observer: &dyn Observer) -> Result<Task, Refusal> {
        let Asked { position, penalty } = self.asked(question)?;
        let (penalty, limits) = (penalty.unwrap_or(0), self.limits);
        let too_much = |error: Error| match error {
            Error::Interrupted => Refusal::Other(error),
            error => Refusal::TooMuch { position: position.to_string(), verb: "solve", error: error.to_string() },
        };
        let whole = OnDemandSolve::new(&position, penalty, limits, observer).map_err(too_much)?;
        let (time, positions, memory, work) = match self.library.lacking(&whole)? {
            Some(lacking) => (lacking.time(), lacking.positions(), lacking.memory(), Work::Part(lacking)),
            None => {
                whole.check(1).map_err(too_much)?;
                let (plan, memory) = (whole.plan(), whole.memory());
                let (time, positions) = (plan.time(limits.threads), plan.positions());
                (time, positions, memory, Work::Whole(Box::new(whole), Arc::clone(self.library.solved())))
            }
        };
        let (seconds, memory) = (time.as_secs_f64(), memory.min(limits.memory));
        Ok(Task { cost: Cost { position: position.to_string(), penalty, positions, seconds, memory }, work })
    }
}
