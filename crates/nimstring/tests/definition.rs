//! The definition: a position has nimber n if the player to move loses it together with a nim heap of n and wins
//! it together with any other, and is loony if he wins with every heap. Played out line by line, without any theory.

use super::common;

use crate::{Nimstring, Value};
use common::lost_heaps;
use dab_board::{Board, Position, Start};

#[track_caller]
fn check(start: &Position) {
    let (positions, lost) = lost_heaps(start);
    let mut nimstring = Nimstring::new(u64::MAX);
    for (drawn, lost) in positions.into_iter().zip(lost) {
        let expected = match lost.count_ones() {
            0 => Value::Loony,
            1 => Value::Nimber(lost.trailing_zeros() as u8),
            _ => panic!("{start}: {drawn:?} is lost with two heaps"),
        };
        let found = nimstring.value_drawn(start.board().graph(), drawn).unwrap();
        assert_eq!(found, expected, "{}:{:x}", start.board().kind(), drawn.0);
    }
}

#[track_caller]
fn check_starts(rows: usize, cols: usize) {
    for from in Start::ALL {
        check(&Position::start(Board::grid(rows, cols).unwrap(), from));
    }
}

#[test]
fn narrow_boards() {
    (1..=5).for_each(|n| check_starts(1, n));
}

#[test]
fn boards_2x2_and_2x3() {
    check_starts(2, 2);
    check_starts(2, 3);
}

#[test]
fn boards_with_sides() {
    for (rows, cols, start) in [(2, 4, Start::Icelandic), (3, 3, Start::Icelandic), (3, 4, Start::Swedish)] {
        check(&Position::start(Board::grid(rows, cols).unwrap(), start));
    }
}

#[test]
#[ignore = "long: all 2^22 and 2^24 positions"]
fn boards_2x4_and_3x3() {
    check_starts(2, 4);
    check_starts(3, 3);
}
