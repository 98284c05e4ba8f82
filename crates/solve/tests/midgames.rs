//! A thousand random starts with few lines left, against plain recursion on every position that they lead to.

use super::common;

use crate::naive;
use common::{Entries, Solved, position, space, start};
use dab_board::components::Components;
use dab_board::{LineSet, Position, Start};
use dab_space::SpaceKind;
use rayon::prelude::*;

const STARTS: u64 = 1_000;
/// Most undrawn lines of a start.
const FEW: usize = 15;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(bits ^ bits >> 31) * n as u128) >> 64) as usize
    }
}

/// Some blocks of boxes on a board up to 7x7, most of their lines open and everything else closed.
fn random_start(seed: u64) -> Position {
    let random = &mut Random(seed << 32);
    loop {
        let size = [2 + random.below(6), 2 + random.below(6)];
        let all = start(size[0], size[1], Start::American);
        let board = all.board();
        let mut open = LineSet::EMPTY;
        let places = board.places().unwrap();
        for block in 0..2 + random.below(2) {
            let extent = [0, 1].map(|_| 1 + random.below(2));
            let free = [0, 1].map(|axis| size[axis] - extent[axis]);
            // Every other start has its blocks in opposite corners.
            let first = match seed % 2 {
                0 => free.map(|free| block % 2 * free),
                _ => free.map(|free| random.below(free + 1)),
            };
            let holds = |at: usize| {
                let place: [usize; 2] = places[at].into();
                (0..2).all(|axis| (first[axis]..first[axis] + extent[axis]).contains(&place[axis]))
            };
            for at in (0..places.len()).filter(|&at| holds(at)) {
                open |= board.graph().joints()[at].strings;
            }
        }
        let kept = 6 + random.below(3);
        let open: LineSet = open.iter().filter(|_| random.below(8) < kept).collect();
        if (1..=FEW).contains(&open.len()) {
            return position(&all, board.all() - open);
        }
    }
}

/// Whether a start has chains, closed boxes, boxes with three sides, and components that do not touch.
fn kinds(start: &Position) -> [bool; 4] {
    let Components { captured, capturable, components } = Components::new(start);
    let space = space(start, SpaceKind::Quiet);
    let chains = space.layout().units().units().iter().any(|unit| unit.string.boxes > 0);
    [chains, captured > 0, capturable > 0, components.len() > 1]
}

#[test]
fn random_starts_against_recursion() {
    let wrong = (0..STARTS).into_par_iter().find_map_first(|seed| {
        let start = random_start(seed);
        let penalty = seed % 4;
        let expected = naive::table(&start, penalty as i8);
        let (space, entries) = (space(&start, SpaceKind::Quiet), Entries::new(&start));
        let solved = Solved::new(&space, penalty as i32);
        let book = solved.book();
        let entry = (0..entries.len()).find(|&s| book.probe_drawn(entries.drawn(s)).unwrap() != expected[s])?;
        let found = book.probe_drawn(entries.drawn(entry)).unwrap();
        let position = position(&start, entries.drawn(entry));
        Some(format!("{start}, penalty {penalty}: {position} scores {found}, expected {}", expected[entry]))
    });
    assert_eq!(wrong, None);
}

#[test]
fn starts_are_of_every_kind() {
    let counts = (0..STARTS).fold([0; 4], |mut counts, seed| {
        counts.iter_mut().zip(kinds(&random_start(seed))).for_each(|(count, is)| *count += usize::from(is));
        counts
    });
    assert!(counts.iter().all(|&count| count >= 100), "{counts:?}");
}
