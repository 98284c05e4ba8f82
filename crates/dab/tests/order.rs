//! The order of Caribou Rule 4 on boards: examples of the page, and simple endgames against `dab_endgame::caribou`. A module of
//! `caribou::order`, whose private items it looks at.

use super::*;
use crate::theory::Endgame;
use dab_board::graph::GraphString;
use dab_board::{Position, Score};
use dab_endgame::caribou;
use rustc_hash::FxHashMap;

fn position(text: &str) -> Position {
    dab_board::notation::parse(text).unwrap()
}

/// Boxes of each opening in order, `l` behind loops.
fn order(position: &Position) -> String {
    let order = Order::new(position.board().graph(), position.drawn());
    let word = |m: &QuietMove| format!("{}{}", m.boxes, if m.decline == Decline::Four { "l" } else { "" });
    order.0.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn examples_of_the_page() {
    // Example 4, a T: after a safe line in its corner, the chain of 3 on the left goes first and leaves a chain of 9.
    let t = "+---+---+---+   +\n|           |\n+   +   +   +   +\n|   |   |       |\n+   +   +---+---+\n\
             |   |           |\n+   +---+---+   +";
    assert_eq!(order(&position(t)), "0 3 9");
    // Example 5, a P: the chain of 4 leaves a loop of 8.
    let p = "+---+---+---+---+\n|               |\n+   +---+---+   +\n|               |\n+   +---+---+---+\n\
             |               |\n+---+---+---+   +";
    assert_eq!(order(&position(p)), "4 8l");
    // Example 6, a P and a chain: the attached chain of 6 goes before the chain of 3, which is kept.
    let p = "+---+---+---+---+   +\n|               |   |\n+   +   +---+   +   +\n|   |           |   |\n\
             +   +---+---+---+   +\n|               |   |\n+---+---+---+   +   +";
    assert_eq!(order(&position(p)), "6 6l 3");
}

/// A loop of `p` boxes on a chain of `n`, and a chain of `m`.
fn p_and_chain(p: usize, n: usize, m: usize) -> Graph {
    let mut strings = Vec::new();
    let mut string = |a, b| strings.push(GraphString::new(a, b, 0));
    (0..p).for_each(|i| string(Some(i), Some((i + 1) % p)));
    (0..n).for_each(|i| string(Some(if i == 0 { 0 } else { p + i - 1 }), Some(p + i)));
    string(Some(p + n - 1), None);
    (0..m).for_each(|i| string((i > 0).then_some(p + n + i - 1), Some(p + n + i)));
    string(Some(p + n + m - 1), None);
    Graph::new(p + n + m, strings)
}

fn score(graph: &Graph, drawn: LineSet, known: &mut FxHashMap<LineSet, Score>) -> Score {
    if let Some(&score) = known.get(&drawn) {
        return score;
    }
    let mut best = None;
    for_each_move(graph, drawn, |m| best = best.max(Some(m.score(score(graph, m.after, known)))));
    *known.entry(drawn).or_insert(best.unwrap_or(Score(0)))
}

/// Example 6 for 72 boards: the boxes of the player to move if the attached chain of n boxes is opened, and if that of m is.
#[test]
fn the_formula_of_example_6() {
    let mut n_boards = 0;
    for (p, m) in [4, 6, 8, 10].into_iter().flat_map(|p| (3..=6).map(move |m| (p, m))) {
        for n in m..=8 {
            let graph = p_and_chain(p, n, m);
            let first = Order::new(&graph, LineSet::EMPTY).0[0];
            assert_eq!((first.boxes as usize, first.decline), (n, Decline::Two));
            let (mut known, mut boxes) = (FxHashMap::default(), FxHashMap::default());
            let mut moves = Vec::new();
            for_each_move(&graph, LineSet::EMPTY, |m| moves.push(m));
            for opened in moves {
                let net = i32::from(opened.score(score(&graph, opened.after, &mut known)).0);
                let apart = opened.after.has(graph.strings().len() - 1);
                boxes.insert((opened.boxes, apart), ((p + n + m) as i32 + net) / 2);
            }
            let (p, m) = (p as i32, m as i32);
            let formula = (p + (m - 4).max(0)).min(6.min(m + 2));
            assert_eq!(boxes[&(n as u8, false)], formula, "{p} {n} {m}");
            assert_eq!(boxes[&(m as u8, true)], 4, "{p} {n} {m}");
            n_boards += 1;
        }
    }
    assert_eq!(n_boards, 72);
}

/// Positions of several boards with up to `most` undrawn lines.
fn quiet_positions(most: usize) -> impl Iterator<Item = Position> {
    let mut random = fastrand::Rng::with_seed(3);
    (0..3_000).filter_map(move |i| {
        let start: Position = ["3x3", "3x4", "4x4"][i % 3].parse().unwrap();
        let mut lines: Vec<_> = start.undrawn().iter().collect();
        random.shuffle(&mut lines);
        let n_drawn = lines.len() - random.usize(1..most.min(lines.len()));
        let drawn = lines[..n_drawn].iter().copied().collect();
        let quiet = Position::new(start.board().clone(), drawn).unwrap().capture_run().after;
        Some(Position::new(start.board().clone(), quiet).unwrap()).filter(|quiet| !quiet.undrawn().is_empty())
    })
}

#[test]
fn simple_endgames_have_the_order_of_the_theory() {
    let mut n_endgames = 0;
    for position in quiet_positions(20) {
        let graph = position.board().graph();
        let Some(endgame) = Endgame::find(graph, position.drawn()) else { continue };
        let order = Order::new(graph, position.drawn());
        assert_eq!(
            endgame.opened_by(order.0[0].after - position.drawn()),
            [caribou::opening(&endgame.multiset).unwrap()]
        );
        let forecast = caribou::forecast(&endgame.multiset);
        assert_eq!(i64::from(order.margin()), forecast.controller as i64 - forecast.opener as i64, "{position}");
        n_endgames += 1;
    }
    assert!(n_endgames > 50, "{n_endgames}");
}

#[test]
fn control_is_the_count_of_rule_6() {
    let mut n_long = 0;
    for position in quiet_positions(40) {
        let order = Order::new(position.board().graph(), position.drawn());
        let (n_chains, n_loops) = (order.count(Decline::Two), order.count(Decline::Four));
        let surplus = position.undrawn().len() as i64 - position.open_boxes() as i64;
        assert_eq!(order.0.len() as i64, surplus + n_loops as i64, "{position}");
        if n_chains + n_loops > 0 {
            assert_eq!(order.mover_controls(), (surplus - n_chains as i64).rem_euclid(2) == 1, "{position}");
            n_long += 1;
        }
    }
    assert!(n_long > 1_000, "{n_long}");
}
