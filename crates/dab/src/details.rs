//! An answer as JSON has it: the scores of a position and its moves, and the details: best play, components and theory.

use std::fmt::{self, Display};

use dab_board::components::{Component, Components};
use dab_board::{LineIdx, LineSet, Position, Score};
use dab_table::{Answer, Mark, MoveKind, MoveScore, Play, Source, TableError, Tablebase};
use serde::Serialize;

use crate::text::{as_text, list, marked, names, picture, rows, with_penalty};
use crate::theory::{Endgame, Theory};

/// The score of a position and of its moves.
#[derive(Clone, Debug, Serialize)]
pub struct ScoredPosition<'a> {
    /// The position.
    #[serde(serialize_with = "as_text")]
    position: &'a Position,
    /// The last-move penalty, in boxes.
    penalty: i8,
    /// Net boxes still to come for the player to move.
    score: Score,
    /// The loony mark, if marks were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<Mark>,
    /// Every best line, ascending.
    best: Vec<LineIdx>,
    /// Every legal move.
    moves: Vec<NamedMove<'a>>,
    /// `run`, `book` or `solved`.
    source: &'static str,
    /// The rest, if it was asked for.
    #[serde(flatten)]
    details: Option<Details>,
    /// As the table gave it.
    #[serde(skip)]
    answer: Answer,
}

/// A move with its name and score.
#[derive(Clone, Debug, Serialize)]
struct NamedMove<'a> {
    /// The line to draw.
    line: LineIdx,
    /// Its name, such as `a1-b1`.
    name: &'a str,
    /// Net boxes for the player who draws it.
    score: Score,
    /// The loony mark, if marks were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<Mark>,
    /// The kind of the move.
    kind: MoveKind,
}

impl<'a> ScoredPosition<'a> {
    /// The answer of `table` for a position.
    pub fn new(position: &'a Position, answer: Answer, table: &Tablebase) -> Self {
        let name = |m: &MoveScore| NamedMove {
            line: m.line,
            name: position.board().line_name(m.line),
            score: m.score,
            mark: m.mark,
            kind: m.kind,
        };
        Self {
            position,
            penalty: table.penalty(),
            score: answer.score,
            mark: answer.mark,
            best: answer.best().collect(),
            moves: answer.moves.iter().map(name).collect(),
            source: table.files().kind(),
            details: None,
            answer,
        }
    }

    /// The same with best play, components and theory from `source`; `beyond` continues the best play where the scores end,
    /// if it can.
    ///
    /// # Errors
    /// As [`Source::best_play`].
    pub fn detailed<E: From<TableError>>(
        self,
        source: &Source,
        beyond: impl FnOnce(&Position) -> Result<Option<Vec<LineIdx>>, E>,
    ) -> Result<Self, E> {
        let details = Some(Details::new(self.position, source, beyond)?);
        Ok(Self { details, ..self })
    }
}

/// A picture, and lists.
impl Display for ScoredPosition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, penalty, answer, .. } = self;
        let (penalty, score) = (with_penalty(*penalty), marked(answer.score, answer.mark));
        writeln!(f, "{position}{penalty}: score {score}\n\n{}\n", picture(position, answer))?;
        let names = |lines: &mut dyn Iterator<Item = LineIdx>| names(position.board(), lines);
        if let Some(Details { play, play_names, is_whole, .. }) = &self.details
            && !play_names.is_empty()
        {
            let rest = if *is_whole { "" } else { " and on below the book" };
            writeln!(f, "{}", rows("best moves  ", names(&mut answer.best())))?;
            let ends = ends_of_turns(position, play);
            let names =
                play_names.iter().zip(ends).map(|(name, ends)| format!("{name}{}", if ends { "," } else { "" }));
            let play = rows("best play   ", names);
            writeln!(f, "{}{rest}", play.trim_end_matches(','))?;
        }
        for kind in MoveKind::ALL {
            let of_kind = names(&mut answer.moves.iter().filter(|m| m.kind == kind).map(|m| m.line));
            if !of_kind.is_empty() {
                writeln!(f, "{}", rows(&format!("{:<12}", kind.name()), of_kind))?;
            }
        }
        self.details.as_ref().map_or(Ok(()), |details| details.fmt(f))
    }
}

/// Whether each line of a play ends a turn.
fn ends_of_turns(position: &Position, play: &[LineIdx]) -> Vec<bool> {
    let mut now = position.clone();
    let mut ends = |&line: &LineIdx| {
        let (next, closed) = now.draw(line);
        now = next;
        closed == 0
    };
    play.iter().map(&mut ends).collect()
}

