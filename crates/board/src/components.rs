//! The connected components of a position: chains, loops and joined structure.
//!
//! Lines hang together through boxes, not through the ground:
//! ```text
//!    ground ─○─○─○─ ground      a chain of three boxes
//!    ┌─○─○─┐
//!    └─○─○─┘                    a loop of four
//!    ground ─○─●─○─ ground      joined: a box with at least three open lines, a joint, holds chains together
//!              ○
//!            ground
//! ```
//! Only quiet positions have components; in any other one the capture run comes first. A position of long chains and
//! loops alone is a simple loony endgame, for which the theory has closed formulas.

use crate::contract::{Contraction, Unit};
use crate::{Graph, LineSet, Position, connected};

/// One connected component of a quiet position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The docs of a variant explain its fields.
pub enum Component {
    /// A chain from ground to ground: one line more than boxes.
    Chain { boxes: usize, lines: LineSet },
    /// A ring of boxes, with as many lines.
    Loop { boxes: usize, lines: LineSet },
    /// Chains and loops that meet in joints, boxes with at least three open lines. The boxes include the joints.
    Joined { boxes: usize, joints: usize, lines: LineSet },
}

impl Component {
    /// Boxes of the component.
    pub fn boxes(&self) -> usize {
        let (Self::Chain { boxes, .. } | Self::Loop { boxes, .. } | Self::Joined { boxes, .. }) = self;
        *boxes
    }

    /// Open lines of the component.
    pub fn lines(&self) -> LineSet {
        let (Self::Chain { lines, .. } | Self::Loop { lines, .. } | Self::Joined { lines, .. }) = self;
        *lines
    }

    /// The components of the quiet position `drawn`: chains by boxes, then loops by boxes, then joined structure by
    /// its lowest line.
    pub fn find_all(graph: &Graph, drawn: LineSet) -> Vec<Self> {
        let units = Contraction::by_chains(graph, drawn).units;
        let mut components: Vec<Self> =
            connected(&units, |unit| unit.string.ends).iter().map(|units| Self::from_units(units)).collect();
        // Stable: equals stay in the order of their lowest lines.
        components.sort_by_key(|component| match component {
            Self::Chain { boxes, .. } => (0, *boxes),
            Self::Loop { boxes, .. } => (1, *boxes),
            Self::Joined { .. } => (2, 0),
        });
        components
    }

    /// The component that consists of these chains.
    fn from_units(units: &[Unit]) -> Self {
        let lines = units.iter().fold(LineSet::EMPTY, |lines, unit| lines | unit.lines);
        let inner: usize = units.iter().map(|unit| usize::from(unit.string.boxes)).sum();
        let joints = units.iter().flat_map(|unit| unit.string.ends).flatten().collect::<LineSet>().len();
        match joints {
            0 if units[0].string.ring => Self::Loop { boxes: inner, lines },
            0 => Self::Chain { boxes: inner, lines },
            _ => Self::Joined { boxes: inner + joints, joints, lines },
        }
    }
}

/// A position, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Boxes that are closed.
    pub captured: usize,
    /// Boxes that fall in the capture run.
    pub capturable: usize,
    /// The components after the capture run; see [`Component::find_all`] for the order.
    pub components: Vec<Component>,
}

impl Components {
    /// The components of any position, after its capture run.
    pub fn new(position: &Position) -> Self {
        let run = position.capture_run();
        Self {
            captured: position.board().n_boxes() - position.open_boxes(),
            capturable: run.boxes.into(),
            components: Component::find_all(position.board().graph(), run.after),
        }
    }

    /// Boxes of all chains and of all loops, both ascending, if there is nothing but chains of at least three boxes
    /// and loops of at least four: a simple loony endgame, once the capture run is over.
    pub fn as_simple_endgame(&self) -> Option<(Vec<usize>, Vec<usize>)> {
        let mut chains = Vec::new();
        let mut loops = Vec::new();
        for component in &self.components {
            match *component {
                Component::Chain { boxes: boxes @ 3.., .. } => chains.push(boxes),
                Component::Loop { boxes: boxes @ 4.., .. } => loops.push(boxes),
                _ => return None,
            }
        }
        Some((chains, loops))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GraphString;
    use crate::notation;

    /// `expect` is closed boxes, boxes that fall, then the pieces: `3` a chain, `4l` a loop, `12j1` joined with one
    /// joint.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let Components { captured, capturable, components } = Components::new(&notation::parse(text).unwrap());
        let mut found = format!("{captured} {capturable}");
        for component in components {
            found += &match component {
                Component::Chain { boxes, .. } => format!(" {boxes}"),
                Component::Loop { boxes, .. } => format!(" {boxes}l"),
                Component::Joined { boxes, joints, .. } => format!(" {boxes}j{joints}"),
            };
        }
        assert_eq!(found, expect);
    }

    #[test]
    fn pieces_in_order() {
        check("1x1:f", "1 0");
        check("1x3:3f", "0 0 3");
        check("2x2:b73", "0 0 4l");
        check("+-+-+-+\n\n+-+-+-+\n  | | |\n+ +-+-+", "2 0 1 3");
        check("+ +-+-+\n| |   |\n+ + + +\n| |   |\n+ +-+-+", "0 0 2 4l");
    }

    #[test]
    fn the_capture_run_comes_first() {
        check("1x1:7", "0 1");
        check("+-+-+-+\n\n+-+-+-+\n  | | |\n+-+-+-+", "2 1 3");
    }

    #[test]
    fn joints_hold_chains_together() {
        check("2x2:0", "0 0 4j4");
        check("+-+-+-+\n|\n+ + +-+\n|   |A|\n+-+-+-+", "1 0 5j1");
    }

    #[track_caller]
    fn check_simple(text: &str, expect: Option<(Vec<usize>, Vec<usize>)>) {
        assert_eq!(Components::new(&notation::parse(text).unwrap()).as_simple_endgame(), expect);
    }

    #[test]
    fn simple_endgames_are_long() {
        check_simple("1x1:f", Some((vec![], vec![])));
        check_simple("1x3:3f", Some((vec![3], vec![])));
        check_simple("2x2:b73", Some((vec![], vec![4])));
        check_simple("1x2:f", None);
        check_simple("2x2:0", None);
    }

    #[test]
    fn a_loop_on_one_joint() {
        let graph = Graph::new(1, vec![GraphString::new(Some(0), Some(0), 3), GraphString::new(None, Some(0), 0)]);
        let components = Component::find_all(&graph, LineSet::EMPTY);
        assert_eq!(components, [Component::Joined { boxes: 4, joints: 1, lines: LineSet(3) }]);
    }
}
