//! `dab review`: the cost of each turn of a game.

use std::cell::Cell;
use std::sync::Arc;

use dab::text::{graph_of_file, read};
use dab::{Effort, Question, Review, Source};
use dab_board::Position;
use dab_board::notation::Transcript;
use dab_space::Rules;

use super::batch;
use super::on_demand::{Asking, with_remedy};
use crate::failure::{Result, wrong};
use crate::options::Setting;
use crate::output::{json_line, plural};
use crate::{args, input};

pub(crate) fn run(args: &args::Review, setting: &Setting) -> Result<()> {
    let args::FromTables { told, from, batch: lines, penalty, disk } = &args.tables;
    let setting = setting.for_batch(lines).with_disk(*disk);
    let asking = Asking::new(from.as_deref(), *penalty, (false, false), &setting)?;
    let reviewer = Reviewer { asking: &asking, asked: *penalty, setting: &setting };
    if let Some(game) = &args.game {
        let (review, solved) =
            reviewer.review(&input::record(game, told.get())?, |question| reviewer.solve(question))?;
        if let Some(start) = solved {
            setting
                .output
                .note(format!("{start}: solved in memory, {}", plural(start.undrawn().len() as u64, "undrawn line")));
        }
        return setting.output.print(&review);
    }
    batch::run(lines, |line, effort, out| {
        let game = read(line, None, told.get(), graph_of_file)?.record;
        // Solves use all threads, so they are not made side by side.
        let too_much = Cell::new(false);
        let solve = |question: Question<'_>| match effort {
            Effort::Any => reviewer.solve(question),
            Effort::Quick | Effort::Tables => {
                too_much.set(true);
                Err(wrong(format!("{} is solved later", question.position)))
            }
        };
        match reviewer.review(&game, solve) {
            Err(_) if too_much.get() => return Ok(false),
            reviewed => json_line(&reviewed?.0, out)?,
        }
        Ok(true)
    })
}

/// Reviews games with the scores of a run or of a shipped book, if there is one.
struct Reviewer<'a> {
    asking: &'a Asking<'a>,
    /// The penalty that was asked for.
    asked: Option<i32>,
    setting: &'a Setting,
}

impl Reviewer<'_> {
    /// Solves every position that a position of a game leads to.
    fn solve(&self, question: Question<'_>) -> Result<Arc<Source>> {
        let alone = Asking::without_tables(self.setting);
        let remedy = || "allow more with --memory".to_owned();
        let task = alone.tables.task(question, Effort::Any, &());
        let task = task.map_err(|error| with_remedy(error, &remedy))?;
        let solved = task.map(|task| alone.run(task)).transpose()?.flatten();
        solved.ok_or_else(|| wrong(format!("{} has no answer", question.position)))
    }

    /// The review of a game, and the position that `solve` solved for it, if it was asked to.
    fn review(
        &self,
        game: &Transcript,
        solve: impl FnOnce(Question<'_>) -> Result<Arc<Source>>,
    ) -> Result<(Review, Option<Position>)> {
        let asked = self.asked.unwrap_or(0);
        Rules::for_start(game.start(), asked)?;
        let question = Question { position: game.start(), penalty: Some(asked), marks: false };
        let source = match &self.asking.named {
            Some(source) => Some(source),
            None => self.asking.tables.library.source_for(question)?,
        };
        let table = source.map(|source| source.table().as_ref());
        Review::ask(game, table, asked, self.setting.limits(), solve)
    }
}
