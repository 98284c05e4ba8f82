//! Endgames with joints by tables, beside closed forms after Example 6 of the Caribou page: the boxes of the player who opens.
//!
//! - a dipper, a loop of p boxes on a chain of n that ends at the ground;
//! - earmuffs, loops of p and q boxes joined by a chain of n;
//! - a vine, here three chains that meet in a box.
//!
//!     cargo run --release -p dab-solver --example joined_endgames
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::fmt::Write;

use dab::endgame::Endgame;
use dab::{Board, LineSet, Position};

/// A graph that grows.
#[derive(Default)]
struct Graph {
    coins: String,
    strings: String,
    n_coins: usize,
}

impl Graph {
    fn coin(mut self) -> (Self, String) {
        let name = format!("c{}", self.n_coins);
        writeln!(self.coins, "coin {name}").expect("text");
        self.n_coins += 1;
        (self, name)
    }

    /// A chain of some boxes between two ends.
    fn chain(mut self, from: &str, boxes: usize, to: &str) -> Self {
        let mut last = from.to_owned();
        for _ in 0..boxes {
            let (graph, coin) = self.coin();
            self = graph;
            writeln!(self.strings, "string {last} {coin}").expect("text");
            last = coin;
        }
        writeln!(self.strings, "string {last} {to}").expect("text");
        self
    }

    fn dipper(self, p: usize, n: usize) -> Self {
        let (graph, joint) = self.coin();
        graph.chain(&joint, p - 1, &joint).chain(&joint, n, "ground")
    }

    fn earmuffs(self, p: usize, n: usize, q: usize) -> Self {
        let (graph, one) = self.coin();
        let (graph, other) = graph.coin();
        graph.chain(&one, p - 1, &one).chain(&other, q - 1, &other).chain(&one, n, &other)
    }

    fn vine(self, legs: [usize; 3]) -> Self {
        let (graph, joint) = self.coin();
        legs.iter().fold(graph, |graph, &leg| graph.chain(&joint, leg, "ground"))
    }

    /// Boxes of the player to move under best play, by a table.
    fn opener(&self) -> Result<i64, dab::Error> {
        let board = Board::from_graph_file("joined", &format!("{}{}", self.coins, self.strings)).expect("a graph");
        let start = Position::new(board, LineSet::EMPTY).expect("a position");
        let score = dab::solve(start.clone()).in_memory()?.probe(&start)?;
        Ok((self.n_coins as i64 + i64::from(score.0)) / 2)
    }
}

/// Boxes of the opener of chains and loops alone, by the theory.
fn simple(text: &str) -> i64 {
    let endgame: Endgame = text.parse().expect("an endgame");
    (endgame.size() as i64 - endgame.solve().value) / 2
}

/// Holds a closed form against tables, and prints how often it tells too many boxes.
fn check(name: &str, boards: impl Iterator<Item = (Graph, i64)>) -> Result<(), dab::Error> {
    let mut off = BTreeMap::<i64, usize>::new();
    for (graph, formula) in boards {
        *off.entry(formula - graph.opener()?).or_default() += 1;
    }
    let off: Vec<String> = off.into_iter().map(|(boxes, n)| format!("{n} by {boxes}")).collect();
    println!("{name:<64}  {}", off.join(", "));
    Ok(())
}

fn main() -> Result<(), dab::Error> {
    let new = Graph::default;
    let product = |one: std::ops::RangeInclusive<usize>, other: std::ops::RangeInclusive<usize>| {
        one.flat_map(move |a| other.clone().map(move |b| (a, b)))
    };
    let signed = |n: usize| n as i64;
    let boards = product(4..=10, 3..=8).flat_map(|(p, n)| (3..=8).map(move |m: usize| (p, n, m)));
    check(
        "dipper and chain: min(p + max(0, m - 4), 6, m + 2)",
        boards.map(|(p, n, m)| {
            let formula = signed(p + m.saturating_sub(4)).min(6).min(signed(m + 2));
            (new().dipper(p, n).chain("ground", m, "ground"), formula)
        }),
    )?;
    let pairs = || product(4..=9, 4..=9).filter(|(p, q)| p <= q);
    let boards = pairs().flat_map(|(p, q)| (3..=6).map(move |n| (p, q, n)));
    check("earmuffs: min(p + q - 4, 6)", boards.map(|(p, q, n)| (new().earmuffs(p, n, q), signed(p + q - 4).min(6))))?;
    let boards = pairs().flat_map(|(p, q)| product(3..=6, 3..=10).map(move |(n, m)| (p, q, n, m)));
    check(
        "earmuffs and chain: min(p + q - 2 + max(0, m - 4), 10, m + 6)",
        boards.map(|(p, q, n, m)| {
            let formula = signed(p + q - 2 + m.saturating_sub(4)).min(10).min(signed(m + 6));
            (new().earmuffs(p, n, q).chain("ground", m, "ground"), formula)
        }),
    )?;
    let vines = || product(3..=6, 3..=6).flat_map(|(a, b)| (b..=6).map(move |c| [a, b, c])).filter(|[a, b, _]| a <= b);
    check(
        "vine and chain: its shortest leg, the rest, the chain",
        vines().flat_map(|legs| (3..=8).map(move |m| (legs, m))).map(|(legs @ [a, b, c], m)| {
            (new().vine(legs).chain("ground", m, "ground"), simple(&format!("{a}+{}+{m}", b + c + 1)))
        }),
    )?;
    check(
        "vine and two loops: its shortest leg, the rest, the loops",
        vines().flat_map(|legs| pairs().map(move |loops| (legs, loops))).map(|(legs @ [a, b, c], (p, q))| {
            let ring = |graph: Graph, boxes| {
                let (graph, coin) = graph.coin();
                graph.chain(&coin, boxes - 1, &coin)
            };
            (ring(ring(new().vine(legs), p), q), simple(&format!("{a}+{}+{p}l+{q}l", b + c + 1)))
        }),
    )
}
