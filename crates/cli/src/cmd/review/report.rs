//! A reviewed game: margins, costs, turning points and mistakes, as text or JSON.
//!
//! A *margin* is boxes of A less boxes of B when both play their best from there on: those closed so far, those still
//! to come, and the last-move penalty. It changes only where a line is not the best one, by what that line *costs* its
//! player.

use std::fmt::{self, Display};

use dab_board::notation::{Ply, Record, Side};
use dab_board::{LineIdx, Position};
use dab_book::Answer;
use serde::Serialize;

use crate::output::list;

/// Mistakes that the text shows.
const MOST_MISTAKES: usize = 5;

#[derive(Serialize)]
pub(super) struct Report {
    board: String,
    penalty: i32,
    /// The first position with a known score.
    position: String,
    turns: Vec<Turn>,
    turning_points: Vec<TurningPoint>,
    /// Every line that cost something, dearest first.
    mistakes: Vec<Mistake>,
    /// What A and B lost by all of them.
    lost: [i32; 2],
    end: End,
}

/// All lines that a player draws before the other one is to move.
#[derive(Serialize)]
struct Turn {
    /// Turns of the game are counted from 1.
    turn: usize,
    by: String,
    /// Boxes of A and B after it.
    boxes: [u8; 2],
    /// Margin before and after it; null beyond a book.
    before: Option<i32>,
    after: Option<i32>,
    cost: i32,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    line: LineIdx,
    kind: Option<&'static str>,
    cost: Option<i32>,
    /// Every best line in its place.
    best: Vec<LineIdx>,
}

/// A line that changes who wins, or whether anybody does.
#[derive(Serialize)]
struct TurningPoint {
    turn: usize,
    by: String,
    line: LineIdx,
    before: i32,
    after: i32,
    best: Vec<LineIdx>,
}

#[derive(Serialize)]
struct Mistake {
    turn: usize,
    by: String,
    line: LineIdx,
    cost: i32,
    best: Vec<LineIdx>,
}

/// Where the game ends.
#[derive(Serialize)]
struct End {
    position: String,
    boxes: [u8; 2],
    undrawn: usize,
    /// Under best play from there; null beyond a book.
    margin: Option<i32>,
}

/// A line with what is known about it.
struct Judged {
    ply: Ply,
    turn: usize,
    /// Boxes of A and B after it.
    boxes: [u8; 2],
    value: Option<Value>,
}

struct Value {
    before: i32,
    after: i32,
    cost: i32,
    kind: &'static str,
    best: Vec<LineIdx>,
}

impl Report {
    /// The review of `game`; `answers` are those of the positions before each line, at least one of them known.
    pub(super) fn new(game: &Record, answers: &[Option<Answer>], penalty: i32) -> Self {
        let judged = judge(game, answers);
        let first = judged.iter().position(|line| line.value.is_some()).unwrap_or(judged.len());
        let first_turn = judged.get(first).map_or(0, |line| line.turn);
        let turns = judged.chunk_by(|a, b| a.turn == b.turn).skip(first_turn.saturating_sub(1)).map(Turn::new);
        let mut mistakes: Vec<Mistake> = judged.iter().filter_map(Mistake::new).collect();
        // Stable: of equal mistakes the first one leads.
        mistakes.sort_by_key(|mistake| -mistake.cost);
        let lost = |side: Side| {
            let by = |line: &&Judged| line.ply.by == side;
            judged.iter().filter(by).filter_map(|line| line.value.as_ref()).map(|value| value.cost).sum()
        };
        let position = game.moves()[..first].iter().fold(game.start().clone(), |now, &line| now.draw(line).0);
        Self {
            board: position.board().kind().to_string(),
            penalty,
            position: position.to_string(),
            turns: turns.collect(),
            turning_points: judged.iter().filter_map(TurningPoint::new).collect(),
            mistakes,
            lost: [lost(Side::A), lost(Side::B)],
            end: End::new(game.end(), judged.last()),
        }
    }
}

/// Every line of the game with its turn, the boxes after it and, where the scores are known, its value.
fn judge(game: &Record, answers: &[Option<Answer>]) -> Vec<Judged> {
    let mut boxes = [0; 2];
    let mut turn = 0;
    let mut last = None;
    let judge = |(ply, answer): (Ply, &Option<Answer>)| {
        if last.replace(ply.by) != Some(ply.by) {
            turn += 1;
        }
        let lead = i32::from(boxes[0]) - i32::from(boxes[1]);
        boxes[ply.by as usize] += ply.boxes;
        let value = answer.as_ref().and_then(|answer| Value::of(ply, answer, lead));
        Judged { ply, turn, boxes, value }
    };
    game.plies().zip(answers).map(judge).collect()
}

