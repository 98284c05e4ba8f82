//! The identity of a game, as far as score files depend on it.
//!
//! Board, start, position space, last-move penalty, marks and the order of the units fix every score and its place, so two
//! runs with equal games have equal score files. The run id, which every score file repeats, is a digest of it.

use std::fmt;

use dab_board::LineSet;
use dab_board::notation::compact::anonymous;
use dab_space::partition::{GroupSizes, Partition};
use dab_space::{Rules, Space, Units, json_fields};

use crate::Digest;

/// The identity of a game, as the manifest shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Name of the board, such as `3x3`; `graph` for a graph of strings and coins.
    pub board: String,
    /// The text of the graph file without comments, for a graph only.
    pub graph: Option<String>,
    /// The start as a compact position, such as `3x3:0`.
    pub start: String,
    /// The position space: `quiet` or `full`.
    pub space: String,
    /// Last-move penalty.
    pub penalty: i8,
    /// Whether scores have loony marks.
    pub marks: bool,
    /// Number of units in each group.
    pub groups: GroupSizes,
    /// Lines of each unit: first those of the waist, then upper, then lower.
    pub units: Vec<Vec<usize>>,
}

json_fields!(Game { board, graph unless Option::is_none, start, space, penalty, marks unless is_false, groups, units });

fn is_false(is: &bool) -> bool {
    !is
}

/// The version of the identity of a game, a part of it.
const IDENTITY_VERSION: u32 = 1;

/// Names a run: the first bytes of a digest of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId(pub [u8; RunId::LEN]);

impl RunId {
    /// Length in bytes.
    pub(crate) const LEN: usize = 16;
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Game {
    /// The identity of a run of `space` under `rules`.
    pub fn of(space: &Space, rules: Rules) -> Self {
        let units = space.layout().units();
        let board = units.start().board();
        let partition = space.layout().partition();
        Self {
            board: board.kind().to_string(),
            graph: board.graph_file(),
            start: anonymous(board.kind(), units.start().drawn()),
            space: space.kind().to_string(),
            penalty: rules.penalty,
            marks: rules.marks,
            groups: partition.sizes,
            units: partition.units.iter().map(|unit| unit.lines.iter().collect()).collect(),
        }
    }

    /// The cut of some units that has this order of units, if there is one.
    pub fn partition(&self, units: &Units) -> Option<Partition> {
        let n_lines = units.start().board().n_lines();
        let lines_of = |unit: &Vec<usize>| {
            let is_there = unit.iter().all(|&line| line < n_lines);
            is_there.then(|| unit.iter().copied().collect::<LineSet>())
        };
        Partition::in_order(units, &self.units.iter().map(lines_of).collect::<Option<Vec<_>>>()?, self.groups)
    }

    /// First 16 bytes of blake3 of `{"format":…,"game":{…}}`, JSON without spaces and with the fields in the order
    /// of their declaration.
    pub fn run_id(&self) -> RunId {
        let game = serde_json::to_string(self).expect("strings and numbers always make JSON");
        let digest = Digest::of(format!(r#"{{"format":{IDENTITY_VERSION},"game":{game}}}"#).as_bytes());
        let mut id = [0; RunId::LEN];
        id.copy_from_slice(&digest.0[..RunId::LEN]);
        RunId(id)
    }

    /// Whether scores have the opposite parity of the open boxes.
    pub fn is_odd(&self) -> bool {
        self.penalty % 2 != 0
    }

    /// The first field in which two games differ: its name, ours and the other's value.
    pub(crate) fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let (ours, theirs) = (self, other);
        [
            ("board", ours.board.clone(), theirs.board.clone()),
            ("graph", ours.graph.clone().unwrap_or_default(), theirs.graph.clone().unwrap_or_default()),
            ("start", ours.start.clone(), theirs.start.clone()),
            ("space", ours.space.clone(), theirs.space.clone()),
            ("penalty", ours.penalty.to_string(), theirs.penalty.to_string()),
            ("marks", ours.marks.to_string(), theirs.marks.to_string()),
            ("groups", ours.groups.to_string(), theirs.groups.to_string()),
            ("units", format!("{:?}", ours.units), format!("{:?}", theirs.units)),
        ]
        .into_iter()
        .find(|(_, ours, theirs)| ours != theirs)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The single box.
    pub(crate) fn single_box() -> Game {
        Game {
            board: "1x1".into(),
            graph: None,
            start: "1x1:0".into(),
            space: "quiet".into(),
            penalty: 0,
            marks: false,
            groups: GroupSizes { waist: 4, upper: 0, lower: 0 },
            units: (0..4).map(|line| vec![line]).collect(),
        }
    }

    #[test]
    fn every_field_counts() {
        let game = single_box();
        let others = [
            ("board", Game { board: "1x2".into(), ..game.clone() }),
            ("graph", Game { graph: Some("coin a\nstring a ground\n".into()), ..game.clone() }),
            ("start", Game { start: "1x1:1".into(), ..game.clone() }),
            ("space", Game { space: "full".into(), ..game.clone() }),
            ("penalty", Game { penalty: 1, ..game.clone() }),
            ("marks", Game { marks: true, ..game.clone() }),
            ("groups", Game { groups: GroupSizes { waist: 3, upper: 1, lower: 0 }, ..game.clone() }),
            ("units", Game { units: vec![vec![0, 1, 2, 3]], ..game.clone() }),
        ];
        assert_eq!(game.difference(&game), None);
        for (field, other) in others {
            assert_eq!(game.difference(&other).map(|(field, ..)| field), Some(field));
            assert_ne!(game.run_id(), other.run_id(), "{field}");
        }
    }

    #[test]
    fn run_id_is_fixed() {
        let json = concat!(
            r#"{"format":1,"game":{"board":"1x1","start":"1x1:0","space":"quiet","penalty":0,"#,
            r#""groups":{"waist":4,"upper":0,"lower":0},"units":[[0],[1],[2],[3]]}}"#
        );
        assert_eq!(single_box().run_id().0, Digest::of(json.as_bytes()).0[..16]);
    }
}
