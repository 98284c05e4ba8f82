//! Summands: the connected pieces of quiet positions, up to isomorphism where they are trees.
//!
//! A quiet position is a sum of summands. They share no line and no box; only the turn to move connects them:
//! ```text
//!    position = { summand, summand, summand, … }     a multiset
//!    move     = take one summand out, put the rest of it in
//! ```
//! A summand gets a number when it is first met. Its moves are worked out by the rules of [`dab_board::quiet`] when they
//! are first asked for. Two summands that are trees get the same number if they are isomorphic; a summand with a cycle
//! is known by the coins it consists of.

use dab_board::contract::Contraction;
use dab_board::graph::GraphString;
use dab_board::{Graph, LineSet, capture::Decline, connected, quiet};
use rustc_hash::FxHashMap;

use crate::table::Hash;
use crate::tree;

/// Number of a summand.
pub(crate) type SummandId = u32;

/// Strings of a summand with its joints in numbers of their own, sorted.
type Strings = Vec<GraphString>;

/// One move of a summand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SummandMove {
    /// Boxes that the opponent may capture.
    pub(crate) boxes: u8,
    /// Boxes among them that the opponent may decline.
    pub(crate) decline: Decline,
    /// The summands into which the rest of the summand falls, ascending.
    pub(crate) rest: Vec<SummandId>,
}

/// The properties of a summand that a sum adds up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) hash: Hash,
    /// Boxes in it, joints included.
    pub(crate) boxes: i8,
    /// Whether it is a chain with both ends at the ground.
    pub(crate) is_chain: bool,
}

/// A summand, its properties and its moves.
#[derive(Debug)]
struct Summand {
    strings: Strings,
    facts: Facts,
    /// Its different moves, once they have been asked for.
    moves: Option<Vec<SummandMove>>,
}

/// The summands that have been met.
#[derive(Debug, Default)]
pub(crate) struct Summands {
    summands: Vec<Summand>,
    ids: FxHashMap<Strings, SummandId>,
}

impl Summands {
    /// The summands of the quiet position of `graph` in which the lines `filled` are drawn, ascending.
    pub(crate) fn of(&mut self, graph: &Graph, filled: LineSet) -> Vec<SummandId> {
        let Contraction { units, joints } = Contraction::of_chains(graph, filled);
        let strings: Strings = units.iter().map(|unit| unit.string).collect();
        let summands = connected(&strings, |string| string.ends);
        let mut ids: Vec<SummandId> = summands.into_iter().map(|strings| self.intern(strings, &joints)).collect();
        ids.sort_unstable();
        ids
    }

    /// The number of a summand. `names` gives the coin of each joint; only a summand with a cycle needs them.
    fn intern(&mut self, strings: Strings, names: &[usize]) -> SummandId {
        let strings = tree::canonical(&strings).unwrap_or_else(|| named(&strings, names));
        if let Some(&id) = self.ids.get(&strings) {
            return id;
        }
        let id = self.summands.len() as SummandId;
        let inner: usize = strings.iter().map(|string| usize::from(string.boxes)).sum();
        let joints = joints_of(&strings).len();
        let boxes = (inner + joints) as i8;
        let facts = Facts { hash: Hash::of(id), boxes, is_chain: joints == 0 && !strings[0].ring };
        self.ids.insert(strings.clone(), id);
        self.summands.push(Summand { strings, facts, moves: None });
        id
    }

    /// The chain of `boxes` between the ground and the ground.
    pub(crate) fn chain(&mut self, boxes: i8) -> SummandId {
        self.intern(vec![GraphString::new(None, None, boxes as u8)], &[])
    }

    /// Number of summands met so far.
    pub(crate) fn len(&self) -> usize {
        self.summands.len()
    }

    /// The properties of a summand that a sum adds up.
    pub(crate) fn facts(&self, id: SummandId) -> Facts {
        self.summands[id as usize].facts
    }

    /// Works out the moves of a summand, if that has not been done.
    pub(crate) fn explore(&mut self, id: SummandId) {
        if self.summands[id as usize].moves.is_none() {
            let moves = self.find_moves(id);
            self.summands[id as usize].moves = Some(moves);
        }
    }

    /// The different moves of a summand that has been explored.
    pub(crate) fn moves(&self, id: SummandId) -> &[SummandMove] {
        self.summands[id as usize].moves.as_deref().unwrap_or_default()
    }

    fn find_moves(&mut self, id: SummandId) -> Vec<SummandMove> {
        let strings = self.summands[id as usize].strings.clone();
        let n_joints = joints_of(&strings).last().map_or(0, |&last| last + 1);
        let graph = Graph::new(n_joints, strings);
        let mut found = Vec::new();
        quiet::for_each_move(&graph, LineSet::EMPTY, |m| found.push(m));
        let mut moves: Vec<SummandMove> = found
            .into_iter()
            .map(|m| SummandMove { boxes: m.boxes, decline: m.decline, rest: self.of(&graph, m.after) })
            .collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}

/// The joints of a summand, ascending.
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
