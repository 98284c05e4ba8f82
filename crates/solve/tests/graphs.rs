//! Boards of every kind: solved by every kernel and over every cut they score what plain recursion says, and the same
//! board gives the same scores whichever way it is written down.

use std::sync::Arc;

use crate::kernel::rows::RowKernel;
use crate::kernel::{Isa, Kernel};
use crate::{naive, solve_with};
use dab_board::{Board, LineSet, Position};
use dab_space::partition::{Group, Partition};
use dab_space::{Budget, Layer, Layout, Rules, Space, SpaceKind, Units};
use dab_store::{MemoryStore, ScoreRead};
use dab_table::Book;

/// A fixed sequence of numbers that look random.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A random multigraph with coins of degree up to 5, as the text of its file.
pub(crate) fn multigraph(numbers: &mut Numbers, n_coins: usize, n_strings: usize) -> String {
    let mut degree = vec![0; n_coins];
    let mut strings = String::new();
    for _ in 0..n_strings {
        let (a, b) = (numbers.below(n_coins), numbers.below(n_coins + 2));
        if a == b || degree[a] == 5 || (b < n_coins && degree[b] == 5) {
            continue;
        }
        degree[a] += 1;
        match degree.get_mut(b) {
            Some(degree) => {
                *degree += 1;
                strings += &format!("string c{a} c{b}\n");
            }
            None => strings += &format!("string c{a} ground\n"),
        }
    }
    let coins = (0..n_coins).filter(|&coin| degree[coin] > 0).map(|coin| format!("coin c{coin}\n"));
    coins.collect::<String>() + &strings
}

fn position(board: &Arc<Board>, drawn: LineSet) -> Position {
    Position::new(board.clone(), drawn).unwrap()
}

/// Solves a space with the reference kernel and with the fast one, and compares every position with plain recursion.
#[track_caller]
fn check_space(space: &Space, penalty: i32, what: &str) {
    let rules = Rules::new(space, penalty).unwrap();
    let start = space.layout().units().start();
    let expected = naive::table(start, penalty as i8);
    let digests = |kernel: &Kernel<'_>| {
        let scores = MemoryStore::new(space.n_layers());
        solve_with(kernel, space, &scores, u64::MAX, &()).unwrap();
        let digests: Vec<_> =
            (0..space.n_layers()).map(|layer| scores.finished(Layer(layer)).unwrap().digest).collect();
        (scores, digests)
    };
    let (scores, reference) = digests(&Kernel::Reference(space, rules));
    let book = Book::new(space, &scores);
    for (entry, &score) in expected.iter().enumerate() {
        let drawn = naive::drawn_lines(start, entry as u64);
        let found = book.probe_drawn(drawn).unwrap();
        assert_eq!(found, score, "{} {:x}, penalty {penalty}, of\n{what}", space.kind(), drawn.0);
    }
    let fast = digests(&Kernel::Rows(RowKernel::new(space, rules, Isa::best()))).1;
    let sizes = space.layout().partition().sizes;
    assert_eq!(fast, reference, "{} {sizes:?}, penalty {penalty}, of\n{what}", space.kind());
}

#[test]
fn random_multigraphs() {
    let mut numbers = Numbers(1);
    let mut n_checked = 0;
    while n_checked < 400 {
        let (n_coins, n_strings) = (2 + numbers.below(7), 4 + numbers.below(10));
        let text = multigraph(&mut numbers, n_coins, n_strings);
        if !text.contains("string") {
            continue;
        }
        let board = Board::from_graph_file("random", &text).unwrap();
        for kind in [SpaceKind::Quiet, SpaceKind::Full] {
            let units = Units::new(position(&board, LineSet::EMPTY), kind).unwrap();
            let penalty = numbers.below(3) as i32;
            check_space(&Space::with_layout(Layout::new(units.clone()).unwrap()), penalty, &text);
            // The index takes small graphs as one piece; any other cut must do as well.
            let groups = [Group::Waist, Group::Upper, Group::Upper, Group::Lower, Group::Lower];
            let cut = units.joints().iter().map(|_| groups[numbers.below(5)]).collect();
            let partition = Partition::new(&units, cut);
            check_space(
                &Space::with_layout(Layout::with_partition(units, partition, &Budget::unbounded()).unwrap()),
                penalty,
                &text,
            );
        }
        n_checked += 1;
    }
}

