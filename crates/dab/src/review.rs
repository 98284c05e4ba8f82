//! Games reviewed: the margin before and after each line, and the cost of each turn.
//!
//! A *margin* is boxes of A less boxes of B when both play their best from there on: those closed so far, those still
//! to come, and the last-move penalty. It changes only where a line is not the best one, by what that line *costs* its
//! player.
//! ```text
//!    game ─ position before each line ─► answers ─► Review
//! ```
//! Some answers may be missing: a book ends, and the first positions of a game may be too large to solve.
#![allow(missing_docs, reason = "a field without words is as its name says")]

use std::fmt::{self, Display};
use std::sync::Arc;

use dab_board::notation::{Ply, Side, Transcript};
use dab_board::{Board, LineIdx, Position};
use dab_table::{Answer, MoveKind};
use serde::Serialize;

use crate::figures::plural;
use crate::text::{as_text, list, names, with_penalty};
use crate::{Error, Limits, OnDemandSolve, Question, Remedy, Source, Tablebase};

/// Mistakes that the text shows.
const MOST_MISTAKES: usize = 5;
/// Best lines that the text shows in place of a line.
const MOST_BEST: usize = 6;

/// The review of a game from its first position with a known score on.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    /// The board's kind and size.
    board: String,
    /// Last-move penalty, which is part of every margin.
    penalty: i32,
    /// The first position with a known score.
    #[serde(serialize_with = "as_text")]
    position: Position,
    /// The turns in order, from the one in which `position` stands on.
    turns: Vec<Turn>,
    /// The lines that change the winner, in order.
    turning_points: Vec<TurningPoint>,
    /// Every line that costs something, dearest first; of equal ones the earlier first.
    mistakes: Vec<Mistake>,
    /// The sum of costs of A and of B.
    lost: [i32; 2],
    end: End,
}

