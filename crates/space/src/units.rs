//! Units: the bits of the encoder.
//!
//! In the full space every undrawn line is a unit. In the quiet space everything capturable is captured first, and then
//! every chain is one pseudo-line. Units keep the order of their lowest lines here; the groups of
//! the partition reorder them.

use dab_board::contract::{Contraction, Unit};
use dab_board::graph::GraphString;
use dab_board::{BoardKind, LineIdx, LineSet, Position};

use crate::SpaceError;
use crate::linear_arrangement::arrange;

/// Which positions are indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SpaceKind {
    /// Positions in which no open box has exactly three sides.
    #[default]
    Quiet,
    /// Every set of undrawn lines.
    Full,
}

dab_board::names!(SpaceKind from "space" { Quiet = "quiet", Full = "full" });

/// The units of a start.
#[derive(Clone, Debug)]
pub struct Units {
    kind: SpaceKind,
    start: Position,
    root: LineSet,
    units: Vec<Unit>,
    /// For each joint the box that it is.
    joints: Vec<usize>,
    /// Row and column of each joint; neighbours have places near each other.
    places: Vec<(usize, usize)>,
    /// Symmetries of the root as maps of units, the identity first.
    symmetries: Vec<Vec<usize>>,
}

impl Units {
    /// The units of `start` in a space of the given kind.
    ///
    /// # Errors
    /// If there are more than 64 of them, or of the joints between them.
    pub fn new(start: Position, kind: SpaceKind) -> Result<Self, SpaceError> {
        let graph = start.board().graph();
        let root = match kind {
            SpaceKind::Quiet => start.capture_run().after,
            SpaceKind::Full => start.drawn(),
        };
        let Contraction { units, joints } = match kind {
            SpaceKind::Quiet => Contraction::by_chains(graph, root),
            SpaceKind::Full => Contraction::by_lines(graph, root),
        };
        if units.len() > 64 {
            return Err(SpaceError::TooManyUnits {
                position: start.to_string(),
                units: units.len(),
                lines: start.undrawn().len(),
            });
        }
        if joints.len() > 64 {
            return Err(SpaceError::TooManyJoints { position: start.to_string(), joints: joints.len() });
        }
        let places = match start.board().places() {
            Some(places) if start.board().kind() != BoardKind::Graph => joints.iter().map(|&at| places[at]).collect(),
            _ => {
                let strings: Vec<GraphString> = units.iter().map(|unit| unit.string).collect();
                arrange(joints.len(), &strings).into_iter().map(|place| (0, place)).collect()
            }
        };
        let maps = start.board().symmetries().iter();
        let symmetries = maps.filter_map(|map| unit_map(&units, root, map)).collect();
        Ok(Self { kind, start, root, units, joints, places, symmetries })
    }

    /// Which positions are indexed.
    #[inline]
    pub fn kind(&self) -> SpaceKind {
        self.kind
    }

    /// The position as it was given.
    #[inline]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The drawn lines that every indexed position contains.
    #[inline]
    pub fn root(&self) -> LineSet {
        self.root
    }

    /// The units.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// For each joint the box that it is.
    pub fn joints(&self) -> &[usize] {
        &self.joints
    }

    /// Row and column of each joint: where it lies on a board of rows and columns, else on a line on which few units
    /// run over any gap.
    pub(crate) fn places(&self) -> &[(usize, usize)] {
        &self.places
    }

    /// Order in which a sweep over the board meets a string: by its last joint, along the longer side of the board
    /// so that few joints are unfinished at any time; interchangeable strings come one after the other.
    pub(crate) fn sweep_key(&self, string: &GraphString) -> impl Ord + use<> {
        let places = &self.places;
        let extent = |along: fn(&(usize, usize)) -> usize| places.iter().map(along).max();
        let by_rows = extent(|place| place.0) >= extent(|place| place.1);
        let key = |joint: usize| if by_rows { places[joint] } else { (places[joint].1, places[joint].0) };
        let mut ends = string.ends.map(|end| end.map(key));
        ends.sort();
        ends.reverse();
        (ends, string.boxes, string.ring)
    }

    /// Symmetries of the root: unit `i` goes to `map[i]`. The identity comes first.
    pub fn symmetries(&self) -> &[Vec<usize>] {
        &self.symmetries
    }
}

/// The map of units that a map of lines makes, if it keeps the root.
fn unit_map(units: &[Unit], root: LineSet, map: &[LineIdx]) -> Option<Vec<usize>> {
    let image = |lines: LineSet| lines.iter().map(|line| map[line]).collect::<LineSet>();
    if image(root) != root {
        return None;
    }
    units.iter().map(|unit| units.iter().position(|other| other.lines == image(unit.lines))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_board::{Board, Start};

    #[test]
    fn a_captured_start_has_no_units_in_the_quiet_space() {
        let start = Position::start(Board::grid(1, 3).unwrap(), Start::Swedish);
        assert!(Units::new(start.clone(), SpaceKind::Quiet).unwrap().units().is_empty());
        assert_eq!(Units::new(start, SpaceKind::Full).unwrap().units().len(), 2);
    }

    #[test]
    fn starts_keep_their_own_symmetries() {
        let n = |start| {
            let start = Position::start(Board::grid(3, 3).unwrap(), start);
            Units::new(start, SpaceKind::Quiet).unwrap().symmetries().len()
        };
        assert_eq!((n(Start::American), n(Start::Icelandic), n(Start::Swedish)), (8, 2, 8));
    }

    #[test]
    fn too_many_joints_are_refused_with_their_number() {
        let coin = |i: usize| format!("coin a{i}\ncoin b{i}\nstring a{i} b{i}\n");
        let board = Board::from_graph_file("pairs", &(0..33).map(coin).collect::<String>()).unwrap();
        let message = Units::new(Position::start(board, Start::American), SpaceKind::Full).unwrap_err().to_string();
        assert!(message.starts_with("graph:pairs:0 has 66 open boxes"), "{message}");
    }

    #[test]
    fn too_many_units_are_refused_with_the_numbers() {
        let start = Position::start(Board::grid(7, 7).unwrap(), Start::American);
        let message = Units::new(start, SpaceKind::Quiet).unwrap_err().to_string();
        assert!(message.starts_with("7x7:0 leaves 112 units to draw (112 lines), but at most 64"), "{message}");
    }
}
