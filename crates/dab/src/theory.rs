//! From a board to the endgame theory: which positions are simple loony endgames, and what a line opens there.
//!
//! The theory itself is in [`dab_endgame`], which knows multisets of chains and loops and no boards. Here a position
//! becomes such a multiset, and a line of the board the component that it opens. `Theory` and [`EndgameAnswer`] are the
//! answers of the theory as JSON has them.

use std::fmt::{self, Display};

use dab_board::components::Component as OnBoard;
use dab_board::{Graph, LineSet, Position};
use dab_endgame::allcock::{Goal, explicit_value, goals};
use dab_endgame::controlled::{controlled_value, fully_controlled_value};
use dab_endgame::openings::{Opened, optimal_openings};
use dab_endgame::{Component, Position as Multiset, Solved};
use serde::Serialize;

use crate::text::list;

/// A simple loony endgame on a board: nothing but isolated long chains and loops is left.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// Its chains and loops as a multiset.
    pub multiset: Multiset,
    /// Each of them with its open lines.
    components: Vec<(Component, LineSet)>,
}

impl Endgame {
    /// The endgame that a position becomes once everything that can be captured is captured; `None` if it becomes no
    /// simple loony endgame.
    pub fn after_captures(position: &Position) -> Option<Self> {
        Self::find(position.board().graph(), position.capture_run().after)
    }

    /// The endgame of the quiet position in which the lines `drawn` of `graph` are drawn; `None` if it is none.
    pub(crate) fn find(graph: &Graph, drawn: LineSet) -> Option<Self> {
        // Most positions are none, and their joints tell sooner than their components.
        if (0..graph.joints().len()).any(|joint| graph.valence(joint, drawn) > 2) {
            return None;
        }
        let components = OnBoard::find_all(graph, drawn);
        let components: Option<Vec<_>> =
            components.iter().map(|on_board| Some((kind(on_board)?, on_board.lines()))).collect();
        let components = components?;
        let multiset = Multiset::from_multiset(components.iter().map(|&(kind, _)| (kind, 1))).ok()?;
        Some(Self { multiset, components })
    }

    /// The components that the given lines open: chains ascending, then loops ascending, equal ones once.
    pub(crate) fn opened_by(&self, lines: LineSet) -> Vec<Component> {
        let opened = self.components.iter().filter(|(_, on_board)| on_board.meets(lines));
        let mut opened: Vec<Component> = opened.map(|&(kind, _)| kind).collect();
        opened.sort_unstable();
        opened.dedup();
        opened
    }
}

/// The theory's answer for a simple loony endgame.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Theory {
    /// Boxes of the endgame.
    pub size: u64,
    /// Net boxes for the controller who keeps control to the end.
    pub controlled_value: i64,
    /// Net boxes for the controller under best play, at least 0.
    pub value: i64,
    /// Every optimal opening.
    pub open: Vec<String>,
    /// The theorem and its case that give the value.
    pub case: String,
}

/// The theory's answer with every opening and reply. Loops may be odd.
#[derive(Clone, Debug, Serialize)]
pub struct EndgameAnswer {
    /// The endgame, such as `3+4l`.
    position: String,
    /// The answer.
    #[serde(flatten)]
    theory: Theory,
    /// Net boxes for the controller who keeps control and gives even the last handout away.
    fully_controlled_value: i64,
    /// The best reply to the opening of each component.
    replies: Vec<ReplyTo>,
    /// The game of an opener with a lead, if one was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    lead: Option<WithLead>,
}

/// The controller's best reply to an opening.
#[derive(Clone, Debug, Serialize)]
struct ReplyTo {
    /// The opened component.
    component: String,
    /// `keep` control, `give up` control, or either.
    reply: String,
    /// Net boxes for the controller from then on.
    value: i64,
}

/// A game whose opener has a lead.
#[derive(Clone, Debug, Serialize)]
struct WithLead {
    /// Boxes that the opener has more than the controller.
    lead: u64,
    /// Boxes that she has more at the end.
    margin: i64,
    /// Shapes that win, and no others do; none where Allcock's advice does not reach.
    goals: Vec<GoalOfLead>,
}

/// A shape that wins.
#[derive(Clone, Debug, Serialize)]
struct GoalOfLead {
    goal: &'static str,
    /// Whether the endgame has it.
    holds: bool,
}