/// Details of a position, as JSON has them.
#[derive(Clone, Debug, Serialize)]
struct Details {
    /// Best play, the lowest best line each time.
    play: Vec<LineIdx>,
    /// The names of its lines.
    play_names: Vec<String>,
    /// Whether it reaches the end of the game.
    is_whole: bool,
    /// Boxes that are closed.
    closed: usize,
    /// Boxes that fall in the capture run.
    capturable: usize,
    /// The components that the capture run leaves.
    components: Vec<NamedComponent>,
    /// Theory and table, if the capture run leaves a simple loony endgame and there is no penalty.
    #[serde(skip_serializing_if = "Option::is_none")]
    endgame: Option<TheoryAndTable>,
}

/// A component with its name.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NamedComponent {
    /// `chain`, `loop` or `joined`.
    pub(crate) kind: &'static str,
    /// As in `chain of 3`.
    pub(crate) name: String,
    /// Its boxes.
    pub(crate) boxes: usize,
    /// Its open lines, ascending.
    pub(crate) lines: Vec<LineIdx>,
}

/// Theory beside the table.
#[derive(Clone, Debug, Serialize)]
struct TheoryAndTable {
    /// The endgame, such as `3+4l`.
    name: String,
    /// The theory's answer.
    #[serde(flatten)]
    theory: Theory,
    /// The table's answer.
    table: TableOnEndgame,
}

/// The table's answer for an endgame, in the terms of the theory.
#[derive(Clone, Debug, Serialize)]
struct TableOnEndgame {
    /// Value for the controller, who just moved: minus the score.
    value: Score,
    /// The components that the best lines open.
    open: Vec<String>,
}

impl Details {
    fn new<E: From<TableError>>(
        position: &Position,
        source: &Source,
        beyond: impl FnOnce(&Position) -> Result<Option<Vec<LineIdx>>, E>,
    ) -> Result<Self, E> {
        let Play { lines: play, is_whole } = source.best_play(position, beyond)?;
        let Components { captured, capturable, components } = Components::new(position);
        let endgame = if source.table().penalty() == 0 { endgame(position, source)? } else { None };
        let components = components.iter().map(NamedComponent::new).collect();
        let play_names = names(position.board(), play.iter().copied());
        Ok(Self { play, play_names, is_whole, closed: captured, capturable, components, endgame })
    }
}

/// The components, and theory beside the table.
impl Display for Details {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [(self.closed, "closed"), (self.capturable, "to be captured")];
        let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
        let names = self.components.iter().map(|component| component.name.clone());
        write!(f, "components  {}", list(counts.chain(names), ", "))?;
        let Some(TheoryAndTable { name, theory: Theory { value, open, case, .. }, table }) = &self.endgame else {
            return Ok(());
        };
        let (open, table_open) = (list(open, " or "), list(&table.open, " or "));
        write!(f, "\nendgame     {name}\n  theory    value {value}, open {open} ({case})")?;
        write!(f, "\n  table     value {}, open {table_open}", table.value)
    }
}

impl NamedComponent {
    pub(crate) fn new(component: &Component) -> Self {
        let (kind, name) = match component {
            Component::Chain { boxes, .. } => ("chain", format!("chain of {boxes}")),
            Component::Loop { boxes, .. } => ("loop", format!("loop of {boxes}")),
            Component::Joined { boxes, joints: 1, .. } => ("joined", format!("{boxes} joined boxes with 1 joint")),
            Component::Joined { boxes, joints, .. } => ("joined", format!("{boxes} joined boxes with {joints} joints")),
        };
        Self { kind, name, boxes: component.boxes(), lines: component.lines().iter().collect() }
    }
}

/// Theory beside the table, if the position is a simple loony endgame once everything capturable is captured.
fn endgame(position: &Position, source: &Source) -> Result<Option<TheoryAndTable>, TableError> {
    let Some(endgame) = Endgame::after_captures(position).filter(|endgame| !endgame.multiset.is_empty()) else {
        return Ok(None);
    };
    let Ok(quiet) = Position::new(position.board().clone(), position.capture_run().after) else { return Ok(None) };
    let answer = match source.answer(&quiet, false) {
        Err(error) if error.is_beyond() => return Ok(None),
        answer => answer?,
    };
    let open = endgame.opened_by(answer.best().collect::<LineSet>());
    Ok(Some(TheoryAndTable {
        name: endgame.multiset.to_string(),
        theory: Theory::new(&endgame.multiset),
        table: TableOnEndgame { value: -answer.score, open: open.iter().map(ToString::to_string).collect() },
    }))
}
