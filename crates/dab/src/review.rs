//! Games reviewed: the margin before and after each line, and the cost of each turn.
//!
//! A *margin* is boxes of A less boxes of B when both play their best from there on: those closed so far, those still
//! to come, and the last-move penalty. It changes only where a line is not the best one, by what that line *costs* its
//! player.
//! ```text
//!    game ─ position before each line ─► answers ─► Review
//! ```
//! Some answers may be missing: a book ends, and the first positions of a game may be too large to solve.

use std::cmp::Reverse;
use std::fmt::{self, Display};
use std::sync::Arc;

use dab_board::notation::{Ply, Side, Transcript};
use dab_board::{LineIdx, Position};
use dab_table::{Answer, Mark, MoveKind};
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
    turning_points: Vec<Slip>,
    /// Every line that costs something, dearest first; of equal ones the earlier first.
    mistakes: Vec<Slip>,
    /// The sum of costs of A and of B.
    lost: [i32; 2],
    end: End,
}

impl Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let penalty = with_penalty(self.penalty);
        writeln!(f, "{}{penalty}: reviewed from {} on", self.board, self.position)?;
        writeln!(f, "margins: boxes of A less boxes of B at the end, if both play their best from there on\n")?;
        let drawn = |line: &Line| format!("{}{}", line.name, line.mark.map_or("", Mark::symbol));
        let drawn: Vec<String> = self.turns.iter().map(|turn| list(turn.lines.iter().map(drawn), " ")).collect();
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
            let Slip { turn, by, name, before, after, best_names, .. } = point;
            let [before, after] = [before, after].map(|margin| result(margin.unwrap_or(0)));
            writeln!(f, "  turn {turn}: {by} draws {name}, {before} → {after}; best {}", some(best_names))?;
        }
        if self.turning_points.is_empty() {
            writeln!(f, "  none")?;
        }
        writeln!(f, "costliest mistakes")?;
        for Slip { turn, by, name, cost, best_names, .. } in self.mistakes.iter().take(MOST_MISTAKES) {
            let cost = cost.unwrap_or(0);
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
    #[serde(skip)]
    turn: usize,
    #[serde(skip)]
    by: Side,
    /// Boxes of A and B after it.
    #[serde(skip)]
    boxes: [u8; 2],
    /// Margins before and after it; `None` if the scores are not known.
    #[serde(skip)]
    margins: Option<[i32; 2]>,
    line: LineIdx,
    name: String,
    /// Its kind; `None` if the scores are not known.
    kind: Option<MoveKind>,
    /// The loony mark that it leaves, for the player who draws it, if the table has marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<Mark>,
    /// Boxes that it loses against a best line, at least 0; `None` if the scores are not known.
    cost: Option<i32>,
    /// Every best line in its place; none if the scores are not known.
    best: Vec<LineIdx>,
    best_names: Vec<String>,
}

/// A line that is not a best one: a mistake with its cost, a turning point with the margins around it.
#[derive(Clone, Debug, Serialize)]
struct Slip {
    turn: usize,
    #[serde(serialize_with = "as_text")]
    by: Side,
    line: LineIdx,
    name: String,
    /// Boxes that it loses against a best line, above 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<i32>,
    /// Of another sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<i32>,
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
        let lines = judge(game, answers);
        let first = lines.iter().position(|line| line.margins.is_some()).unwrap_or(lines.len());
        let first_turn = lines.get(first).map_or(0, |line| line.turn);
        let turns = lines.chunk_by(|a, b| a.turn == b.turn).skip(first_turn.saturating_sub(1)).map(Turn::new);
        let costly = lines.iter().filter(|line| line.cost.is_some_and(|cost| cost > 0));
        let mut mistakes: Vec<Slip> = costly.map(|line| line.slip(line.cost, None)).collect();
        // The sort is stable: of equal mistakes the first one leads.
        mistakes.sort_by_key(|mistake| Reverse(mistake.cost));
        let turns_game = |line: &&Line| line.margins.is_some_and(|[before, after]| before.signum() != after.signum());
        let turning_points = lines.iter().filter(turns_game).map(|line| line.slip(None, line.margins)).collect();
        let lost = |side: Side| mistakes.iter().filter(|slip| slip.by == side).filter_map(|slip| slip.cost).sum();
        let position = game.moves()[..first].iter().fold(game.start().clone(), |now, &line| now.draw(line).0);
        let last = lines.last();
        Self {
            board: position.board().kind().to_string(),
            penalty,
            position,
            turns: turns.collect(),
            turning_points,
            lost: [lost(Side::A), lost(Side::B)],
            mistakes,
            end: End {
                position: game.end().clone(),
                boxes: last.map_or([0; 2], |line| line.boxes),
                undrawn: game.end().undrawn().len(),
                margin: last.and_then(|line| line.margins).map(|[_, after]| after),
            },
        }
    }
}

/// Every line of the game with its turn, the boxes after it and, where the scores are known, its worth.
fn judge(game: &Transcript, answers: &[Option<Answer>]) -> Vec<Line> {
    let (mut boxes, mut turn, mut last) = ([0; 2], 0, None);
    let board = game.start().board();
    let judge = |(Ply { line, by, boxes: closed }, answer): (Ply, &Option<Answer>)| {
        if last.replace(by) != Some(by) {
            turn += 1;
        }
        let lead = i32::from(boxes[0]) - i32::from(boxes[1]);
        boxes[by as usize] += closed;
        let name = board.line_name(line).to_owned();
        let (best, best_names) = (Vec::new(), Vec::new());
        let unknown =
            Line { turn, by, boxes, margins: None, line, name, kind: None, mark: None, cost: None, best, best_names };
        let scored = answer.as_ref().and_then(|answer| Some((answer, answer.moves.iter().find(|m| m.line == line)?)));
        let Some((answer, drawn)) = scored else { return unknown };
        let sign = if by == Side::A { 1 } else { -1 };
        let (best, reached) = (i32::from(answer.score.0), i32::from(drawn.score.0));
        Line {
            margins: Some([best, reached].map(|score| lead + sign * score)),
            kind: Some(drawn.kind),
            mark: drawn.mark,
            cost: Some(best - reached),
            best: answer.best().collect(),
            best_names: names(board, answer.best()),
            ..unknown
        }
    };
    game.plies().zip(answers).map(judge).collect()
}

impl Turn {
    fn new(lines: &[Line]) -> Self {
        let last = &lines[lines.len() - 1];
        Self {
            turn: last.turn,
            by: last.by,
            boxes: last.boxes,
            before: lines.iter().find_map(|line| line.margins).map(|[before, _]| before),
            after: last.margins.map(|[_, after]| after),
            cost: lines.iter().filter_map(|line| line.cost).sum(),
            lines: lines.to_vec(),
        }
    }

    /// The names of the best lines in place of its first line with a known score.
    fn best_names(&self) -> &[String] {
        self.lines.iter().find(|line| line.cost.is_some()).map_or(&[], |line| &line.best_names)
    }
}

impl Line {
    fn slip(&self, cost: Option<i32>, margins: Option<[i32; 2]>) -> Slip {
        let (before, after) = margins.map(|[before, after]| (before, after)).unzip();
        let Self { turn, by, line, name, best, best_names, .. } = self.clone();
        Slip { turn, by, line, name, cost, before, after, best, best_names }
    }
}