impl Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let penalty = with_penalty(self.penalty);
        writeln!(f, "{}{penalty}: reviewed from {} on", self.board, self.position)?;
        writeln!(f, "margins: boxes of A less boxes of B at the end, if both play their best from there on\n")?;
        let drawn: Vec<String> =
            self.turns.iter().map(|turn| list(turn.lines.iter().map(|line| &line.name), " ")).collect();
        let width = drawn.iter().map(String::len).max().unwrap_or(0).max("drawn".len());
        writeln!(f, "turn  by  boxes  before  after  cost  {:width$}  best", "drawn")?;
        for (turn, drawn) in self.turns.iter().zip(&drawn) {
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
        for point in &self.turning_points {
            let (before, after) = (result(point.before), result(point.after));
            let TurningPoint { turn, by, name, best_names, .. } = point;
            writeln!(f, "  turn {turn}: {by} draws {name}, {before} → {after}; best {}", some(best_names))?;
        }
        if self.turning_points.is_empty() {
            writeln!(f, "  none")?;
        }
        writeln!(f, "costliest mistakes")?;
        for Mistake { turn, by, name, cost, best_names, .. } in self.mistakes.iter().take(MOST_MISTAKES) {
            writeln!(f, "  turn {turn}: {by} draws {name}, {cost} lost; best {}", some(best_names))?;
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
            (n, margin) => {
                write!(f, ", {} left", plural(*n as u64, "undrawn line"))?;
                margin.map_or(Ok(()), |margin| write!(f, "; under best play {}", result(margin)))
            }
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

/// All lines that a player draws before the other one is to move.
#[derive(Clone, Debug, Serialize)]
struct Turn {
    /// Number of the turn in the game, from 1.
    turn: usize,
    #[serde(serialize_with = "as_text")]
    by: Side,
    /// Boxes of A and B after it.
    boxes: [u8; 2],
    /// Margin before its first line with a known score; `None` if it has none.
    before: Option<i32>,
    /// Margin after it; `None` if the score of its last line is not known.
    after: Option<i32>,
    /// The sum of costs of its lines, at least 0.
    cost: i32,
    /// Its lines in order, at least one.
    lines: Vec<Line>,
}

/// One line of a game.
#[derive(Clone, Debug, Serialize)]
struct Line {
    line: LineIdx,
    name: String,
    /// Its kind; `None` if the scores are not known.
    kind: Option<MoveKind>,
    /// Boxes that it loses against a best line, at least 0; `None` if the scores are not known.
    cost: Option<i32>,
    /// Every best line in its place; none if the scores are not known.
    best: Vec<LineIdx>,
    best_names: Vec<String>,
}

/// A line that changes who wins, or whether anybody does.
#[derive(Clone, Debug, Serialize)]
struct TurningPoint {
    turn: usize,
    #[serde(serialize_with = "as_text")]
    by: Side,
    line: LineIdx,
    name: String,
    before: i32,
    /// Margin after it, of another sign.
    after: i32,
    best: Vec<LineIdx>,
    best_names: Vec<String>,
}

/// A line that is not a best one.
#[derive(Clone, Debug, Serialize)]
struct Mistake {
    turn: usize,
    #[serde(serialize_with = "as_text")]
    by: Side,
    line: LineIdx,
    name: String,
    /// Boxes that it loses against a best line, above 0.
    cost: i32,
    best: Vec<LineIdx>,
    best_names: Vec<String>,
}

/// The end of a reviewed game, which may be before the last line.
#[derive(Clone, Debug, Serialize)]
struct End {
    #[serde(serialize_with = "as_text")]
    position: Position,
    /// Boxes of A and of B in it.
    boxes: [u8; 2],
    undrawn: usize,
    /// Margin under best play from there; `None` beyond a book.
    margin: Option<i32>,
}

fn nothing_known(game: &Transcript, table: Option<&Tablebase>) -> Error {
    match table {
        Some(table) => {
            let (name, start) = (table.files().name(), table.start());
            Error::input(format!("no position of the game arises from {start}, the start of {name}"))
                .with(Remedy::RunOf { board: game.start().to_string() })
        }
        None => {
            let (end, undrawn) = (game.end(), game.end().undrawn().len());
            Error::input(format!(
                "the game ends in {end} with {undrawn} undrawn lines, too many to be solved in passing"
            ))
            .with(Remedy::SolvePosition)
        }
    }
}

/// The position before each line of a game.
pub(crate) fn positions(game: &Transcript) -> Vec<Position> {
    let mut position = game.start().clone();
    let before = |&line| {
        let after = position.draw(line).0;
        std::mem::replace(&mut position, after)
    };
    game.moves().iter().map(before).collect()
}

/// The answers of a table, up to the first position that is below its last layer.
fn ask(table: &Tablebase, game: &Transcript, positions: &[Position]) -> Result<Vec<Option<Answer>>, Error> {
    table.require_finished()?;
    if table.board() != game.start().board() {
        let (name, start, board) = (table.files().name(), table.start(), game.start().board().kind().to_string());
        return Err(Error::input(format!("the game is on board {board}, but {name} holds positions of {start}"))
            .with(Remedy::RunOf { board }));
    }
    let mut answers = Vec::with_capacity(positions.len());
    for position in positions {
        answers.push(match table.answer(position) {
            // Lines of its start are not drawn yet.
            Err(error) if error.is_not_held() => None,
            Err(error) if error.is_beyond() => break,
            answer => Some(answer?),
        });
    }
    Ok(answers)
}

/// The earliest of the positions from `n_asked` on that is solved quickly, as are all later ones; their number if there
/// is none.
fn first_quick(positions: &[Position], n_asked: usize, limits: Limits) -> usize {
    // From the end: planning takes longer towards the beginning, too.
    let is_quick =
        |position: &&Position| OnDemandSolve::new(position, 0, limits, &()).is_ok_and(|solve| solve.is_quick());
    positions.len() - positions[n_asked..].iter().rev().take_while(is_quick).count()
}

impl Review {
    /// Reviews `game`. A finished `table` of its board is asked first, up to the first position below its last layer. Of the
    /// rest the earliest position that is solved quickly is solved by `solve`, and all later ones are looked up in the same
    /// table. Also returns the position that was solved, if one was.
    ///
    /// # Errors
    /// If the game has no line, `table` is unfinished, damaged or of another board, `solve` fails, or no score is known.
    pub fn ask(
        game: &Transcript,
        table: Option<&Tablebase>,
        penalty: i32,
        limits: Limits,
        solve: impl FnOnce(Question<'_>) -> Result<Arc<Source>, Error>,
    ) -> Result<(Self, Option<Position>), Error> {
        let positions = positions(game);
        if positions.is_empty() {
            return Err(Error::no_game(game.end()));
        }
        let mut answers = table.map_or(Ok(Vec::new()), |table| ask(table, game, &positions))?;
        let penalty = table.map_or(penalty, |table| table.penalty().into());
        let first = first_quick(&positions, answers.len(), limits);
        answers.resize(first, None);
        let question = |position| Question { position, penalty: Some(penalty), marks: false };
        let solved = positions.get(first).map(question).map(solve).transpose()?;
        if let Some(solved) = &solved {
            for position in &positions[first..] {
                answers.push(Some(solved.answer(position, false)?));
            }
        }
        if answers.iter().all(Option::is_none) {
            return Err(nothing_known(game, table));
        }
        Ok((Self::new(game, &answers, penalty), solved.map(|solved| solved.table().start().clone())))
    }

    /// Reviews `game`; `answers` are those for the positions before each line, with the last-move penalty `penalty`.
    pub fn new(game: &Transcript, answers: &[Option<Answer>], penalty: i32) -> Self {
        let judged = judge(game, answers);
        let first = judged.iter().position(|line| line.value.is_some()).unwrap_or(judged.len());
        let first_turn = judged.get(first).map_or(0, |line| line.turn);
        let turns = judged.chunk_by(|a, b| a.turn == b.turn).skip(first_turn.saturating_sub(1)).map(Turn::new);
        let known = judged.iter().filter_map(|drawn| Some((drawn, drawn.value.as_ref()?)));
        let mistake = |(drawn, value): (&Judged, &Value)| Mistake {
            turn: drawn.turn,
            by: drawn.ply.by,
            line: drawn.ply.line,
            name: drawn.name.clone(),
            cost: value.cost,
            best: value.best.clone(),
            best_names: value.best_names.clone(),
        };
        let mut mistakes: Vec<Mistake> = known.clone().filter(|(_, value)| value.cost > 0).map(mistake).collect();
        // The sort is stable: of equal mistakes the first one leads.
        mistakes.sort_by_key(|mistake| -mistake.cost);
        let turning_point = |(drawn, value): (&Judged, &Value)| TurningPoint {
            turn: drawn.turn,
            by: drawn.ply.by,
            line: drawn.ply.line,
            name: drawn.name.clone(),
            before: value.before,
            after: value.after,
            best: value.best.clone(),
            best_names: value.best_names.clone(),
        };
        let turning_points = known.filter(|(_, value)| value.before.signum() != value.after.signum());
        let lost = |side: Side| mistakes.iter().filter(|mistake| mistake.by == side).map(|mistake| mistake.cost).sum();
        let position = game.moves()[..first].iter().fold(game.start().clone(), |now, &line| now.draw(line).0);
        let last = judged.last();
        Self {
            board: position.board().kind().to_string(),
            penalty,
            position,
            turns: turns.collect(),
            turning_points: turning_points.map(turning_point).collect(),
            lost: [lost(Side::A), lost(Side::B)],
            mistakes,
            end: End {
                position: game.end().clone(),
                boxes: last.map_or([0; 2], |drawn| drawn.boxes),
                undrawn: game.end().undrawn().len(),
                margin: last.and_then(|drawn| drawn.value.as_ref()).map(|value| value.after),
            },
        }
    }
}

/// A line with the facts known about it.
struct Judged {
    ply: Ply,
    /// The name of its line.
    name: String,
    turn: usize,
    /// Boxes of A and B after it.
    boxes: [u8; 2],
    value: Option<Value>,
}

struct Value {
    before: i32,
    after: i32,
    cost: i32,
    kind: MoveKind,
    best: Vec<LineIdx>,
    best_names: Vec<String>,
}

/// Every line of the game with its turn, the boxes after it and, where the scores are known, its value.
fn judge(game: &Transcript, answers: &[Option<Answer>]) -> Vec<Judged> {
    let mut boxes = [0; 2];
    let mut turn = 0;
    let mut last = None;
    let board = game.start().board();
    let judge = |(ply, answer): (Ply, &Option<Answer>)| {
        if last.replace(ply.by) != Some(ply.by) {
            turn += 1;
        }
        let lead = i32::from(boxes[0]) - i32::from(boxes[1]);
        boxes[ply.by as usize] += ply.boxes;
        let value = answer.as_ref().and_then(|answer| Value::of(board, ply, answer, lead));
        Judged { ply, name: board.line_name(ply.line).to_owned(), turn, boxes, value }
    };
    game.plies().zip(answers).map(judge).collect()
}

impl Value {
    /// The value of a line drawn when A led by `lead` boxes; `None` if the answer does not have the line.
    fn of(board: &Board, ply: Ply, answer: &Answer, lead: i32) -> Option<Self> {
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
            kind: drawn.kind,
            best: answer.best().collect(),
            best_names: names(board, answer.best()),
        })
    }
}

impl Turn {
    fn new(lines: &[Judged]) -> Self {
        let values = || lines.iter().filter_map(|line| line.value.as_ref());
        let last = &lines[lines.len() - 1];
        Self {
            turn: last.turn,
            by: last.ply.by,
            boxes: last.boxes,
            before: values().next().map(|value| value.before),
            after: last.value.as_ref().map(|value| value.after),
            cost: values().map(|value| value.cost).sum(),
            lines: lines.iter().map(line).collect(),
        }
    }

    /// The names of the best lines in place of its first line with a known score.
    fn best_names(&self) -> &[String] {
        self.lines.iter().find(|line| line.cost.is_some()).map_or(&[], |line| &line.best_names)
    }
}

/// A line as the review has it.
fn line(drawn: &Judged) -> Line {
    let value = drawn.value.as_ref();
    Line {
        line: drawn.ply.line,
        name: drawn.name.clone(),
        kind: value.map(|value| value.kind),
        cost: value.map(|value| value.cost),
        best: value.map_or_else(Vec::new, |value| value.best.clone()),
        best_names: value.map_or_else(Vec::new, |value| value.best_names.clone()),
    }
}
