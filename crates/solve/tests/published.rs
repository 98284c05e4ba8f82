//! Starts whose scores and best first moves were published, or found by other programs.
//!
//! Scores: D. Wilson's analysis pages and score files; Barker and Korf, *Solving Dots-And-Boxes* (2012). The rest by
//! plain enumeration of all positions with a program of its own. Lines are named as in Wilson's programs: row and
//! column on the lattice of dots, lines and boxes, `aa` being the upper left dot.

use super::common;

use common::{SPACES, Solved, space, start};
use dab_board::{LineIdx, Position, Start};
use dab_space::SpaceKind;
use rayon::prelude::*;

use Best::{All, AllBut, Just, Number};

/// The best first moves.
enum Best {
    All,
    AllBut(&'static str),
    Just(&'static str),
    Number(usize),
}

/// The lines with the given lattice names.
fn named(rows: usize, cols: usize, names: &str) -> Vec<LineIdx> {
    let line = |name: &str| {
        let [row, col] = name.as_bytes() else { panic!("{name}") };
        let (row, col) = (usize::from(row - b'a'), usize::from(col - b'a'));
        match row % 2 {
            0 => row / 2 * cols + col / 2,
            _ => (rows + 1) * cols + row / 2 * (cols + 1) + col / 2,
        }
    };
    let mut lines: Vec<LineIdx> = names.split(' ').map(line).collect();
    lines.sort_unstable();
    lines
}

#[track_caller]
fn check_in(kind: SpaceKind, rows: usize, cols: usize, from: Start, score: i8, best: &Best) {
    let start: Position = start(rows, cols, from);
    let space = space(&start, kind);
    let answer = Solved::new(&space, 0).book().answer(&start).unwrap();
    let found: Vec<LineIdx> = answer.best().collect();
    let told = format!("{rows}x{cols} {from} {kind}");
    assert_eq!(answer.score.0, score, "{told}");
    let undrawn = || start.undrawn().iter();
    match best {
        All => assert_eq!(found, undrawn().collect::<Vec<_>>(), "{told}"),
        AllBut(names) => {
            let bad = named(rows, cols, names);
            assert_eq!(found, undrawn().filter(|line| !bad.contains(line)).collect::<Vec<_>>(), "{told}");
        }
        Just(names) => assert_eq!(found, named(rows, cols, names), "{told}"),
        Number(n) => assert_eq!(found.len(), *n, "{told}: {found:?}"),
    }
}

type Row = (usize, usize, i8, Best);

fn check_all(from: Start, kinds: &[SpaceKind], rows: &[Row]) {
    let each: Vec<(SpaceKind, &Row)> = kinds.iter().flat_map(|&kind| rows.iter().map(move |row| (kind, row))).collect();
    each.into_par_iter().with_max_len(1).for_each(|(kind, (rows, cols, score, best))| {
        check_in(kind, *rows, *cols, from, *score, best);
    });
}

const AMERICAN: &[Row] = &[
    (1, 1, -1, All),
    (1, 2, 0, Just("bc")),
    (1, 3, -1, All),
    (1, 4, 0, Just("be")),
    (1, 5, -1, All),
    (1, 6, 0, Just("bg")),
    (1, 7, -1, All),
    (1, 8, 0, Just("bi")),
    (1, 9, -1, All),
    (1, 10, 0, Just("bk")),
    (2, 2, 2, Just("ab ad ba be da de eb ed")),
    (2, 3, -2, All),
    (2, 4, 2, AllBut("be de cd cf")),
    (2, 5, -2, All),
    (3, 3, -3, All),
    (3, 4, 0, Just("be de fe")),
];

const TWO_BY_SIX: Row = (2, 6, 2, Just("af ah be bi cd cj de di ef eh"));

#[test]
fn american() {
    check_all(Start::American, &SPACES, AMERICAN);
    check_all(Start::American, &[SpaceKind::Quiet], &[TWO_BY_SIX]);
}

#[test]
fn american_3x5() {
    check_all(Start::American, &[SpaceKind::Quiet], &[(3, 5, -1, All)]);
}

#[test]
#[ignore = "long: half a gigabyte of memory"]
fn american_2x6_in_the_full_space() {
    check_all(Start::American, &[SpaceKind::Full], &[TWO_BY_SIX]);
}

#[test]
#[ignore = "long: three gigabytes of memory"]
fn american_4x4() {
    check_all(Start::American, &[SpaceKind::Quiet], &[(4, 4, 0, All)]);
}

#[test]
fn icelandic() {
    let rows = [
        (2, 2, 2, Number(6)),
        (2, 3, 4, Number(3)),
        (2, 4, 4, Number(2)),
        (2, 5, 2, Number(11)),
        (2, 6, 2, Number(2)),
        (2, 7, 2, Number(9)),
        (3, 3, -1, Number(2)),
        (3, 4, 4, Number(5)),
        (3, 5, -1, Number(2)),
        (4, 4, 4, Just("af ah bc bi dc di fc gd gf gh")),
    ];
    check_all(Start::Icelandic, &[SpaceKind::Quiet], &rows);
}

#[test]
fn swedish() {
    let rows = [
        (2, 2, -4, All),
        (2, 3, 6, Number(1)),
        (2, 4, 0, Number(2)),
        (2, 5, 2, Number(2)),
        (2, 6, -4, All),
        (2, 7, 4, Number(2)),
        (3, 3, 7, Number(4)),
        (3, 4, 4, Number(3)),
        (3, 5, 5, Number(4)),
        (4, 4, 0, Number(8)),
    ];
    check_all(Start::Swedish, &SPACES, &rows);
    check_all(Start::Swedish, &[SpaceKind::Quiet], &[(3, 6, 4, Number(2)), (4, 5, 0, Number(9))]);
}
