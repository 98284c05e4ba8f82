//! Searched scores are those of a solve and of plain recursion.

use crate::Search;
use dab_board::{Board, LineSet, Position, Score, Start};
use dab_solve::{naive, solve};
use dab_space::{Rules, Space, SpaceKind};
use dab_store::MemoryStore;
use dab_table::Book;

/// The score of a position by a search of its own, by so many threads with the least memory.
fn score_by(n_threads: usize, position: &Position, penalty: i8) -> Score {
    let search = Search::new(penalty, n_threads, 32 << 20).unwrap();
    search.find(position, n_threads, &()).score().unwrap()
}

fn score(position: &Position, penalty: i8) -> Score {
    score_by(1, position, penalty)
}

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
fn check(start: &str, penalty: i8, n_positions: usize) {
    let start: Position = start.parse().unwrap();
    let space = Space::new(start.clone(), SpaceKind::Quiet).unwrap();
    let scores = MemoryStore::new(space.n_layers());
    solve(&space, Rules::new(&space, penalty.into()).unwrap(), &scores, u64::MAX, &()).unwrap();
    let book = Book::new(&space, &scores);
    assert_eq!(score(&start, penalty), book.probe(&start).unwrap(), "{start}, penalty {penalty}");
    let mut numbers = Numbers(3);
    // Half of the positions are searched with one table.
    let search = Search::new(penalty, 1, 32 << 20).unwrap();
    for _ in 0..n_positions {
        let of = 1 + numbers.below(6);
        let drawn = start.undrawn().iter().filter(|_| numbers.below(of) == 0).fold(start.drawn(), LineSet::with);
        let position = Position::new(start.board().clone(), drawn).unwrap();
        let expected = book.probe(&position).unwrap();
        let found = match numbers.below(2) {
            0 => score_by(1 + numbers.below(3), &position, penalty),
            _ => search.find(&position, 1, &()).score().unwrap(),
        };
        assert_eq!(found, expected, "{position}, penalty {penalty}");
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
    check("3x3", 0, 2000);
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
            assert_eq!(score(&position, penalty), expected, "penalty {penalty} of\n{coins}{strings}");
        }
        n_checked += 1;
    }
}

/// The normal form of a sum drops isolated chains; here chains of all lengths lie beside a joint or two.
#[test]
fn chains_beside_joints() {
    let mut numbers = Numbers(11);
    for _ in 0..60 {
        let mut file = String::new();
        let mut n_coins = 0;
        // A run of coins from the ground to the ground, legs on some of them.
        let mut run = |length: usize, legs: &[usize]| {
            let coins: Vec<String> = (n_coins..n_coins + length).map(|coin| format!("c{coin}")).collect();
            n_coins += length;
            coins.iter().for_each(|coin| file += &format!("coin {coin}\n"));
            coins.windows(2).for_each(|pair| file += &format!("string {} {}\n", pair[0], pair[1]));
            let ends = [0, length - 1].into_iter().chain(legs.iter().copied());
            ends.for_each(|end| file += &format!("string {} ground\n", coins[end]));
            length + 1 + legs.len()
        };
        let length = 1 + numbers.below(3);
        let legs: Vec<usize> = (0..length).filter(|_| numbers.below(3) > 0).collect();
        let mut n_strings = run(length, &legs);
        while n_strings < 12 {
            let length = [1, 1, 2, 2, 3, 4, 4, 5, 6][numbers.below(9)];
            n_strings += run(length, &[]);
        }
        let position = Position::start(Board::from_graph_file("chains", &file).unwrap(), Start::American);
        for penalty in 0..4 {
            let expected = naive::table(&position, penalty)[0];
            assert_eq!(score(&position, penalty), expected, "penalty {penalty} of\n{file}");
        }
    }
}

/// Opening a loop of four costs nothing by itself, so a chain beside two of them need not be lost.
#[test]
fn a_chain_beside_two_loops() {
    let mut file = String::new();
    (0..16).for_each(|coin| file += &format!("coin c{coin}\n"));
    file += "string c0 ground\nstring c7 ground\n";
    (0..7).for_each(|coin| file += &format!("string c{coin} c{}\n", coin + 1));
    for first in [8, 12] {
        (0..4).for_each(|coin| file += &format!("string c{} c{}\n", first + coin, first + (coin + 1) % 4));
    }
    let position = Position::start(Board::from_graph_file("loops", &file).unwrap(), Start::American);
    assert_eq!(naive::table(&position, 0)[0], Score(0));
    assert_eq!(score(&position, 0), Score(0));
}

/// A table that did not count the entries of short searches would stay as small as it begins.
#[test]
fn short_searches_make_the_table_grow() {
    let search = Search::new(0, 1, 32 << 20).unwrap();
    let before = search.table_bytes();
    let start: Position = "3x3".parse().unwrap();
    let mut numbers = Numbers(7);
    for _ in 0..3000 {
        let drawn = start.undrawn().iter().filter(|_| numbers.below(2) == 0).fold(LineSet::default(), LineSet::with);
        let position = Position::new(start.board().clone(), drawn).unwrap();
        let found = search.find(&position, 1, &());
        assert!(found.score().is_some());
    }
    assert!(search.table_bytes() > before, "{before}");
}
