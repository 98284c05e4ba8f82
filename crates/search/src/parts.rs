//! Parts: the connected pieces of quiet positions, up to isomorphism where they are trees.
//!
//! A quiet position is a sum of parts that touch only in whose turn it is:
//! ```text
//!    position = { part, part, part, … }         a multiset
//!    move     = take one part out, put what is left of it in
//! ```
//! A part is numbered when it is first met, and its moves are worked out when they are first asked for, by the rules of
//! [`dab_board::quiet`]. Two parts that are trees get the same number if they are isomorphic; a part with a cycle is
//! known by the coins it consists of.

use dab_board::contract::Contraction;
use dab_board::graph::GraphString;
use dab_board::quiet;
use dab_board::{Graph, LineSet, capture::Decline};
use rustc_hash::FxHashMap;

use crate::table::Hash;
use crate::tree;

/// Number of a part.
pub(crate) type PartId = u32;

/// Strings of a part with its joints in numbers of their own, sorted.
type Strings = Vec<GraphString>;

/// What one move of a part does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PartMove {
    /// Boxes that the opponent may capture.
    pub(crate) boxes: u8,
    /// What he may decline of them.
    pub(crate) decline: Decline,
    /// What is left of the part, ascending.
    pub(crate) rest: Vec<PartId>,
}

/// What a sum has to know of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) hash: Hash,
    /// Boxes in it, joints included.
    pub(crate) boxes: i8,
    /// Whether it is a chain between the ground and the ground.
    pub(crate) is_chain: bool,
}

/// A part.
#[derive(Debug)]
struct Part {
    strings: Strings,
    facts: Facts,
    /// Its different moves, once they have been asked for.
    moves: Option<Vec<PartMove>>,
}

/// The parts that have been met.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    parts: Vec<Part>,
    ids: FxHashMap<Strings, PartId>,
}

impl Parts {
    /// The parts of what is left of `graph` in the quiet position `filled`, ascending.
    pub(crate) fn of(&mut self, graph: &Graph, filled: LineSet) -> Vec<PartId> {
        let Contraction { units, joints } = Contraction::of_chains(graph, filled);
        let mut rest: Vec<GraphString> = units.iter().map(|unit| unit.string).collect();
        let mut ids = Vec::new();
        while let Some(first) = rest.pop() {
            let mut strings = vec![first];
            let mut seen = LineSet::EMPTY; // joints
            let mut pending: Vec<usize> = first.ends.into_iter().flatten().collect();
            while let Some(joint) = pending.pop() {
                if seen.has(joint) {
                    continue;
                }
                seen = seen.with(joint);
                rest.retain(|string| {
                    let touches = string.ends.contains(&Some(joint));
                    if touches {
                        strings.push(*string);
                        pending.extend(string.ends.into_iter().flatten());
                    }
                    !touches
                });
            }
            ids.push(self.intern(strings, &joints));
        }
        ids.sort_unstable();
        ids
    }

    /// The number of a part; `names` says which coin each joint is, where that matters.
    fn intern(&mut self, strings: Strings, names: &[usize]) -> PartId {
        let strings = tree::canonical(&strings).unwrap_or_else(|| named(&strings, names));
        if let Some(&id) = self.ids.get(&strings) {
            return id;
        }
        let id = self.parts.len() as PartId;
        let inner: usize = strings.iter().map(|string| usize::from(string.boxes)).sum();
        let joints = joints_of(&strings).len();
        let boxes = (inner + joints) as i8;
        let facts = Facts { hash: Hash::of(id), boxes, is_chain: joints == 0 && !strings[0].ring };
        self.ids.insert(strings.clone(), id);
        self.parts.push(Part { strings, facts, moves: None });
        id
    }

    /// The chain of `boxes` between the ground and the ground.
    pub(crate) fn chain(&mut self, boxes: i8) -> PartId {
        self.intern(vec![GraphString::new(None, None, boxes as u8)], &[])
    }

    /// Number of parts met so far.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// What a sum has to know of a part.
    pub(crate) fn facts(&self, id: PartId) -> Facts {
        self.parts[id as usize].facts
    }

    /// Works out the moves of a part, if that has not been done.
    pub(crate) fn explore(&mut self, id: PartId) {
        if self.parts[id as usize].moves.is_none() {
            let moves = self.find_moves(id);
            self.parts[id as usize].moves = Some(moves);
        }
    }

    /// The different moves of a part that has been explored.
    pub(crate) fn moves(&self, id: PartId) -> &[PartMove] {
        self.parts[id as usize].moves.as_deref().unwrap_or_default()
    }

    fn find_moves(&mut self, id: PartId) -> Vec<PartMove> {
        let strings = self.parts[id as usize].strings.clone();
        let n_joints = joints_of(&strings).last().map_or(0, |&last| last + 1);
        let graph = Graph::new(n_joints, strings);
        let mut found = Vec::new();
        quiet::for_each_move(&graph, LineSet::EMPTY, |m| found.push(m));
        let mut moves: Vec<PartMove> = found
            .into_iter()
            .map(|m| PartMove { boxes: m.boxes, decline: m.decline, rest: self.of(&graph, m.after) })
            .collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}

/// The joints of a part, ascending.
fn joints_of(strings: &[GraphString]) -> Vec<usize> {
    let mut joints: Vec<usize> = strings.iter().flat_map(|string| string.ends).flatten().collect();
    joints.sort_unstable();
    joints.dedup();
    joints
}

/// The strings by the names of their joints, sorted.
fn named(strings: &[GraphString], names: &[usize]) -> Strings {
    let mut named: Strings = strings
        .iter()
        .map(|string| {
            let [a, b] = string.ends.map(|end| end.map(|joint| names[joint]));
            GraphString { ring: string.ring, ..GraphString::new(a, b, string.boxes) }
        })
        .collect();
    named.sort_unstable();
    named
}
