//! From a board to the endgame theory: which positions are simple loony endgames, and what a line opens there.
//!
//! The theory itself is in [`dab_endgame`], which knows multisets of chains and loops and no boards. Here a position
//! becomes such a multiset, and a line of the board the component that it opens.

use dab_board::components::Component as OnBoard;
use dab_board::{Graph, LineSet, Position};
use dab_endgame::Component;

/// A simple loony endgame on a board: nothing but isolated long chains and loops is left.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// Its chains and loops as a multiset.
    pub multiset: dab_endgame::Position,
    /// Each of them with its open lines.
    components: Vec<(Component, LineSet)>,
}

impl Endgame {
    /// The endgame that a position becomes once everything that can be captured is captured; `None` if it becomes no
    /// simple loony endgame.
    pub fn after_captures(position: &Position) -> Option<Self> {
        Self::of(position.board().graph(), position.capture_run().after)
    }

    /// The endgame of the quiet position in which the lines `drawn` of `graph` are drawn; `None` if it is none.
    pub fn of(graph: &Graph, drawn: LineSet) -> Option<Self> {
        let components = OnBoard::all_of(graph, drawn);
        let components: Option<Vec<_>> =
            components.iter().map(|on_board| Some((kind(on_board)?, on_board.lines()))).collect();
        let components = components?;
        let multiset = dab_endgame::Position::from_multiset(components.iter().map(|&(kind, _)| (kind, 1))).ok()?;
        Some(Self { multiset, components })
    }

    /// The components that the given lines open: chains ascending, then loops ascending, equal ones once.
    pub fn opened_by(&self, lines: LineSet) -> Vec<Component> {
        let opened = self.components.iter().filter(|(_, on_board)| on_board.meets(lines));
        let mut opened: Vec<Component> = opened.map(|&(kind, _)| kind).collect();
        opened.sort_unstable();
        opened.dedup();
        opened
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
        let endgame = Endgame::of(position.board().graph(), position.drawn());
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
        let endgame = Endgame::of(position.board().graph(), position.drawn()).unwrap();
        assert_eq!(endgame.opened_by(position.undrawn()), [Component::Chain(3)]);
        assert!(endgame.opened_by(LineSet::EMPTY).is_empty());
    }
}
