//! Answers for verbs: from the run or book of `--from` or from the shipped books, and by solves with a progress bar where
//! these end.

use std::path::Path;
use std::sync::Arc;

use dab::{Answer, Effort, Error, Library, OnDemand, Question, Remedy, Source, Task};

use crate::failure::{Result, wrong};
use crate::options::Setting;
use crate::output::Count;
use crate::progress::Progress;

/// The tables that a verb asks, and solves.
pub(crate) struct Asking<'a> {
    pub(crate) tables: OnDemand,
    /// The run or book of `--from`, where all answers have to come from.
    pub(crate) named: Option<Arc<Source>>,
    setting: &'a Setting,
}

impl<'a> Asking<'a> {
    /// Asks the run or book `from`, which must have the penalty that was asked for if one was, else the shipped books. Many questions
    /// pay for a slab cache, and so does a search for marks; a few do not.
    pub(crate) fn new(
        from: Option<&Path>,
        penalty: Option<i32>,
        (is_many, marks): (bool, bool),
        setting: &'a Setting,
    ) -> Result<Self> {
        let Some(from) = from else {
            return Ok(Self::with_library(Library::shipped_books(setting.book_limits())?, setting));
        };
        let table = setting.table(from, penalty)?;
        // The index, the threads and the answers have the other half.
        let searches = marks && !table.rules().marks;
        if searches {
            setting.output.note(format!("{} has no marks: they are searched for", table.files().name()));
        }
        let source = if is_many || searches { Source::cached(table, setting.memory / 2) } else { Source::new(table) };
        let (source, mut asking) = (Arc::new(source), Self::without_tables(setting));
        asking.tables.library.add(Arc::clone(&source));
        Ok(Self { named: Some(source), ..asking })
    }

    /// Solves everything.
    pub(crate) fn without_tables(setting: &'a Setting) -> Self {
        Self::with_library(Library::new(setting.limits()), setting)
    }

    fn with_library(library: Library, setting: &'a Setting) -> Self {
        Self { tables: OnDemand { library, limits: setting.limits() }, named: None, setting }
    }

    /// What `read` makes of an answer; `None` if it takes more than the effort. `remedy` tells what else can be done if it takes more
    /// than is allowed.
    pub(crate) fn ask<T>(
        &self,
        question: Question<'_>,
        effort: Effort,
        remedy: &dyn Fn() -> String,
        read: impl Fn(&Source, Answer) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        if let Some(source) = &self.named {
            source.table().require_arising(question.position)?;
        }
        self.tables.ask(question, effort, read, |task| self.run(task)).map_err(|error| with_remedy(error, remedy))
    }

    /// The answer to a question, whatever it takes within the limits.
    pub(crate) fn answer(&self, question: Question<'_>, remedy: &dyn Fn() -> String) -> Result<Answer> {
        let answer = self.ask(question, Effort::Any, remedy, |_, answer| Ok(Some(answer)))?;
        answer.ok_or_else(|| wrong(format!("{} has no answer", question.position)))
    }

    /// Runs a solve with a progress bar.
    pub(crate) fn run(&self, task: Task) -> Result<Option<Arc<Source>>> {
        let (n_lacking, cost) = (task.n_lacking(), task.cost.clone());
        let solved = task.run(&Progress::new(cost.positions)?)?;
        if let Some(n) = n_lacking {
            let scores = if n == 1 { "1 score".to_owned() } else { format!("{n} scores") };
            let (position, positions) = (cost.position, Count(cost.positions));
            self.setting.output.note(format!("{position}: {scores} below the book, solved with {positions} positions"));
        }
        Ok(solved)
    }
}

/// The error with a remedy, if it says that a solve takes more than is allowed.
pub(crate) fn with_remedy(error: Error, remedy: &dyn Fn() -> String) -> Error {
    match error.remedy() {
        Some(Remedy::Solve { .. }) => error.with(Remedy::Words(remedy())),
        _ => error,
    }
}
