//! From a board to the endgame theory: which positions are simple loony endgames, and what a line opens there.

use dab_board::components::Component as Part;
use dab_board::{Graph, LineSet};
use dab_endgame::{Component, Position};

/// A simple loony endgame on a board.
pub(crate) struct Endgame {
    /// Its chains and loops as a multiset.
    pub(crate) position: Position,
    /// Where they lie.
    parts: Vec<(Component, LineSet)>,
}

impl Endgame {
    /// The endgame of the quiet position `drawn`, if it is one: nothing but isolated long chains and loops.
    pub(crate) fn of(graph: &Graph, drawn: LineSet) -> Option<Self> {
        let parts: Option<Vec<_>> =
            Part::all_of(graph, drawn).iter().map(|part| Some((component(part)?, part.lines()))).collect();
        let parts = parts?;
        let position = Position::from_parts(parts.iter().map(|&(component, _)| (component, 1))).ok()?;
        Some(Self { position, parts })
    }

    /// What the given lines open, chains ascending, then loops ascending, alike ones once.
    pub(crate) fn opened_by(&self, lines: LineSet) -> Vec<Component> {
        let opened = self.parts.iter().filter(|(_, part)| part.meets(lines));
        let mut opened: Vec<Component> = opened.map(|&(component, _)| component).collect();
        opened.sort_unstable();
        opened.dedup();
        opened
    }
}

fn component(part: &Part) -> Option<Component> {
    match *part {
        Part::Chain { boxes, .. } => Some(Component::Chain(boxes as u64)),
        Part::Loop { boxes, .. } => Some(Component::Loop(boxes as u64)),
        Part::Joined { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        let position: dab_board::Position = text.parse().unwrap();
        let endgame = Endgame::of(position.board().graph(), position.drawn());
        assert_eq!(endgame.map(|endgame| endgame.position.to_string()).as_deref(), expect);
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
