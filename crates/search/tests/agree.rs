//! Searched scores are those of a solve and of plain recursion.

use dab_board::{Board, LineSet, Position, Score, Start};
use dab_book::Book;
use dab_search::score;
use dab_solve::{Rules, naive, solve};
use dab_space::{Space, SpaceKind};
use dab_store::MemoryStore;

/// A fixed sequence of numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// Positions of a board, drawn at random, against a solve of the whole board.
#[track_caller]
fn check(start: &str, penalty: Score, n_positions: usize) {
    let start: Position = start.parse().unwrap();
    let space = Space::new(start.clone(), SpaceKind::Quiet).unwrap();
    let scores = MemoryStore::new(space.n_layers());
    solve(&space, Rules::new(&space, penalty.into()).unwrap(), &scores, u64::MAX, &()).unwrap();
    let book = Book::new(&space, &scores);
    assert_eq!(score(&start, penalty, 1 << 24).score, book.probe(&start).unwrap(), "{start}, penalty {penalty}");
    let mut numbers = Numbers(3);
    for _ in 0..n_positions {
        let of = 1 + numbers.below(6);
        let drawn = start.undrawn().iter().filter(|_| numbers.below(of) == 0).fold(start.drawn(), LineSet::with);
        let position = Position::new(start.board().clone(), drawn).unwrap();
        let expected = book.probe(&position).unwrap();
        assert_eq!(score(&position, penalty, 0).score, expected, "{position}, penalty {penalty}");
    }
}

#[test]
fn narrow_boards() {
    for n in 1..=13 {
        check(&format!("closed:{n}"), 0, 20);
        check(&format!("triangles:closed:{n}"), 0, 20);
    }
    for n in 1..=8 {
        check(&format!("open:{n}"), 0, 20);
        check(&format!("triangles:open:{}", n.min(7)), 0, 20);
    }
}

#[test]
fn grids() {
    for board in ["2x2", "2x3", "2x4"] {
        check(board, 0, 200);
    }
    // Three lines of 3x3 are drawn already: parts with cycles are told apart by the lines they are made of.
    check("3x3:101010", 0, 20);
    let swedish = Position::start(Board::grid(4, 4).unwrap(), Start::Swedish);
    check(&swedish.to_string(), 0, 100);
}

#[test]
fn penalties() {
    for penalty in [1, 2, 3, 100] {
        check("closed:8", penalty, 50);
        check("2x3", penalty, 50);
    }
}

#[test]
fn random_multigraphs() {
    let mut numbers = Numbers(5);
    let mut n_checked = 0;
    while n_checked < 300 {
        let n = 2 + numbers.below(7);
        let mut strings = String::new();
        let mut used = vec![false; n];
        for _ in 0..3 + numbers.below(11) {
            let (a, b) = (numbers.below(n), numbers.below(n + 1));
            if a == b {
                continue;
            }
            used[a] = true;
            let end = if b < n { format!("c{b}") } else { "ground".to_owned() };
            if b < n {
                used[b] = true;
            }
            strings += &format!("string c{a} {end}\n");
        }
        let coins: String = (0..n).filter(|&coin| used[coin]).map(|coin| format!("coin c{coin}\n")).collect();
        let Ok(board) = Board::from_graph_file("random", &format!("{coins}{strings}")) else { continue };
        let position = Position::start(board, Start::American);
        for penalty in [0, 1] {
            let expected = naive::table(&position, penalty)[0];
            assert_eq!(score(&position, penalty, 0).score, expected, "penalty {penalty} of\n{coins}{strings}");
        }
        n_checked += 1;
    }
}
