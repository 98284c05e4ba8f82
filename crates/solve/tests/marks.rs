//! Loony marks against their definition, line by line, on every position of small boards.

use super::common;
use super::graphs::{Numbers, multigraph};
#[path = "../../nimstring/tests/common/mod.rs"]
mod nimstring;

use crate::naive;
use common::{SPACES, Solved, golden, position, space, start};
use dab_board::capture::closed_by;
use dab_board::{Board, LineSet, Position, Score, Start};
use dab_nimstring::{Nimstring, Value};
use dab_space::{Layer, Rules, SpaceKind};
use dab_store::ScoreRead;
use dab_table::{Mark, Marks, MoveKind};
use nimstring::lost_heaps;

/// The mark of every position, by single lines: the best over all lines that reach the score. A line is loony if it
/// leaves a position that the opponent wins in nimstring together with every heap.
fn marks(start: &Position, penalty: i8) -> Vec<Mark> {
    let lines: Vec<usize> = start.undrawn().iter().collect();
    let scores = naive::table(start, penalty);
    let (positions, lost) = lost_heaps(start);
    let mut marks = vec![Mark::Nobody; scores.len()];
    for s in (0..scores.len()).rev() {
        let moves = (0..lines.len()).filter(|i| s >> i & 1 == 0).filter_map(|i| {
            let after = s | 1 << i;
            let closed = closed_by(start.board().graph(), positions[s], lines[i]);
            let (score, mark) = match closed {
                0 if lost[after] == 0 => (-scores[after], Mark::Mover),
                0 => (-scores[after], -marks[after]),
                _ => (closed + scores[after], marks[after]),
            };
            (score == scores[s]).then_some(mark)
        });
        marks[s] = moves.max().unwrap_or(Mark::Nobody);
    }
    marks
}

#[track_caller]
fn check(start: &Position, penalty: i8) {
    let expected = marks(start, penalty);
    let spaces = SPACES.map(|kind| space(start, kind));
    let rules = spaces.each_ref().map(|space| Rules::new(space, penalty.into()).unwrap());
    // Marks that are searched for in both spaces, and those that are solved with the scores.
    let with_marks = rules[0].with_marks(start, SpaceKind::Quiet).ok().map(|rules| (&spaces[0], rules));
    for (space, rules) in spaces.iter().zip(rules).chain(with_marks) {
        let solved = Solved::under(space, rules);
        let book = solved.book();
        let mut marks = Marks::new(&book);
        for (entry, &expected) in expected.iter().enumerate() {
            let position = position(start, naive::drawn_lines(start, entry as u64));
            let answer = marks.answer(&position).unwrap();
            assert_eq!(answer.mark, Some(expected), "{position}, penalty {penalty}");
            let best = answer.moves.iter().filter(|m| m.score == answer.score).filter_map(|m| m.mark).max();
            assert_eq!(best.unwrap_or(Mark::Nobody), expected, "{position}, penalty {penalty}");
        }
    }
}

#[test]
fn narrow_boards() {
    for n in 1..=4 {
        Start::ALL.into_iter().for_each(|from| check(&start(1, n, from), 0));
    }
}

#[test]
fn small_boards() {
    for penalty in [0, 1, 23, 100] {
        check(&start(2, 2, Start::American), penalty);
        check(&start(2, 3, Start::Icelandic), penalty);
        check(&start(2, 4, Start::Swedish), penalty);
    }
    check(&start(2, 3, Start::American), 0);
    check(&start(3, 3, Start::Swedish), 0);
    check(&start(2, 4, Start::Icelandic), 0);
}

#[test]
fn triangles_and_graphs() {
    for row in ["triangles:closed:4", "triangles:open:3", "closed:5", "open:3"] {
        check(&row.parse().unwrap(), 0);
    }
    let mut numbers = Numbers(1);
    for _ in 0..60 {
        let n_coins = 2 + numbers.below(5);
        let text = multigraph(&mut numbers, n_coins, 3 + n_coins);
        if let Ok(board) = Board::from_graph_file("random", &text) {
            check(&Position::new(board, LineSet::EMPTY).unwrap(), numbers.below(3) as i8);
        }
    }
}

/// Scores, marks and nimbers that a program of its own found.
#[test]
fn golden_marks() {
    let rows = golden("marks.tsv", 5_400);
    for rows in rows.chunk_by(|a, b| (&a[0], &a[2]) == (&b[0], &b[2])) {
        let board: Position = rows[0][0].parse().unwrap();
        let space = space(&board, SpaceKind::Quiet);
        let rules = Rules::new(&space, rows[0][2].parse().unwrap()).unwrap();
        let solved = Solved::under(&space, rules.with_marks(&board, SpaceKind::Quiet).unwrap());
        let mut nimstring = Nimstring::new(u64::MAX);
        for row in rows {
            let position = position(&board, LineSet(u128::from_str_radix(&row[1], 16).unwrap()));
            let answer = solved.book().answer(&position).unwrap();
            let nimber = match nimstring.value(&position).unwrap() {
                Value::Nimber(nimber) => i32::from(nimber),
                Value::Loony => -1,
            };
            let mark = answer.mark.unwrap() as i32 - 1;
            assert_eq!([answer.score.0.into(), mark, nimber].map(|n| n.to_string()), row[3..], "{position}");
        }
    }
}

#[test]
#[ignore = "long: all 2^22 positions"]
fn board_2x4() {
    check(&start(2, 4, Start::American), 0);
}

/// The scores of all positions are those without marks.
#[test]
fn marks_change_no_score() {
    for (rows, cols, from, penalty) in [
        (3, 4, Start::American, 0),
        (2, 7, Start::Icelandic, 1),
        (1, 13, Start::American, 0),
        (5, 6, Start::Swedish, 1),
    ] {
        let mut start = start(rows, cols, from);
        if rows == 5 {
            // All but two of the inner columns.
            let inner: Vec<usize> = start.undrawn().iter().collect();
            start = inner.into_iter().step_by(2).fold(start, |now, line| now.draw(line).0);
        }
        let space = space(&start, SpaceKind::Quiet);
        let rules = Rules::new(&space, penalty).unwrap();
        let with = rules.with_marks(&start, SpaceKind::Quiet).unwrap();
        let (without, with) = (Solved::under(&space, rules), Solved::under(&space, with));
        for layer in (0..space.n_layers()).map(Layer) {
            let [without, with] = [&without, &with].map(|solved| solved.scores.finished(layer).unwrap());
            assert_eq!((without.digest, without.marks_digest), (with.digest, None));
            assert!(with.marks_digest.is_some());
        }
    }
}

/// D. Wilson's page on 4x4: every first line scores 0, and all but the four that touch the dot in the middle are
/// marked `^`.
#[test]
#[ignore = "long: three gigabytes of memory"]
fn first_lines_of_4x4() {
    let start = start(4, 4, Start::American);
    let space = space(&start, SpaceKind::Quiet);
    let solved = Solved::under(&space, Rules::default().with_marks(&start, SpaceKind::Quiet).unwrap());
    let answer = solved.book().answer(&start).unwrap();
    assert!(answer.moves.iter().all(|m| m.score == Score(0) && m.kind == MoveKind::Safe));
    let unmarked: Vec<usize> = answer.moves.iter().filter(|m| m.mark != Some(Mark::Opponent)).map(|m| m.line).collect();
    // Horizontals 9 and 10 of the middle row, verticals 20 + 1 * 5 + 2 and the one below.
    assert_eq!(unmarked, [9, 10, 27, 32]);
}
