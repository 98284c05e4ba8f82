//! Golden positions: score and every best move of each row of `data/golden/positions.tsv`.

mod common;

use common::{Solved, golden, position, space};
use dab_board::{LineIdx, LineSet, Position, Score};
use dab_book::Book;
use dab_space::SpaceKind;
use rayon::prelude::*;

/// Most undrawn lines of a position that is solved from itself.
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
            score: columns[3].parse().unwrap(),
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

#[test]
fn from_themselves() {
    let rows = rows();
    let few: Vec<&Row> = rows.iter().filter(|row| row.position.undrawn().len() <= FEW).collect();
    assert_eq!(few.len(), 4_892);
    few.into_par_iter().with_max_len(1).for_each(|row| {
        let space = space(&row.position, SpaceKind::Quiet);
        row.check(&Solved::new(&space, 0).book());
    });
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