impl Value {
    /// What is known of a line drawn when A led by `lead` boxes.
    fn of(ply: Ply, answer: &Answer, lead: i32) -> Option<Self> {
        let drawn = answer.moves.iter().find(|m| m.line == ply.line)?;
        let sign = match ply.by {
            Side::A => 1,
            Side::B => -1,
        };
        let (best, reached) = (i32::from(answer.score.0), i32::from(drawn.score.0));
        Some(Self {
            before: lead + sign * best,
            after: lead + sign * reached,
            cost: best - reached,
            kind: drawn.kind.name(),
            best: answer.best().collect(),
        })
    }
}

impl Turn {
    fn new(lines: &[Judged]) -> Self {
        let values = || lines.iter().filter_map(|line| line.value.as_ref());
        let last = &lines[lines.len() - 1];
        Self {
            turn: last.turn,
            by: last.ply.by.to_string(),
            boxes: last.boxes,
            before: values().next().map(|value| value.before),
            after: last.value.as_ref().map(|value| value.after),
            cost: values().map(|value| value.cost).sum(),
            lines: lines.iter().map(Line::new).collect(),
        }
    }

    /// The best lines where the turn begins, or is known.
    fn best(&self) -> &[LineIdx] {
        self.lines.iter().find(|line| line.cost.is_some()).map_or(&[], |line| &line.best)
    }
}

impl Line {
    fn new(line: &Judged) -> Self {
        let value = line.value.as_ref();
        Self {
            line: line.ply.line,
            kind: value.map(|value| value.kind),
            cost: value.map(|value| value.cost),
            best: value.map_or_else(Vec::new, |value| value.best.clone()),
        }
    }
}

impl TurningPoint {
    fn new(line: &Judged) -> Option<Self> {
        let value = line.value.as_ref().filter(|value| value.before.signum() != value.after.signum())?;
        Some(Self {
            turn: line.turn,
            by: line.ply.by.to_string(),
            line: line.ply.line,
            before: value.before,
            after: value.after,
            best: value.best.clone(),
        })
    }
}

impl Mistake {
    fn new(line: &Judged) -> Option<Self> {
        let value = line.value.as_ref().filter(|value| value.cost > 0)?;
        Some(Self {
            turn: line.turn,
            by: line.ply.by.to_string(),
            line: line.ply.line,
            cost: value.cost,
            best: value.best.clone(),
        })
    }
}

impl End {
    fn new(position: &Position, last: Option<&Judged>) -> Self {
        Self {
            position: position.to_string(),
            boxes: last.map_or([0; 2], |line| line.boxes),
            undrawn: position.undrawn().len(),
            margin: last.and_then(|line| line.value.as_ref()).map(|value| value.after),
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let penalty = if self.penalty == 0 { String::new() } else { format!(", last-move penalty {}", self.penalty) };
        writeln!(f, "{}{penalty}: reviewed from {} on", self.board, self.position)?;
        writeln!(f, "margins: boxes of A less boxes of B at the end, if both play their best from there on\n")?;
        let drawn: Vec<String> =
            self.turns.iter().map(|turn| list(turn.lines.iter().map(|line| line.line), " ")).collect();
        let width = drawn.iter().map(String::len).max().unwrap_or(0).max("drawn".len());
        writeln!(f, "turn  by  boxes  before  after  cost  {:width$}  best", "drawn")?;
        for (turn, drawn) in self.turns.iter().zip(&drawn) {
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
        for point in &self.turning_points {
            let (before, after) = (result(point.before), result(point.after));
            let TurningPoint { turn, by, line, best, .. } = point;
            writeln!(f, "  turn {turn}: {by} draws {line}, {before} → {after}; best {}", list(best, " "))?;
        }
        if self.turning_points.is_empty() {
            writeln!(f, "  none")?;
        }
        writeln!(f, "costliest mistakes")?;
        for Mistake { turn, by, line, cost, best } in self.mistakes.iter().take(MOST_MISTAKES) {
            writeln!(f, "  turn {turn}: {by} draws {line}, {cost} lost; best {}", list(best, " "))?;
        }
        if self.mistakes.is_empty() {
            writeln!(f, "  none")?;
        }
        let [a, b] = self.lost;
        writeln!(f, "lost in all     A {a}, B {b}")?;
        let End { boxes: [a, b], undrawn, margin, .. } = &self.end;
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
