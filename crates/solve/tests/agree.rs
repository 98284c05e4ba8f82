//! Full space, quiet space and the naive table agree on every position of small boards.

use super::common;

use crate::naive;
use common::{Entries, SPACES, Solved, position, space, start};
use dab_board::{Position, Start};
use dab_space::SpaceKind;
use rayon::prelude::*;

const PENALTIES: [i32; 4] = [0, 1, 2, 100];

/// Compares every position that `start` can lead to, for each of some penalties.
fn check(start: &Position, penalties: &[i32]) {
    let entries = Entries::new(start);
    let spaces = SPACES.map(|kind| space(start, kind));
    for &penalty in penalties {
        let expected = naive::table(start, penalty as i8);
        for space in &spaces {
            let solved = Solved::new(space, penalty);
            let book = solved.book();
            let wrong = (0..entries.len())
                .into_par_iter()
                .with_min_len(1 << 10)
                .find_first(|&entry| book.probe_drawn(entries.drawn(entry)).unwrap() != expected[entry]);
            if let Some(entry) = wrong {
                let (kind, expected) = (space.kind(), expected[entry]);
                let found = book.probe_drawn(entries.drawn(entry)).unwrap();
                let position = position(start, entries.drawn(entry));
                panic!("{start} {kind} penalty {penalty}: {position} scores {found}, expected {expected}");
            }
        }
    }
}

/// Compares every stored position of the full space with the quiet space. Each stands for all that are alike by
/// symmetry and in the corners, so that together they are all 2^L.
fn check_spaces(board: &str) {
    let start: Position = board.parse().unwrap();
    let spaces = [SpaceKind::Full, SpaceKind::Quiet].map(|kind| space(&start, kind));
    let [full, quiet] = [0, 1].map(|i| Solved::new(&spaces[i], 0));
    let book = quiet.book();
    full.par_stored_rows(|_, scored| {
        for &(drawn, score) in scored {
            assert_eq!(book.probe_drawn(drawn).unwrap(), score, "{}", position(&start, drawn));
        }
    });
}

#[test]
fn entries_are_those_of_the_table() {
    let start: Position = "2x3:12".parse().unwrap();
    let entries = Entries::new(&start);
    assert_eq!(entries.len(), 1 << 15);
    assert!((0..entries.len()).all(|entry| entries.drawn(entry) == naive::drawn_lines(&start, entry as u64)));
}

#[test]
fn every_start_of_small_boards() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3)] {
        for from in Start::ALL {
            check(&start(rows, cols, from), &PENALTIES);
        }
    }
}

#[test]
fn american_2x4() {
    check(&"2x4".parse().unwrap(), &PENALTIES);
}

#[test]
fn american_3x3() {
    check(&"3x3".parse().unwrap(), &PENALTIES[..1]);
}

#[test]
#[ignore = "long: all 2^24 positions, six times"]
fn american_3x3_with_penalties() {
    check(&"3x3".parse().unwrap(), &PENALTIES[1..]);
}

#[test]
#[ignore = "long: all 2^27 positions"]
fn both_spaces_of_2x5() {
    check_spaces("2x5");
}

#[test]
#[ignore = "long: all 2^31 positions"]
fn both_spaces_of_3x4() {
    check_spaces("3x4");
}

#[test]
#[ignore = "long: all 2^32 positions"]
fn both_spaces_of_2x6() {
    check_spaces("2x6");
}