impl Theory {
    /// The answer for an endgame.
    pub(crate) fn new(endgame: &Multiset) -> Self {
        let (value, case) = explicit_value(endgame);
        Self {
            size: endgame.size(),
            controlled_value: controlled_value(endgame),
            value,
            open: optimal_openings(endgame).iter().map(ToString::to_string).collect(),
            case: case.to_string(),
        }
    }
}

impl EndgameAnswer {
    /// The answer for an endgame; with `lead`, also for a game whose opener has that many boxes more.
    pub fn new(endgame: &dab_endgame::Endgame, lead: Option<u64>) -> Self {
        let Solved { value, case, openings } = endgame.solve();
        let best = openings.iter().filter(|opened| opened.value == value);
        let with_lead = |lead: u64| {
            let goals = endgame.as_simple().map_or_else(Vec::new, |simple| goals(simple, lead));
            let goals = goals.into_iter().map(|Goal { text, holds }| GoalOfLead { goal: text, holds }).collect();
            WithLead { lead, margin: lead.cast_signed() - value, goals }
        };
        let reply = |&Opened { component, value, reply }: &Opened| ReplyTo {
            component: component.to_string(),
            reply: reply.to_string(),
            value,
        };
        Self {
            position: endgame.to_string(),
            theory: Theory {
                size: endgame.size(),
                controlled_value: controlled_value(endgame),
                value,
                open: best.map(|opened| opened.component.to_string()).collect(),
                case: case.map_or_else(|| "any loops".to_owned(), |case| case.to_string()),
            },
            fully_controlled_value: fully_controlled_value(endgame),
            replies: openings.iter().map(reply).collect(),
            lead: lead.map(with_lead),
        }
    }
}

impl Display for EndgameAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, theory, fully_controlled_value, replies, lead } = self;
        let Theory { size, controlled_value, value, open, case } = theory;
        writeln!(f, "{position}, {size} boxes")?;
        writeln!(f, "value             {value} for the controller ({case})")?;
        write!(f, "controlled value  {controlled_value}, fully controlled {fully_controlled_value}")?;
        if !open.is_empty() {
            write!(f, "\nopen              {}", list(open, " or "))?;
        }
        for ReplyTo { component, reply, value } in replies {
            write!(f, "\n  if {component} is opened: {}, value {value}", control(reply))?;
        }
        let Some(WithLead { lead, margin, goals }) = lead else { return Ok(()) };
        let end = match margin {
            1.. => format!("wins by {margin}"),
            0 => "ties".to_owned(),
            ..0 => format!("loses by {}", -margin),
        };
        write!(f, "\nlead of {lead:<10}the opener {end}")?;
        for GoalOfLead { goal, holds } in goals {
            write!(f, "\n  {:<16}{goal}", if *holds { "wins by" } else { "would win by" })?;
        }
        Ok(())
    }
}

/// The reply of the controller, in words.
fn control(reply: &str) -> &str {
    match reply {
        "keep" => "keep control",
        "give up" => "give up control",
        _ => "keep or give up control",
    }
}

fn kind(on_board: &OnBoard) -> Option<Component> {
    match *on_board {
        OnBoard::Chain { boxes, .. } => Some(Component::Chain(boxes as u64)),
        OnBoard::Loop { boxes, .. } => Some(Component::Loop(boxes as u64)),
        OnBoard::Joined { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        let position: Position = text.parse().unwrap();
        let endgame = Endgame::find(position.board().graph(), position.drawn());
        assert_eq!(endgame.map(|endgame| endgame.multiset.to_string()).as_deref(), expect);
    }

    #[test]
    fn only_long_and_isolated() {
        check("2x2:b73", Some("4l"));
        check("1x3:3f", Some("3"));
        check("1x1:f", Some("0"));
        check("1x2:f", None);
        check("2x2:0", None);
    }

    #[test]
    fn lines_open_components() {
        // Three chains of three, one above the other.
        let position = dab_board::notation::parse("+-+-+-+\n\n+-+-+-+\n\n+-+-+-+\n\n+-+-+-+").unwrap();
        let endgame = Endgame::find(position.board().graph(), position.drawn()).unwrap();
        assert_eq!(endgame.opened_by(position.undrawn()), [Component::Chain(3)]);
        assert!(endgame.opened_by(LineSet::EMPTY).is_empty());
    }
}
