//! Statements of Buzzard and Ciere about chains and loops beside an arbitrary game, on random multigraphs by plain recursion.

use crate::{Board, Score};
use proptest::prelude::*;

use super::multigraphs::{graph_file, plain};

/// Coins and strings of an isolated chain of `n` boxes.
fn chain(name: &str, n: usize) -> String {
    row(name, n) + &format!("string {name}0 ground\nstring {name}{} ground\n", n - 1)
}

/// Those of an isolated loop.
fn ring(name: &str, n: usize) -> String {
    row(name, n) + &format!("string {name}{} {name}0\n", n - 1)
}

fn row(name: &str, n: usize) -> String {
    let coins = (0..n).map(|i| format!("coin {name}{i}\n"));
    let strings = (1..n).map(|i| format!("string {name}{} {name}{i}\n", i - 1));
    coins.chain(strings).collect()
}

/// The score of a game and what stands beside it.
fn score(game: &str, beside: &[String]) -> Score {
    let board = Board::from_graph_file("random", &format!("{game}{}", beside.concat())).unwrap();
    plain(board.graph(), 0)[0]
}

/// Checks that scores of neighbours differ by at most one, so that no two differ by more than their lengths do.
#[track_caller]
fn close(scores: &[Score], game: &str) {
    for pair in scores.windows(2) {
        assert!((pair[0].0 - pair[1].0).abs() <= 1, "{scores:?} beside\n{game}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Lemma 2: one box more or less in a chain, or in a loop, is worth at most one, but a chain of 3 is long and one of 2 is not.
    #[test]
    fn lengths_matter_little(game in graph_file(6)) {
        close(&[1, 2].map(|n| score(&game, &[chain("d", n)])), &game);
        close(&[3, 4, 5, 6, 7].map(|n| score(&game, &[chain("d", n)])), &game);
        close(&[4, 5, 6, 7].map(|n| score(&game, &[ring("d", n)])), &game);
    }

    /// Proposition 4: two chains of a, b ≥ 4 boxes are worth one of a + b − 4.
    #[test]
    fn chains_are_merged(game in graph_file(6), a in 4usize..6, b in 4usize..6) {
        prop_assert_eq!(
            score(&game, &[chain("d", a), chain("e", b)]),
            score(&game, &[chain("d", a + b - 4)]),
            "{} and {} beside\n{}", a, b, game
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Proposition 7: two loops of 8 boxes or more are worth one of their boxes less 8.
    #[test]
    fn loops_are_merged(game in graph_file(5)) {
        let two = score(&game, &[ring("d", 8), ring("e", 8)]);
        prop_assert_eq!(two, score(&game, &[ring("d", 8)]), "beside\n{}", game);
    }
}

/// The bounds of Lemma 2 are needed: a chain of 2 can be opened without a handout, one of 3 cannot.
#[test]
fn a_chain_of_three_is_another_thing() {
    let ten = chain("e", 10);
    let [two, three] = [2, 3].map(|n| score("", &[chain("d", n), ten.clone()]));
    assert!((two.0 - three.0).abs() > 1, "{two:?} {three:?}");
}
