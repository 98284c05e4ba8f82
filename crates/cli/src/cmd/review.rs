//! `dab review`: the cost of each turn of a game.

use std::cell::Cell;
use std::fmt::{self, Write};
use std::sync::Arc;

use dab::batch::Effort;
use dab::review::{End, GameAnswers, Mistake, Review, TurningPoint};
use dab::text::{graph_of_file, read};
use dab::{Question, Source};
use dab_board::Position;
use dab_board::notation::Transcript;
use dab_space::Rules;

use super::batch;
use super::on_demand::{Asking, with_remedy};
use crate::failure::{Result, wrong};
use crate::options::Setting;
use crate::output::{json_line, list, plural, with_penalty};
use crate::{args, input};

/// Mistakes that the text shows.
const MOST_MISTAKES: usize = 5;
/// Best lines that the text shows in place of a line.
const MOST_BEST: usize = 6;

pub(crate) fn run(args: &args::Review, setting: &Setting) -> Result<()> {
    let args::FromTables { told, from, batch: lines, penalty, disk } = &args.tables;
    let setting = setting.for_batch(lines).with_disk(*disk);
    let asking = Asking::new(from.as_deref(), *penalty, false, &setting)?;
    let reviewer = Reviewer { asking: &asking, asked: *penalty, setting: &setting };
    if let Some(game) = &args.game {
        let (review, solved) =
            reviewer.review(&input::record(game, told.get())?, |question| reviewer.solve(question))?;
        if let Some(start) = solved {
            setting
                .output
                .note(format!("{start}: solved in memory, {}", plural(start.undrawn().len() as u64, "undrawn line")));
        }
        return setting.output.print(&review, text);
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
        Rules::of_start(game.start(), asked)?;
        let question = Question { position: game.start(), penalty: Some(asked), marks: false };
        let source = match &self.asking.named {
            Some(source) => Some(source),
            None => self.asking.tables.library.source_for(question)?,
        };
        let table = source.map(|source| source.table().as_ref());
        let penalty = table.map_or(asked, |table| table.penalty().into());
        let solve = |position: &Position| solve(Question { position, penalty: Some(penalty), marks: false });
        let found = GameAnswers::new(game, table, self.setting.limits(), solve)?;
        Ok((Review::new(game, &found.answers, penalty), found.solved))
    }
}

/// A table of turns, then turning points, the dearest mistakes and the end.
fn text(review: &Review, f: &mut String) -> fmt::Result {
    let penalty = with_penalty(review.penalty);
    writeln!(f, "{}{penalty}: reviewed from {} on", review.board, review.position)?;
    writeln!(f, "margins: boxes of A less boxes of B at the end, if both play their best from there on\n")?;
    let drawn: Vec<String> =
        review.turns.iter().map(|turn| list(turn.lines.iter().map(|line| &line.name), " ")).collect();
    let width = drawn.iter().map(String::len).max().unwrap_or(0).max("drawn".len());
    writeln!(f, "turn  by  boxes  before  after  cost  {:width$}  best", "drawn")?;
    for (turn, drawn) in review.turns.iter().zip(&drawn) {
        let [a, b] = turn.boxes;
        let boxes = format!("{a}-{b}");
        let (before, after) = (margin(turn.before), margin(turn.after));
        let cost = if turn.cost == 0 { String::new() } else { turn.cost.to_string() };
        let best = some(turn.best_names());
        let row = format!(
            "{:>4}  {:2}  {boxes:>5}  {before:>6}  {after:>5}  {cost:>4}  {drawn:width$}  {best}",
            turn.turn, turn.by
        );
        writeln!(f, "{}", row.trim_end())?;
    }
    writeln!(f, "\nturning points")?;
    for point in &review.turning_points {
        let (before, after) = (result(point.before), result(point.after));
        let TurningPoint { turn, by, name, best_names, .. } = point;
        writeln!(f, "  turn {turn}: {by} draws {name}, {before} → {after}; best {}", some(best_names))?;
    }
    if review.turning_points.is_empty() {
        writeln!(f, "  none")?;
    }
    writeln!(f, "costliest mistakes")?;
    for Mistake { turn, by, name, cost, best_names, .. } in review.mistakes.iter().take(MOST_MISTAKES) {
        writeln!(f, "  turn {turn}: {by} draws {name}, {cost} lost; best {}", some(best_names))?;
    }
    if review.mistakes.is_empty() {
        writeln!(f, "  none")?;
    }
    let [a, b] = review.lost;
    writeln!(f, "lost in all     A {a}, B {b}")?;
    let End { boxes: [a, b], undrawn, margin, .. } = &review.end;
    write!(f, "end             A {a}, B {b}")?;
    match (undrawn, margin) {
        (0, Some(margin)) => write!(f, ": {}", result(*margin)),
        (n, margin) => {
            write!(f, ", {} left", plural(*n as u64, "undrawn line"))?;
            margin.map_or(Ok(()), |margin| write!(f, "; under best play {}", result(margin)))
        }
    }
}

/// The first of some names, and how many others there are.
fn some(names: &[String]) -> String {
    match names.len().checked_sub(MOST_BEST) {
        None | Some(0) => list(names, " "),
        Some(1) => format!("{} and 1 other", list(&names[..MOST_BEST], " ")),
        Some(others) => format!("{} and {others} others", list(&names[..MOST_BEST], " ")),
    }
}

fn margin(margin: Option<i32>) -> String {
    margin.map_or_else(|| "?".to_owned(), |margin| if margin == 0 { "0".to_owned() } else { format!("{margin:+}") })
}

fn result(margin: i32) -> String {
    match margin {
        0 => "draw".to_owned(),
        1.. => format!("A wins by {margin}"),
        _ => format!("B wins by {}", -margin),
    }
}
