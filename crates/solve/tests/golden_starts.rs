//! Golden starts: `data/golden/start_values.tsv`.
//!
//! Score and every first move of each row, from both spaces; and the hash over all positions that the start leads
//! to, listed from both spaces. Starts that need much time or memory are in the long tests.

use super::common;

use std::collections::BTreeMap;

use common::{SPACES, Solved, golden, space};
use dab_board::{LineIdx, Position, Score, Start};
use dab_space::{Layout, Space, SpaceKind, Units};

/// Most stored positions, a byte each, of a space that is solved by default.
const MODERATE: u128 = 20_000_000;

/// One start with one penalty.
struct Row {
    penalty: i32,
    score: Score,
    moves: Vec<(LineIdx, Score)>,
    hash: u64,
}

/// The rows by start.
fn rows() -> BTreeMap<String, Vec<Row>> {
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for columns in golden("start_values.tsv", 193) {
        let start: Position = format!("{}x{}:{}", columns[0], columns[1], columns[5]).parse().unwrap();
        let named: Start = columns[2].parse().unwrap();
        assert_eq!(Some(start.drawn()), start.board().start_lines(named), "{start}");
        assert_eq!(start.undrawn().len().to_string(), columns[4], "{start}");
        let moves = columns[7].split(',').map(|entry| {
            let (line, score) = entry.split_once(':').unwrap();
            (line.parse().unwrap(), Score(score.parse().unwrap()))
        });
        rows.entry(start.to_string()).or_default().push(Row {
            penalty: columns[3].parse().unwrap(),
            score: Score(columns[6].parse().unwrap()),
            moves: moves.collect(),
            hash: u64::from_str_radix(&columns[8], 16).unwrap(),
        });
    }
    rows
}

fn stored(start: &Position, kind: SpaceKind) -> u128 {
    Layout::new(Units::new(start.clone(), kind).unwrap()).unwrap().total_positions()
}

/// Solves the chosen starts in the chosen spaces, and returns how many rows it compared in how many of them.
fn check(choose: impl Fn(&Position, SpaceKind) -> bool, compare: impl Fn(&Row, &Solved<'_>)) -> usize {
    let mut compared = 0;
    for (name, rows) in rows() {
        let start: Position = name.parse().unwrap();
        for kind in SPACES.into_iter().filter(|&kind| choose(&start, kind)) {
            let space: Space = space(&start, kind);
            for row in &rows {
                compare(row, &Solved::new(&space, row.penalty));
                compared += 1;
            }
        }
    }
    compared
}

fn first_moves(row: &Row, solved: &Solved<'_>) {
    let start = solved.space.layout().units().start();
    let answer = solved.book().answer(start).unwrap();
    let moves: Vec<(LineIdx, Score)> = answer.moves.iter().map(|m| (m.line, m.score)).collect();
    let told = (start.to_string(), solved.space.kind(), row.penalty);
    assert_eq!((answer.score, moves), (row.score, row.moves.clone()), "{told:?}");
}

fn hashes(row: &Row, solved: &Solved<'_>) {
    let told = (solved.space.layout().units().start().to_string(), solved.space.kind(), row.penalty);
    let mut hash = FNV_BASIS;
    solved.for_each_chunk(|scores| hash = scores.iter().fold(hash, fnv1a));
    assert_eq!(hash, row.hash, "{told:?}");
}

const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv1a(hash: u64, &score: &Score) -> u64 {
    (hash ^ u64::from(score.0 as u8)).wrapping_mul(0x100_0000_01b3)
}

#[test]
fn scores_and_first_moves() {
    let compared = check(|start, kind| stored(start, kind) <= MODERATE, first_moves);
    assert_eq!(compared, 386 - 15);
}

#[test]
#[ignore = "long: a gigabyte of memory"]
fn scores_and_first_moves_of_large_spaces() {
    let compared = check(|start, kind| stored(start, kind) > MODERATE, first_moves);
    assert_eq!(compared, 15);
}

/// Lists all positions of the chosen starts from both spaces.
fn check_hashes(choose: impl Fn(&Position) -> bool, rows: usize) {
    assert_eq!(check(|start, _| choose(start), hashes), 2 * rows);
}

fn n_lines(start: &Position) -> usize {
    start.undrawn().len()
}

#[test]
fn every_position_of_20_lines_at_most() {
    check_hashes(|start| n_lines(start) <= 20, 138);
}

#[test]
#[ignore = "long: 6 * 10^8 positions"]
fn every_position_of_22_to_24_lines() {
    check_hashes(|start| (21..=24).contains(&n_lines(start)), 30);
}

#[test]
#[ignore = "long: 5 * 10^9 positions"]
fn every_position_of_25_to_29_lines() {
    check_hashes(|start| (25..30).contains(&n_lines(start)), 19);
}

#[test]
#[ignore = "long: 4 * 10^9 positions"]
fn every_position_of_30_lines() {
    check_hashes(|start| n_lines(start) == 30, 2);
}

#[test]
#[ignore = "long: 4 * 10^9 positions"]
fn every_position_of_1x10() {
    check_hashes(|start| start.to_string() == "1x10:0", 1);
}

#[test]
#[ignore = "long: 4 * 10^9 positions"]
fn every_position_of_3x4() {
    check_hashes(|start| start.to_string() == "3x4:0", 1);
}

#[test]
#[ignore = "long: 4 * 10^9 positions"]
fn every_position_of_2x11_swedish() {
    check_hashes(|start| n_lines(start) == 31 && start.to_string().starts_with("2x11:"), 1);
}

#[test]
#[ignore = "long: 4 * 10^9 positions"]
fn every_position_of_4x5_swedish() {
    check_hashes(|start| n_lines(start) == 31 && start.to_string().starts_with("4x5:"), 1);
}

#[test]
fn the_hash_is_fnv_1a() {
    let scores: Vec<Score> = "foobar".bytes().map(|byte| Score(byte as i8)).collect();
    assert_eq!(scores.iter().fold(FNV_BASIS, fnv1a), 0x8594_4171_f739_67e8);
}
