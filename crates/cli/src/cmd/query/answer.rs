//! One answer: as a JSON line, or as a picture with everything that is known about the position.

use std::fmt::{self, Display};

use dab::theory::Endgame;
use dab::{Answer, Mark, MoveKind, MoveScore, Play, Source};
use dab_board::components::{Component, Components};
use dab_board::{LineIdx, LineSet, Position, Score};
use dab_endgame::allcock::explicit_value;
use dab_endgame::controlled::controlled_value;
use dab_endgame::openings::optimal_openings;
use serde::Serialize;

use crate::cmd::on_demand;
use crate::options::Setting;
use crate::output::{list, marked, message, part, picture};

/// A question to one source.
pub(crate) struct Asking<'a> {
    pub(crate) source: &'a Source<'a>,
    /// Whether answers are marked by who must make the next loony move.
    pub(crate) marks: bool,
    pub(crate) setting: &'a Setting,
}

/// The answer for one position.
#[derive(Serialize)]
pub(crate) struct Scored {
    position: String,
    penalty: i8,
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
    pub(crate) fn new(position: &Position, asking: &Asking<'_>, with_text: bool) -> anyhow::Result<Self> {
        let source = asking.source;
        let answer = source.answer(position, asking.marks)?;
        let text = if with_text { text(position, &answer, asking)? } else { String::new() };
        Ok(Self {
            position: position.to_string(),
            penalty: source.penalty,
            score: answer.score,
            mark: answer.mark.map(Mark::symbol),
            best: answer.best().collect(),
            moves: answer.moves.iter().map(Move::from).collect(),
            source: source.kind,
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

/// What is known of a position beside the scores of its moves.
#[derive(Serialize)]
pub(crate) struct Details {
    /// Best play, the lowest best line each time.
    play: Vec<LineIdx>,
    /// Whether it reaches the end of the game.
    is_whole: bool,
    /// Boxes that are closed.
    closed: usize,
    /// Boxes that fall in the capture run.
    capturable: usize,
    /// What is left after it.
    components: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endgame: Option<Theory>,
}

#[derive(Serialize)]
struct Part {
    kind: &'static str,
    name: String,
    boxes: usize,
    lines: Vec<LineIdx>,
}

/// Theory beside the table.
#[derive(Serialize)]
struct Theory {
    name: String,
    size: u64,
    controlled_value: i64,
    value: i64,
    /// Optimal openings.
    open: Vec<String>,
    case: String,
    table: Table,
}

#[derive(Serialize)]
struct Table {
    value: Score,
    open: Vec<String>,
}

impl Details {
    /// Collects them; `beyond` continues the best play where the source ends, if it can.
    pub(crate) fn new(
        position: &Position,
        source: &Source<'_>,
        beyond: impl FnOnce(&Position) -> anyhow::Result<Option<Vec<LineIdx>>>,
    ) -> anyhow::Result<Self> {
        let Play { lines: play, is_whole } = source.best_play(position, beyond)?;
        let Components { captured, capturable, parts } = Components::of(position);
        let endgame = if source.penalty == 0 { endgame(position, source)? } else { None };
        let components = parts.iter().map(Part::from).collect();
        Ok(Self { play, is_whole, closed: captured, capturable, components, endgame })
    }
}

impl From<&Component> for Part {
    fn from(component: &Component) -> Self {
        let kind = match component {
            Component::Chain { .. } => "chain",
            Component::Loop { .. } => "loop",
            Component::Joined { .. } => "joined",
        };
        let lines = component.lines().iter().collect();
        Self { kind, name: part(component), boxes: component.boxes(), lines }
    }
}

fn text(position: &Position, answer: &Answer, asking: &Asking<'_>) -> anyhow::Result<String> {
    let source = asking.source;
    let details = Details::new(position, source, |now| solve_beyond(now, asking))?;
    let penalty = if source.penalty == 0 { String::new() } else { format!(", last-move penalty {}", source.penalty) };
    let score = marked(answer.score, answer.mark);
    let mut text = format!("{position}{penalty}: score {score}\n\n{}\n\n", picture(position, answer));
    if !details.play.is_empty() {
        let rest = if details.is_whole { "" } else { " and on below the book" };
        text += &format!("best moves  {}\n", list(answer.best(), " "));
        text += &format!("best play   {}{rest}\n", list(&details.play, " "));
    }
    for kind in MoveKind::ALL {
        let lines: Vec<LineIdx> = answer.moves.iter().filter(|m| m.kind == kind).map(|m| m.line).collect();
        if !lines.is_empty() {
            text += &format!("{:<12}{}\n", kind.name(), list(lines, " "));
        }
    }
    text += &format!("components  {}", components(&details));
    if let Some(endgame) = details.endgame {
        text += &format!("\n{endgame}");
    }
    Ok(text)
}

/// Best play from a position below a book, if solving it takes no more than a moment.
fn solve_beyond(position: &Position, asking: &Asking<'_>) -> anyhow::Result<Option<Vec<LineIdx>>> {
    let solved = on_demand::solve_if_quick(position, asking.source.penalty.into(), asking.setting)?;
    let Some(solved) = solved else { return Ok(None) };
    message(format!("{position}: below the book, solved in memory for the best play"));
    Ok(Some(solved.best_play(position)?))
}

fn components(Details { closed, capturable, components, .. }: &Details) -> String {
    let counts = [(closed, "closed"), (capturable, "to be captured")];
    let counts = counts.iter().filter(|(n, _)| **n > 0).map(|(n, what)| format!("{n} {what}"));
    list(counts.chain(components.iter().map(|part| part.name.clone())), ", ")
}

/// Theory beside the table, if the position is a simple loony endgame once everything capturable is captured.
fn endgame(position: &Position, source: &Source<'_>) -> Result<Option<Theory>, dab::Error> {
    let board = position.board();
    let after = position.capture_run().after;
    let Some(endgame) = Endgame::of(board.graph(), after).filter(|endgame| !endgame.multiset.is_empty()) else {
        return Ok(None);
    };
    let Ok(quiet) = Position::new(board.clone(), after) else { return Ok(None) };
    let answer = match source.answer(&quiet, false) {
        Err(error) if error.is_beyond() => return Ok(None),
        answer => answer?,
    };
    let names = |components: Vec<dab_endgame::Component>| components.iter().map(ToString::to_string).collect();
    let (value, case) = explicit_value(&endgame.multiset);
    Ok(Some(Theory {
        name: endgame.multiset.to_string(),
        size: endgame.multiset.size(),
        controlled_value: controlled_value(&endgame.multiset),
        value,
        open: names(optimal_openings(&endgame.multiset)),
        case: case.to_string(),
        table: Table { value: -answer.score, open: names(endgame.opened_by(answer.best().collect::<LineSet>())) },
    }))
}

impl Display for Theory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, open, case, table, .. } = self;
        writeln!(f, "endgame     {name}")?;
        writeln!(f, "  theory    value {value}, open {} ({case})", list(open, " or "))?;
        write!(f, "  table     value {}, open {}", table.value, list(&table.open, " or "))
    }
}
