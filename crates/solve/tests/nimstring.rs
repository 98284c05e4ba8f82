//! A last-move penalty above the open boxes makes the game nimstring: a score is positive exactly if the nimstring
//! value is not 0.

use super::common;

use common::{Entries, Solved, position, space, start};
use dab_board::{Position, Score, Start};
use dab_nimstring::Nimstring;
use dab_space::SpaceKind;

#[track_caller]
fn check(start: &Position) {
    let space = space(start, SpaceKind::Quiet);
    let solved = Solved::new(&space, start.open_boxes() as i32 + 1);
    let (book, entries, mut nimstring) = (solved.book(), Entries::new(start), Nimstring::new(u64::MAX));
    for drawn in (0..entries.len()).map(|entry| entries.drawn(entry)) {
        let score = book.probe_drawn(drawn).unwrap();
        let value = nimstring.value_drawn(start.board().graph(), drawn).unwrap();
        assert_ne!(score, Score(0));
        assert_eq!(score > Score(0), value.is_win(), "{}: score {score}, value {value}", position(start, drawn));
    }
}

#[test]
fn a_large_penalty_is_nimstring() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 2), (2, 3), (2, 4)] {
        Start::ALL.into_iter().for_each(|from| check(&start(rows, cols, from)));
    }
    check(&start(3, 3, Start::Icelandic));
    check(&start(3, 4, Start::Swedish));
}

#[test]
#[ignore = "long: all 2^24 positions"]
fn a_large_penalty_is_nimstring_on_3x3() {
    check(&start(3, 3, Start::American));
}
