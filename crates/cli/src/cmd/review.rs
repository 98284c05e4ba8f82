//! `dab review`: the cost of each turn of a game.

use std::cell::Cell;
use std::fmt::{self, Write};

use anyhow::bail;
use dab::batch::Effort;
use dab::review::{End, GameAnswers, Mistake, Review, TurningPoint};
use dab::text::{graph_of_file, read};
use dab::{Library, Tablebase};
use dab_board::Position;
use dab_board::notation::Transcript;
use dab_space::Rules;

use super::{batch, on_demand};
use crate::options::Setting;
use crate::output::{json_line, list, plural, with_penalty};
use crate::{args, input};

/// Mistakes that the text shows.
const MOST_MISTAKES: usize = 5;
/// Best lines that the text shows in place of a line.
const MOST_BEST: usize = 6;

pub(crate) fn run(args: &args::Review, setting: &Setting) -> anyhow::Result<()> {
    let args::FromTables { told, from, batch: lines, penalty, disk } = &args.tables;
    let setting = setting.for_batch(lines).with_disk(*disk);
    let run = from.as_deref().map(|from| setting.table(from, *penalty)).transpose()?;
    let shipped = if run.is_none() { Some(Library::of_shipped_books(setting.book_limits())?) } else { None };
    let reviewer = Reviewer { run: run.as_ref(), shipped, asked: *penalty, setting: &setting };
    if let Some(game) = &args.game {
        let (review, solved) = reviewer.review(&input::record(game, told.get())?, on_demand_solve(&setting))?;
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
        let solve = |position: &Position, penalty: i32| match effort {
            Effort::Any => on_demand_solve(&setting)(position, penalty),
            Effort::Quick => {
                too_much.set(true);
                bail!("{position} is solved later")
            }
        };
        match reviewer.review(&game, solve) {
            Err(_) if too_much.get() => return Ok(false),
            reviewed => json_line(&reviewed?.0, out)?,
        }
        Ok(true)
    })
}

fn on_demand_solve(setting: &Setting) -> impl Fn(&Position, i32) -> anyhow::Result<Tablebase> {
    |position, penalty| on_demand::solve(position, penalty, setting, "allow more with --memory")
}

/// Reviews games with the scores of a run or of a shipped book, if there is one.
struct Reviewer<'a> {
    run: Option<&'a Tablebase>,
    /// The books that are asked without a run.
    shipped: Option<Library>,
    /// The penalty that was asked for.
    asked: Option<i32>,
    setting: &'a Setting,
}

impl Reviewer<'_> {
    /// The review of a game, and the position that `solve` solved for it, if it was asked to.
    fn review(
        &self,
        game: &Transcript,
        solve: impl FnOnce(&Position, i32) -> anyhow::Result<Tablebase>,
    ) -> anyhow::Result<(Review, Option<Position>)> {
        let &Self { run, ref shipped, asked, setting } = self;
        Rules::of_start(game.start(), asked.unwrap_or(0))?;
        let run = match shipped {
            Some(books) => {
                books.table_for(game.start(), Some(asked.unwrap_or(0)))?.map(|source| source.table().as_ref())
            }
            None => run,
        };
        let penalty = run.map_or(asked.unwrap_or(0), |run| run.penalty().into());
        let found = GameAnswers::new(game, run, setting.limits(), |position| solve(position, penalty))?;
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
