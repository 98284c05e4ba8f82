//! The rules of capture runs and of quiet moves against plain recursion, on random multigraphs: odd loops, loops of two
//! and three coins, parallel strings, coins of degree up to 5.

use crate::capture::{CaptureRun, Decline, closed_by};
use crate::{Board, Graph, LineSet, Position, Score, quiet};
use proptest::prelude::*;

/// A graph file of random coins and fewer than `most` strings; coins without strings are left out.
pub(crate) fn graph_file(most: usize) -> impl Strategy<Value = String> {
    (1usize..8).prop_flat_map(move |n| {
        // An end beyond the coins is the ground.
        prop::collection::vec((0..n, 0..n + 1), 1..most).prop_map(move |ends| {
            let mut degree = vec![0; n];
            let mut strings = String::new();
            let mut used = vec![false; n];
            for (a, b) in ends {
                if a == b || degree[a] == 5 || (b < n && degree[b] == 5) {
                    continue;
                }
                for coin in [a, b].into_iter().filter(|&coin| coin < n) {
                    degree[coin] += 1;
                    used[coin] = true;
                }
                let b = if b < n { format!("c{b}") } else { "ground".to_owned() };
                strings += &format!("string c{a} {b}\n");
            }
            let coins = (0..n).filter(|&coin| used[coin]).map(|coin| format!("coin c{coin}\n"));
            coins.collect::<String>() + &strings
        })
    })
}

/// Scores of all positions, line by line.
pub(crate) fn plain(graph: &Graph, penalty: i8) -> Vec<Score> {
    let n = graph.strings().len();
    let mut scores = vec![Score(-penalty); 1 << n];
    for filled in (0..(1usize << n) - 1).rev() {
        let here = LineSet(filled as u128);
        let value = |line: usize| {
            let after = scores[filled | 1 << line];
            match closed_by(graph, here, line) {
                0 => -after,
                closed => closed + after,
            }
        };
        scores[filled] = (graph.all() - here).iter().map(value).max().unwrap();
    }
    scores
}

/// The score of a position by the quiet rules. `scores` must be right for all positions with more strings filled.
fn by_quiet_rules(graph: &Graph, filled: LineSet, scores: &[Score]) -> Score {
    let run = CaptureRun::new(graph, filled);
    if run.boxes > 0 {
        return run.score(scores[run.after.0 as usize]);
    }
    let mut best = Score::MIN;
    quiet::for_each_move(graph, filled, |m| best = best.max(m.score(scores[m.after.0 as usize])));
    best
}

#[track_caller]
fn check(text: &str, penalty: i8) {
    let board = Board::from_graph_file("random", text).unwrap();
    let graph = board.graph();
    let scores = plain(graph, penalty);
    for filled in 0..scores.len() - 1 {
        let here = LineSet(filled as u128);
        let position = || Position::new(board.clone(), here).unwrap();
        assert_eq!(by_quiet_rules(graph, here, &scores), scores[filled], "{} of\n{text}", position());
        // Remark 1 of Jobson and others: the better of taking all and declining.
        let run = CaptureRun::new(graph, here);
        let least = i16::from(run.boxes) - i16::from(run.decline.boxes());
        assert!(run.decline == Decline::None || i16::from(scores[filled].0) >= least, "{} of\n{text}", position());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rules_agree_with_plain_recursion(
        text in graph_file(12).prop_filter("no strings", |text| text.contains("string")),
        penalty in 0i8..4,
    ) {
        check(&text, penalty);
    }
}

/// Coins in a ring, and what hangs on it.
fn ring(n: usize, more: &str) -> String {
    let coins: String = (0..n).map(|i| format!("coin c{i}\n")).collect();
    let strings: String = (0..n).map(|i| format!("string c{i} c{}\n", (i + 1) % n)).collect();
    format!("{coins}{strings}{more}")
}

#[test]
fn small_and_odd_loops() {
    for n in 2..8 {
        check(&ring(n, ""), 0);
        // On a stick to the ground, and with a stick of one coin.
        check(&ring(n, "string c0 ground\n"), 0);
        check(&ring(n, "coin d\nstring c0 d\nstring d ground\n"), 0);
        // Beside a chain of three, for which control matters.
        check(&ring(n, "coin d\ncoin e\ncoin f\nstring ground d\nstring d e\nstring e f\nstring f ground\n"), 0);
    }
}

#[test]
fn what_can_be_declined() {
    // Beside a chain of ten, the player who must open it loses; so the score tells whether the loop could be declined.
    let chain: String = (0..10).map(|i| format!("coin d{i}\n")).collect::<String>()
        + &(0..9).map(|i| format!("string d{i} d{}\n", i + 1)).collect::<String>()
        + "string d0 ground\nstring d9 ground\n";
    let score = |n: usize| {
        let board = Board::from_graph_file("ring", &ring(n, &chain)).unwrap();
        let mut best = Score::MIN;
        // The chain alone scores -10 for its opener.
        quiet::for_each_move(board.graph(), LineSet::EMPTY, |m| {
            if m.after.0 < 1 << n {
                best = best.max(m.score(Score(-10)));
            }
        });
        best
    };
    // All taken and the chain opened: -(n - 10). Four left: -(n - 8 + 10).
    assert_eq!([2, 3, 4, 5].map(score), [8, 7, -6, -7].map(Score));
}
