//! An answer as JSON has it: the scores of a position and its moves, and the details: best play, components and theory.

use dab_board::components::{Component, Components};
use dab_board::{LineIdx, LineSet, Position, Score};
use dab_table::{Answer, Mark, MoveKind, Play, Source, TableError, Tablebase};
use serde::Serialize;

use crate::Error;
use crate::text::names;
use crate::theory::{Endgame, Theory};

/// The score of a position and of its moves.
#[derive(Clone, Debug, Serialize)]
pub struct ScoredPosition<'a> {
    /// The position.
    pub position: String,
    /// The last-move penalty, in boxes.
    pub penalty: i8,
    /// Net boxes still to come for the player to move.
    pub score: Score,
    /// The loony mark, if marks were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// Every best line, ascending.
    pub best: Vec<LineIdx>,
    /// Every legal move.
    pub moves: Vec<NamedMove<'a>>,
    /// `run`, `book` or `solved`.
    pub source: &'static str,
}

/// A move with its name and score.
#[derive(Clone, Debug, Serialize)]
pub struct NamedMove<'a> {
    /// The line to draw.
    pub line: LineIdx,
    /// Its name, such as `a1-b1`.
    pub name: &'a str,
    /// Net boxes for the player who draws it.
    pub score: Score,
    /// The loony mark, if marks were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// The kind of the move.
    pub kind: MoveKind,
}

impl<'a> ScoredPosition<'a> {
    /// The answer of `table` for a position.
    pub fn new(position: &'a Position, answer: &Answer, table: &Tablebase) -> Self {
        let named = answer.moves.iter().zip(answer.moves.iter().map(|m| position.board().line_name(m.line)));
        let moves = named.map(|(m, name)| NamedMove { line: m.line, name, score: m.score, mark: m.mark, kind: m.kind });
        Self {
            position: position.to_string(),
            penalty: table.penalty(),
            score: answer.score,
            mark: answer.mark,
            best: answer.best().collect(),
            moves: moves.collect(),
            source: table.files().kind(),
        }
    }
}

/// An answer, with everything else that is known if that was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Detailed<'a> {
    /// The scores.
    #[serde(flatten)]
    pub scored: ScoredPosition<'a>,
    /// The rest, if it was asked for.
    #[serde(flatten)]
    pub details: Option<Details>,
}

/// Details of a position, as JSON has them.
#[derive(Clone, Debug, Serialize)]
pub struct Details {
    /// Best play, the lowest best line each time.
    pub play: Vec<LineIdx>,
    /// The names of its lines.
    pub play_names: Vec<String>,
    /// Whether it reaches the end of the game.
    pub is_whole: bool,
    /// Boxes that are closed.
    pub closed: usize,
    /// Boxes that fall in the capture run.
    pub capturable: usize,
    /// The components that the capture run leaves.
    pub components: Vec<NamedComponent>,
    /// Theory and table, if the capture run leaves a simple loony endgame and there is no penalty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame: Option<TheoryAndTable>,
}

/// A component with its name.
#[derive(Clone, Debug, Serialize)]
pub struct NamedComponent {
    /// `chain`, `loop` or `joined`.
    pub kind: &'static str,
    /// As in `chain of 3`.
    pub name: String,
    /// Its boxes.
    pub boxes: usize,
    /// Its open lines, ascending.
    pub lines: Vec<LineIdx>,
}

/// Theory beside the table.
#[derive(Clone, Debug, Serialize)]
pub struct TheoryAndTable {
    /// The endgame, such as `3+4l`.
    pub name: String,
    /// The theory's answer.
    #[serde(flatten)]
    pub theory: Theory,
    /// The table's answer.
    pub table: TableOnEndgame,
}

/// The table's answer for an endgame, in the terms of the theory.
#[derive(Clone, Debug, Serialize)]
pub struct TableOnEndgame {
    /// Value for the controller, who just moved: minus the score.
    pub value: Score,
    /// The components that the best lines open.
    pub open: Vec<String>,
}

impl Details {
    /// Collects them from `source`; `beyond` continues the best play where the scores end, if it can.
    ///
    /// # Errors
    /// As [`Source::best_play`].
    pub fn new(
        position: &Position,
        source: &Source,
        beyond: impl FnOnce(&Position) -> Result<Option<Vec<LineIdx>>, Error>,
    ) -> Result<Self, Error> {
        let Play { lines: play, is_whole } = source.best_play(position, beyond)?;
        let Components { captured, capturable, components } = Components::new(position);
        let endgame = if source.table().penalty() == 0 { endgame(position, source)? } else { None };
        let components = components.iter().map(NamedComponent::new).collect();
        let play_names = names(position.board(), play.iter().copied());
        Ok(Self { play, play_names, is_whole, closed: captured, capturable, components, endgame })
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
        theory: Theory::of(&endgame.multiset),
        table: TableOnEndgame { value: -answer.score, open: open.iter().map(ToString::to_string).collect() },
    }))
}
