//! Full space, quiet space and the naive table agree on every position of small boards.

use dab_board::{Board, Position, Score, Start};
use dab_book::Book;
use dab_solve::{Rules, naive, solve};
use dab_space::{Space, SpaceKind};
use dab_store::MemoryStore;
use rayon::prelude::*;

struct Solved {
    space: Space,
    scores: MemoryStore,
}

impl Solved {
    fn new(start: &Position, kind: SpaceKind, penalty: i32) -> Self {
        let space = Space::new(start.clone(), kind).unwrap();
        let scores = MemoryStore::new(space.n_layers());
        solve(&space, Rules::new(&space, penalty).unwrap(), &scores, u64::MAX, &()).unwrap();
        Self { space, scores }
    }

    fn book(&self) -> Book<'_> {
        Book::new(&self.space, &self.scores)
    }
}

/// Compares every position that `start` can lead to, for every penalty.
fn check(start: &Position, penalties: &[i32]) {
    for &penalty in penalties {
        let expected = naive::table(start, penalty as Score);
        for kind in [SpaceKind::Quiet, SpaceKind::Full] {
            let solved = Solved::new(start, kind, penalty);
            let wrong = (0..expected.len()).into_par_iter().find_first(|&entry| {
                let position = Position::new(start.board().clone(), naive::drawn_lines(start, entry as u64)).unwrap();
                solved.book().probe(&position).unwrap() != expected[entry]
            });
            if let Some(entry) = wrong {
                let drawn = naive::drawn_lines(start, entry as u64);
                let position = Position::new(start.board().clone(), drawn).unwrap();
                let found = solved.book().probe(&position).unwrap();
                panic!("{start} {kind} penalty {penalty}: {position} scores {found}, expected {}", expected[entry]);
            }
        }
    }
}

#[test]
fn every_start_of_small_boards() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3)] {
        for start in Start::ALL {
            check(&Position::start(Board::grid(rows, cols).unwrap(), start), &[0, 1, 2, 100]);
        }
    }
}

#[test]
fn american_2x4() {
    check(&"2x4".parse().unwrap(), &[0, 1, 2, 100]);
}

#[test]
fn american_3x3() {
    check(&"3x3".parse().unwrap(), &[0, 1, 2, 100]);
}
