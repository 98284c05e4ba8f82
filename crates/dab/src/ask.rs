//! The one way to an answer: tables that hold the position, else the few scores that a book lacks, else a solve.
//!
//! ```text
//!    question ─► Library ─ no table has it ─► Task: what is lacking, or the whole position ─ within effort and limits ─► Library
//! ```
//! A front end that must say what a solve takes, or let others wait for it, takes these steps one by one.

use std::sync::Arc;

use dab_solve::Observer;
use dab_table::{Answer, Files, Library, Question, Source};
use serde::Serialize;

use crate::lacking::Lacking;
use crate::{Error, ErrorKind, Limits, OnDemandSolve};

/// The effort that may be spent on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Tables alone answer; nothing is solved.
    Tables,
    /// A moment, because other questions are answered at the same time.
    Quick,
    /// As much as a solve on demand takes, with all threads and all memory.
    Any,
}

/// Tables, and solves where they end.
pub struct OnDemand {
    /// The tables.
    pub library: Library,
    /// The limits of a solve.
    pub limits: Limits,
}

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
    /// Bytes of memory; scores beyond them are in temporary files, or coded where there are none.
    pub memory: u64,
}

/// A solve that lets an answer be given.
pub struct Task {
    /// Its cost.
    pub cost: Cost,
    work: Work,
}

enum Work {
    /// Scores that the answer of a book lacks.
    Part(Lacking),
    /// Every position that the position leads to. A search for marks asks many questions, so that scores in files are read through a cache.
    Whole { solve: Box<OnDemandSolve>, marks: bool },
}

impl Task {
    /// The number of scores of a book that it completes; `None` if it solves the position itself.
    pub fn n_lacking(&self) -> Option<usize> {
        match &self.work {
            Work::Part(lacking) => Some(lacking.n_solves()),
            Work::Whole { .. } => None,
        }
    }

    /// Solves it, however long that takes. From then on the book has its answer, or the table that is returned has it.
    ///
    /// # Errors
    /// As [`OnDemandSolve::solve`].
    pub fn run(self, observer: &dyn Observer) -> Result<Option<Arc<Source>>, Error> {
        match self.work {
            Work::Part(lacking) => lacking.solve(observer).map(|()| None),
            Work::Whole { solve, marks } => {
                let table = solve.solve(observer)?;
                let in_files = matches!(table.files(), Files::Temporary(..));
                let searches = marks && !table.rules().marks && in_files;
                Ok(Some(if searches { Source::cached(table, self.cost.memory) } else { Source::new(table) }.into()))
            }
        }
    }
}

impl OnDemand {
    /// The answer for a position in the ordinary game, or for a [`Question`]; `None` if it takes more than the effort. Results of
    /// solves are kept in the library, as far as it has room.
    ///
    /// # Errors
    /// If a table is damaged, or as [`OnDemand::task`] and [`Task::run`].
    pub fn answer<'a>(&self, question: impl Into<Question<'a>>, effort: Effort) -> Result<Option<Answer>, Error> {
        self.ask(question.into(), effort, |_, answer| Ok(Some(answer)), |task| self.run(task, &()))
    }

    /// Runs a task and keeps its result in the library.
    ///
    /// # Errors
    /// As [`Task::run`].
    pub fn run(&self, task: Task, observer: &dyn Observer) -> Result<Option<Arc<Source>>, Error> {
        let bytes = task.cost.memory;
        let solved = task.run(observer)?;
        solved.iter().for_each(|source| self.library.keep(Arc::clone(source), bytes));
        Ok(solved)
    }

    /// What `read` makes of the answer; `None` if it takes more than the effort. `read` may pass on to the next table. `run` runs a
    /// solve where one is needed: [`Task::run`], with an observer.
    ///
    /// # Errors
    /// If a table is damaged, as [`OnDemand::task`], and those of `read` and `run`.
    pub fn ask<T>(
        &self,
        question: Question<'_>,
        effort: Effort,
        read: impl Fn(&Source, Answer) -> Result<Option<T>, Error>,
        run: impl Fn(Task) -> Result<Option<Arc<Source>>, Error>,
    ) -> Result<Option<T>, Error> {
        if let Some(answer) = self.library.ask(question, &read)? {
            return Ok(Some(answer));
        }
        let mut parts = true;
        while let Some(task) = self.planned(question, effort, parts, &())? {
            let is_part = task.n_lacking().is_some();
            let answer = match run(task)? {
                Some(source) => read(&source, source.answer(question.position, question.marks)?)?,
                None => self.library.ask(question, &read)?,
            };
            if answer.is_some() || !is_part {
                return Ok(answer);
            }
            parts = false;
        }
        Ok(None)
    }

    /// The solve that an answer takes which no table has, within the limits; `None` if it takes more than the effort. `observer` may
    /// stop the plan.
    ///
    /// # Errors
    /// If it takes more than the limits, with [`Remedy::Solve`](crate::Remedy::Solve), if there are more units than can be indexed, if planning takes too much,
    /// if a table is damaged, or if `observer` stops it.
    pub fn task(&self, question: Question<'_>, effort: Effort, observer: &dyn Observer) -> Result<Option<Task>, Error> {
        self.planned(question, effort, true, observer)
    }

    /// As [`OnDemand::task`]; `parts` says whether what a book lacks may be solved by itself.
    fn planned(
        &self,
        question: Question<'_>,
        effort: Effort,
        parts: bool,
        observer: &dyn Observer,
    ) -> Result<Option<Task>, Error> {
        if effort == Effort::Tables {
            return Ok(None);
        }
        let (Question { position, penalty, marks }, limits) = (question, self.limits);
        let penalty = penalty.unwrap_or(0);
        let book = self.library.source_for(Question { penalty: Some(penalty), ..question })?;
        // What a book lacks may be little of it.
        if book.is_none() || !parts {
            match OnDemandSolve::check_time(position, limits) {
                Err(error) if effort == Effort::Quick && error.kind() == ErrorKind::Limit => return Ok(None),
                checked => checked?,
            }
        }
        let whole = OnDemandSolve::new(position, penalty, limits, observer)?;
        let has_marks = book.is_some_and(|book| book.table().rules().marks);
        let whole = if marks || has_marks { whole.with_marks() } else { whole };
        // A search for marks takes more scores than an answer.
        let book = book.filter(|_| parts && (has_marks || !marks));
        let lacking = book.map(|book| Lacking::find(book, &whole)).transpose()?.flatten();
        let is_quick = lacking.as_ref().map_or_else(|| whole.is_quick(), Lacking::is_quick);
        if effort == Effort::Quick && !is_quick {
            return Ok(None);
        }
        let (time, positions, memory, work) = match lacking {
            Some(part) => (part.time(), part.positions(), part.memory(), Work::Part(part)),
            None => {
                if effort == Effort::Any {
                    whole.check(1)?;
                }
                let (time, positions) = (whole.time(), whole.plan().positions());
                (time, positions, whole.memory(), Work::Whole { solve: whole.into(), marks })
            }
        };
        let (seconds, memory) = (time.as_secs_f64(), memory.min(limits.memory));
        Ok(Some(Task { cost: Cost { position: position.to_string(), penalty, positions, seconds, memory }, work }))
    }
}
