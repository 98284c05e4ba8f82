//! The definition: a position has nimber n if the player to move loses it together with a nim heap of n and wins
//! it together with any other, and is loony if he wins with every heap. Played out line by line, without any theory.

use dab_board::capture::closed_by;
use dab_board::{Board, LineSet, Position, Start};
use dab_nimstring::{Nimstring, Value};

/// For every position that `start` can lead to the heaps with which the player to move loses, a bit each; entry `s`
/// has the `i`-th undrawn line drawn for every set bit `i` of `s`.
fn lost_heaps(start: &Position) -> (Vec<LineSet>, Vec<u64>) {
    let lines: Vec<usize> = start.undrawn().iter().collect();
    let drawn = |s: usize| start.drawn() | (0..lines.len()).filter(|i| s >> i & 1 == 1).map(|i| lines[i]).collect();
    let positions: Vec<LineSet> = (0..1 << lines.len()).map(drawn).collect();
    // A heap that is larger than the lines that are left has more moves than can matter.
    let n_heaps = lines.len() + 2;
    let mut lost = vec![0u64; positions.len()];
    for s in (0..positions.len()).rev() {
        for heap in 0..n_heaps {
            let by_line = |i: usize| {
                let after = lost[s | 1 << i] >> heap & 1 == 1;
                // Closing a box the player moves again, in the same sum.
                let again = closed_by(start.board().graph(), positions[s], lines[i]) > 0;
                if again { !after } else { after }
            };
            let by_heap = lost[s] & ((1 << heap) - 1) != 0;
            let wins = by_heap || (0..lines.len()).filter(|i| s >> i & 1 == 0).any(by_line);
            lost[s] |= u64::from(!wins) << heap;
        }
    }
    (positions, lost)
}

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
