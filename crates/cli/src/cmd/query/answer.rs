//! One answer: as a JSON line, or as a picture with everything that is known about the position.

use std::fmt::{self, Display};

use dab_board::components::Components;
use dab_board::{LineIdx, LineSet, Position, Score};
use dab_book::{Answer, Book, BookError, Mark, Marks, MoveKind, MoveScore};
use dab_endgame::allcock::explicit_value;
use dab_endgame::openings::optimal_openings;
use serde::Serialize;

use super::solved::is_beyond;
use crate::options::Setting;
use crate::output::{list, marked, part, picture};
use crate::theory::Endgame;

/// Where answers come from.
pub(crate) struct Source<'a> {
    pub(crate) book: Book<'a>,
    /// As JSON names it.
    pub(crate) name: &'static str,
    pub(crate) penalty: Score,
    /// Whether answers are marked by who must make the next loony move.
    pub(crate) marks: bool,
    pub(crate) setting: &'a Setting,
}

/// The answer for one position.
#[derive(Serialize)]
pub(crate) struct Scored {
    position: String,
    penalty: Score,
    score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    best: Vec<LineIdx>,
    moves: Vec<Move>,
    source: &'static str,
    #[serde(skip)]
    text: String,
}

#[derive(Serialize)]
struct Move {
    line: LineIdx,
    score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    kind: &'static str,
}

impl Scored {
    /// Asks for a position; the text costs more probes than the JSON line and is made only if wanted.
    pub(crate) fn new(position: &Position, source: &Source<'_>, with_text: bool) -> anyhow::Result<Self> {
        let answer = match source.marks {
            true => Marks::new(&source.book).answer(position)?,
            false => source.book.answer(position)?,
        };
        let text = if with_text { text(position, &answer, source)? } else { String::new() };
        Ok(Self {
            position: position.to_string(),
            penalty: source.penalty,
            score: answer.score,
            mark: answer.mark.map(Mark::symbol),
            best: answer.best().collect(),
            moves: answer.moves.iter().map(Move::from).collect(),
            source: source.name,
            text,
        })
    }
}

impl From<&MoveScore> for Move {
    fn from(m: &MoveScore) -> Self {
        Self { line: m.line, score: m.score, mark: m.mark.map(Mark::symbol), kind: m.kind.name() }
    }
}

impl Display for Scored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn text(position: &Position, answer: &Answer, source: &Source<'_>) -> anyhow::Result<String> {
    let penalty = if source.penalty == 0 { String::new() } else { format!(", last-move penalty {}", source.penalty) };
    let score = marked(answer.score, answer.mark);
    let mut text = format!("{position}{penalty}: score {score}\n\n{}\n\n", picture(position, answer));
    let best: Vec<LineIdx> = answer.best().collect();
    if !best.is_empty() {
        text += &format!("best moves  {}\n", list(best, " "));
        let (play, is_whole) = source.best_play(position)?;
        text += &format!("best play   {}{}\n", list(play, " "), if is_whole { "" } else { " and on below the book" });
    }
    for kind in MoveKind::ALL {
        let lines: Vec<LineIdx> = answer.moves.iter().filter(|m| m.kind == kind).map(|m| m.line).collect();
        if !lines.is_empty() {
            text += &format!("{:<12}{}\n", kind.name(), list(lines, " "));
        }
    }
    text += &format!("components  {}", components(position));
    if source.penalty == 0
        && let Some(endgame) = endgame(position, source)?
    {
        text += &format!("\n{endgame}");
    }
    Ok(text)
}

fn components(position: &Position) -> String {
    let Components { captured, capturable, parts } = Components::of(position);
    let counts = [(captured, "closed"), (capturable, "to be captured")];
    let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let parts: Vec<String> = counts.chain(parts.iter().map(part)).collect();
    list(parts, ", ")
}

/// Theory beside the table, if the position is a simple loony endgame once everything capturable is captured.
fn endgame(position: &Position, source: &Source<'_>) -> Result<Option<String>, BookError> {
    let board = position.board();
    let after = position.capture_run().after;
    let Some(endgame) = Endgame::of(board.graph(), after).filter(|endgame| !endgame.position.is_empty()) else {
        return Ok(None);
    };
    let Ok(quiet) = Position::new(board.clone(), after) else { return Ok(None) };
    let answer = match source.book.answer(&quiet) {
        Err(error) if is_beyond(&error) => return Ok(None),
        answer => answer?,
    };
    let table = endgame.opened_by(answer.best().collect::<LineSet>());
    let (value, case) = explicit_value(&endgame.position);
    let theory = optimal_openings(&endgame.position);
    let name = &endgame.position;
    Ok(Some(format!(
        "endgame     {name}\n  theory    value {value}, open {} ({case})\n  table     value {}, open {}",
        list(theory, " or "),
        -answer.score,
        list(table, " or "),
    )))
}
