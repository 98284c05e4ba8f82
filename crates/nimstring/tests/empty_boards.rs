//! The nimbers of empty boards, which a program of its own found too.

use crate::{Nimstring, Value};
use dab_board::Position;

#[track_caller]
fn check(board: &str, nimber: u8) {
    let position: Position = board.parse().unwrap();
    assert_eq!(Nimstring::new(u64::MAX).value(&position), Ok(Value::Nimber(nimber)), "{board}");
}

#[test]
fn narrow_boards() {
    (1..=9).for_each(|n| check(&format!("1x{n}"), 1));
}

#[test]
fn small_boards() {
    check("2x2", 0);
    check("2x3", 1);
    check("2x4", 0);
    check("2x5", 0);
    check("3x3", 2);
}

#[test]
#[ignore = "long: minutes"]
fn board_3x4() {
    check("3x4", 0);
}
