//! A reviewed game as text: a table of turns, then turning points, the dearest mistakes and the end.

use std::fmt::{self, Display};

use dab::review::{End, Mistake, Review, TurningPoint};
use serde::Serialize;

use crate::output::list;

/// Mistakes that the text shows.
const MOST_MISTAKES: usize = 5;

#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Report(pub(super) Review);

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(review) = self;
        let penalty =
            if review.penalty == 0 { String::new() } else { format!(", last-move penalty {}", review.penalty) };
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
