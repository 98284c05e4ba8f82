//! Moves inside a half: they fill units of the half only, for any configuration of the other half.
//!
//! Such a move leads from one configuration of the half to another with the same waist, so for a whole row of a slab
//! it leads to the same row of another slab, column by column.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use dab_board::capture::closed_by;
use dab_board::graph::GraphString;
use dab_board::{Graph, LineSet, quiet};
use dab_space::half_table::{BoundaryState, HalfTable};
use dab_space::{Rules, SpaceKind, UnitMask};

use super::op::Op;
use super::tile::BLOCK;

/// One move inside a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Transition {
    /// Place of the configuration it leads to, in the list for that number of filled units.
    pub(crate) rank: u32,
    /// Units it fills.
    pub(crate) filled: u8,
    /// Its worth as a function of the score after it.
    pub(crate) op: Op,
}

/// The moves of all configurations of one list.
#[derive(Clone, Debug)]
pub(crate) struct ListMoves {
    transitions: Vec<Transition>,
    /// The first move of each configuration, and the end.
    first: Vec<u32>,
    /// Numbers of units that some move fills, ascending.
    pub(crate) fills: Vec<u8>,
    /// For each of these numbers the blocks of places that moves lead to, by the first place of each, ascending.
    blocks: Vec<Vec<u32>>,
}

impl ListMoves {
    /// The moves of each configuration that fill a number of units in this range.
    pub(crate) fn by_config(&self, filled: RangeInclusive<u8>) -> Vec<&[Transition]> {
        let of_config = |range: &[u32]| {
            let moves = &self.transitions[range[0] as usize..range[1] as usize];
            let begin = moves.partition_point(|m| m.filled < *filled.start());
            let end = moves.partition_point(|m| m.filled <= *filled.end());
            &moves[begin..end]
        };
        self.first.windows(2).map(of_config).collect()
    }

    /// The places to which the moves that fill `filled` units lead.
    pub(crate) fn places(&self, filled: u8) -> impl Iterator<Item = usize> {
        self.transitions.iter().filter(move |m| m.filled == filled).map(|m| m.rank as usize)
    }

    /// The first place of each block to which the moves that fill `filled` units lead, ascending.
    pub(crate) fn blocks(&self, filled: u8) -> impl Iterator<Item = usize> + Clone {
        let blocks = self.fills.binary_search(&filled).map_or(&[][..], |i| &self.blocks[i]);
        blocks.iter().map(|&first| first as usize)
    }
}

/// The moves inside a half, by boundary and number of filled units. Those of a list are tabulated when they are first needed:
/// all of them may take seconds, and a solve may be cancelled meanwhile.
#[derive(Debug)]
pub(crate) struct HalfMoves<'a> {
    half: &'a HalfTable,
    kind: SpaceKind,
    rules: Rules,
    graph: Graph,
    boundaries: Vec<Vec<OnceLock<ListMoves>>>,
}

impl<'a> HalfMoves<'a> {
    /// Nothing is tabulated yet.
    pub(crate) fn new(half: &'a HalfTable, kind: SpaceKind, rules: Rules) -> Self {
        let empty = |boundary: &BoundaryState| boundary.lists.iter().map(|_| OnceLock::new()).collect();
        let boundaries = half.boundaries.iter().map(empty).collect();
        Self { half, kind, rules, graph: with_boundary_units(half), boundaries }
    }

    /// The moves of every configuration with this boundary state and `filled` units.
    pub(crate) fn list(&self, boundary: u32, filled: u8) -> &ListMoves {
        self.boundaries[boundary as usize][usize::from(filled)].get_or_init(|| {
            let boundary = &self.half.boundaries[boundary as usize];
            let configs = &boundary.lists[usize::from(filled)].configs;
            list_moves(self.half, (self.kind, self.rules), &self.graph, boundary, configs)
        })
    }
}

/// The graph of the half with each boundary unit as a string to the ground, after the units.
fn with_boundary_units(half: &HalfTable) -> Graph {
    let mut strings = half.shape.graph.strings().to_vec();
    strings.extend(half.shape.boundary_joints.iter().map(|&joint| GraphString::new(None, Some(joint), 0)));
    Graph::new(half.shape.graph.joints().len(), strings)
}

fn list_moves(
    half: &HalfTable,
    (kind, rules): (SpaceKind, Rules),
    graph: &Graph,
    boundary: &BoundaryState,
    configs: &[UnitMask],
) -> ListMoves {
    let n_units = half.shape.graph.strings().len();
    let units = LineSet::first(n_units);
    let boundary_filled = LineSet(u128::from(boundary.filled) << n_units);
    let mut moves = ListMoves { transitions: Vec::new(), first: vec![0], fills: Vec::new(), blocks: Vec::new() };
    let mut found = Vec::new();
    for &config in configs {
        let here = LineSet(config.into()) | boundary_filled;
        let mut offer = |after: LineSet, op: Op| {
            let after = half.parallel_classes.canonical((after & units).0 as UnitMask);
            let filled = (after.count_ones() - config.count_ones()) as u8;
            found.push(Transition { rank: boundary.rank(after) as u32, filled, op });
        };
        match kind {
            // A move that fills a boundary unit belongs to the waist.
            SpaceKind::Quiet => quiet::for_each_move(graph, here, |m| {
                if (m.after - here).is_subset(units) {
                    offer(m.after, Op::new(m, rules));
                }
            }),
            SpaceKind::Full => {
                for unit in (units - here).iter() {
                    offer(here.with(unit), Op::line(closed_by(graph, here, unit)));
                }
            }
        }
        // Alike lines of a corner lead to the same place.
        found.sort_unstable_by_key(|m| (m.filled, *m));
        found.dedup();
        moves.transitions.append(&mut found);
        moves.first.push(moves.transitions.len() as u32);
    }
    let mut blocks: BTreeMap<u8, BTreeSet<u32>> = BTreeMap::new();
    for m in &moves.transitions {
        blocks.entry(m.filled).or_default().insert(m.rank / BLOCK as u32 * BLOCK as u32);
    }
    (moves.fills, moves.blocks) = blocks.into_iter().map(|(filled, of)| (filled, of.into_iter().collect())).unzip();
    moves
}
