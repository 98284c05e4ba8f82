//! `dab review`: the cost of each turn of a game.

use std::fmt::{self, Write};
use std::path::Path;

use dab::Tablebase;
use dab::review::{End, GameAnswers, Mistake, Review, TurningPoint};
use dab_board::notation::Transcript;
use dab_space::Rules;

use super::on_demand;
use crate::failure::Usage;
use crate::options::Setting;
use crate::output::{list, with_penalty};

/// Mistakes that the text shows.
const MOST_MISTAKES: usize = 5;

pub(crate) fn run(
    game: &Transcript,
    from: Option<&Path>,
    penalty: Option<i32>,
    setting: &Setting,
) -> anyhow::Result<()> {
    Rules::of_start(game.start(), penalty.unwrap_or(0))?;
    if game.moves().is_empty() {
        let position = game.end();
        return Err(Usage(format!("{position} is a position, no game: ask 'dab query {position}' about it")).into());
    }
    let run = from.map(Tablebase::open).transpose()?;
    if let Some(run) = &run {
        run.require_finished()?;
        run.require_penalty(penalty)?;
    }
    let penalty = run.as_ref().map_or(penalty.unwrap_or(0), |run| run.penalty().into());
    let solve = |position: &_| on_demand::solve(position, penalty, setting, "allow more with --memory");
    let found = GameAnswers::new(game, run.as_ref(), setting.limits(), solve)?;
    if let Some(start) = &found.solved {
        setting.output.note(format!("{start}: solved in memory, {} undrawn lines", start.undrawn().len()));
    }
    if found.is_empty() {
        return Err(nothing_known(game, run.as_ref()).into());
    }
    setting.output.print(&Review::new(game, &found.answers, penalty), text)
}

fn nothing_known(game: &Transcript, run: Option<&Tablebase>) -> Usage {
    let end = game.end();
    Usage(match run {
        Some(run) => format!(
            "no position of the game arises from {}, the start of {}: ask a run of {}, or leave out --from",
            run.start(),
            run.files().name(),
            game.start(),
        ),
        None => format!(
            "the game ends in {end} with {} undrawn lines, too many to be solved in passing: solve a position of it \
             ('dab plan POSITION' says what that takes) and ask with --from DIR",
            end.undrawn().len(),
        ),
    })
}

/// A table of turns, then turning points, the dearest mistakes and the end.
fn text(review: &Review, f: &mut String) -> fmt::Result {
    let penalty = with_penalty(review.penalty);
    writeln!(f, "{}{penalty}: reviewed from {} on", review.board, review.position)?;
    writeln!(f, "margins: boxes of A less boxes of B at the end, if both play their best from there on\n")?;
    let drawn: Vec<String> =
        review.turns.iter().map(|turn| list(turn.lines.iter().map(|line| line.line), " ")).collect();
    let width = drawn.iter().map(String::len).max().unwrap_or(0).max("drawn".len());
    writeln!(f, "turn  by  boxes  before  after  cost  {:width$}  best", "drawn")?;
    for (turn, drawn) in review.turns.iter().zip(&drawn) {
        let [a, b] = turn.boxes;
        let boxes = format!("{a}-{b}");
        let (before, after) = (margin(turn.before), margin(turn.after));
        let cost = if turn.cost == 0 { String::new() } else { turn.cost.to_string() };
        let best = list(turn.best(), " ");
        let row = format!(
            "{:>4}  {:2}  {boxes:>5}  {before:>6}  {after:>5}  {cost:>4}  {drawn:width$}  {best}",
            turn.turn, turn.by
        );
        writeln!(f, "{}", row.trim_end())?;
    }
    writeln!(f, "\nturning points")?;
    for point in &review.turning_points {
        let (before, after) = (result(point.before), result(point.after));
        let TurningPoint { turn, by, line, best, .. } = point;
        writeln!(f, "  turn {turn}: {by} draws {line}, {before} → {after}; best {}", list(best, " "))?;
    }
    if review.turning_points.is_empty() {
        writeln!(f, "  none")?;
    }
    writeln!(f, "costliest mistakes")?;
    for Mistake { turn, by, line, cost, best } in review.mistakes.iter().take(MOST_MISTAKES) {
        writeln!(f, "  turn {turn}: {by} draws {line}, {cost} lost; best {}", list(best, " "))?;
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
        (_, Some(margin)) => write!(f, ", {undrawn} lines undrawn; under best play {}", result(*margin)),
        (_, None) => write!(f, ", {undrawn} lines undrawn"),
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
