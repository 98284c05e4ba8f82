//! Golden positions: score and every best move of each row of `data/golden/positions.tsv`.

use super::common;

use common::{Solved, golden, position, space};
use dab_board::{LineIdx, LineSet, Position, Score};
use dab_space::SpaceKind;
use dab_table::Book;
use rayon::prelude::*;

/// Most undrawn lines of a position that is solved from itself by default.
const FEW: usize = 26;

struct Row {
    position: Position,
    score: Score,
    best: Vec<LineIdx>,
}

impl Row {
    fn new(columns: &[String]) -> Self {
        let board: Position = format!("{}x{}", columns[0], columns[1]).parse().unwrap();
        Self {
            position: position(&board, LineSet(u128::from_str_radix(&columns[2], 16).unwrap())),
            score: Score(columns[3].parse().unwrap()),
            best: columns[4].split(',').map(|line| line.parse().unwrap()).collect(),
        }
    }

    #[track_caller]
    fn check(&self, book: &Book<'_>) {
        let answer = book.answer(&self.position).unwrap();
        let found = (answer.score, answer.best().collect::<Vec<_>>());
        assert_eq!(found, (self.score, self.best.clone()), "{}", self.position);
    }
}

fn rows() -> Vec<Row> {
    golden("positions.tsv", 5_000).iter().map(|columns| Row::new(columns)).collect()
}

/// Solves the positions of which `choose` likes the number of undrawn lines, each on its own; returns how many.
fn check_from_themselves(choose: impl Fn(usize) -> bool) -> usize {
    let rows: Vec<Row> = rows().into_iter().filter(|row| choose(row.position.undrawn().len())).collect();
    rows.par_iter().with_max_len(1).for_each(|row| {
        let space = space(&row.position, SpaceKind::Quiet);
        row.check(&Solved::new(&space, 0).book());
    });
    rows.len()
}

#[test]
fn from_themselves() {
    assert_eq!(check_from_themselves(|undrawn| undrawn <= FEW), 4_892);
}

#[test]
#[ignore = "long: up to 31 undrawn lines, again and again"]
fn from_themselves_with_many_lines() {
    assert_eq!(check_from_themselves(|undrawn| undrawn > FEW), 108);
}

#[test]
fn from_their_boards() {
    let rows = rows();
    for board in ["3x3:0", "3x4:0"] {
        let start: Position = board.parse().unwrap();
        let space = space(&start, SpaceKind::Quiet);
        let solved = Solved::new(&space, 0);
        let of_board = rows.iter().filter(|row| row.position.board() == start.board());
        assert_eq!(of_board.map(|row| row.check(&solved.book())).count(), 1_000, "{board}");
    }
}