/// The graph of a board as a file: its lines in order, and without its symmetries.
fn as_file(board: &Board) -> Arc<Board> {
    let mut text: String = (0..board.n_boxes()).map(|at| format!("coin c{at}\n")).collect();
    for string in board.graph().strings() {
        let [a, b] = string.ends.map(|end| end.map_or("ground".to_owned(), |at| format!("c{at}")));
        text += &format!("string {a} {b}\n");
    }
    Board::from_graph_file("same", &text).unwrap()
}

/// Every score of `board` at the positions of `other`, `image` being where its lines lie on the other.
#[track_caller]
fn same_scores(board: &Position, other: &Position, image: impl Fn(usize) -> usize) {
    let spaces = [board, other].map(|start| Space::new(start.clone(), SpaceKind::Quiet).unwrap());
    let stores = spaces.each_ref().map(|space| {
        let scores = MemoryStore::new(space.n_layers());
        crate::solve(space, Rules::new(space, 0).unwrap(), &scores, u64::MAX, &()).unwrap();
        scores
    });
    let books = [0, 1].map(|i| Book::new(&spaces[i], &stores[i]));
    let mut numbers = Numbers(7);
    for _ in 0..2_000 {
        let (mut here, mut there) = (board.drawn(), other.drawn());
        for line in board.undrawn().iter().filter(|_| numbers.below(3) == 0) {
            (here, there) = (here.with(line), there.with(image(line)));
        }
        let answers = [books[0].answer_drawn(here).unwrap(), books[1].answer_drawn(there).unwrap()];
        assert_eq!(answers[0].score, answers[1].score, "{board} {:x}", here.0);
        let score_there = |line: usize| answers[1].moves.iter().find(|m| m.line == line).map(|m| m.score);
        for m in &answers[0].moves {
            assert_eq!(Some(m.score), score_there(image(m.line)), "{board} {:x}, line {}", here.0, m.line);
        }
    }
}

#[test]
fn the_same_board_by_another_name() {
    for name in ["1x7", "2x3", "closed:9", "open:6", "triangles:closed:5", "triangles:open:4"] {
        let board: Position = name.parse().unwrap();
        let file = Position::new(as_file(board.board()), LineSet::EMPTY).unwrap();
        assert_eq!(board.board(), file.board());
        same_scores(&board, &file, |line| line);
    }
    same_scores(&"open:7".parse().unwrap(), &"1x7".parse().unwrap(), |line| line);
}

#[test]
fn a_closed_row_is_a_grid_with_its_top_and_ends_drawn() {
    for n in [1, 2, 8] {
        let closed: Position = format!("closed:{n}").parse().unwrap();
        // Lines of 1xn: the top, the bottom, then n + 1 across.
        let drawn: LineSet = (0..n).chain([2 * n, 3 * n]).collect();
        let grid = Position::new(Board::grid(1, n).unwrap(), drawn).unwrap();
        same_scores(&closed, &grid, |line| if line < n { n + line } else { n + line + 1 });
    }
}

#[test]
fn declared_symmetries_change_no_score() {
    // A cube: every coin on three strings, 48 symmetries.
    let coins = ["000", "001", "010", "011", "100", "101", "110", "111"];
    let mut text: String = coins.map(|coin| format!("coin {coin}\n")).concat();
    for (i, a) in coins.iter().enumerate() {
        for b in coins[i..].iter().filter(|b| a.bytes().zip(b.bytes()).filter(|(x, y)| x != y).count() == 1) {
            text += &format!("string {a} {b}\n");
        }
    }
    let map = |image: fn(&str) -> String| format!("symmetry {}\n", coins.map(image).join(" "));
    let symmetries = map(|c| format!("{}{}", &c[1..], &c[..1]))
        + &map(|c| format!("{}{}{}", &c[1..2], &c[..1], &c[2..]))
        + &map(|c| format!("{}{}", if c.starts_with('0') { "1" } else { "0" }, &c[1..]));
    let plain = Board::from_graph_file("cube", &text).unwrap();
    let cube = Board::from_graph_file("cube", &format!("{text}{symmetries}")).unwrap();
    assert_eq!((plain.symmetries().len(), cube.symmetries().len()), (1, 48));
    let positions = [&cube, &plain].map(|board| position(board, LineSet::EMPTY));
    same_scores(&positions[0], &positions[1], |line| line);
}
