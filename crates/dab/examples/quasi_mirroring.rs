//! The strategy of Jobson, Sledd, White and Wildstrom for boards of one row: the first player draws the line in the middle, and then
//! answers in the mirror until a long chain is opened; from there on she plays best. The floor that it guarantees, by all replies.
//!
//!     cargo run --release -p dab-solver --example quasi_mirroring [BOXES TRIANGLES]
//!
//! The *base graph* (Definition 1) is what lies between the outermost legs of a component, a leg being a string to the ground; the
//! rest is pendant. Its chains (Definition 2) end at the ground or at an inner leg, which is a chain of length 0 itself.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::HashMap;

use dab::{Board, LineIdx, LineSet, Position, Tablebase};

/// A chain of the base graph: its strings from left to right, one more than its length.
type Chain = Vec<LineIdx>;

/// A board of one row.
struct Row {
    start: Position,
    /// The mirror image of each line.
    mirror: Vec<LineIdx>,
    /// The ends of each line.
    ends: Vec<[Option<usize>; 2]>,
}

impl Row {
    fn new(start: Position) -> Self {
        let board = start.board().clone();
        let ends: Vec<_> = board.graph().strings().iter().map(|string| string.ends).collect();
        let last = board.n_boxes() - 1;
        let turned = |ends: [Option<usize>; 2]| {
            let mut ends = ends.map(|end| end.map(|coin| last - coin));
            ends.sort_unstable();
            ends
        };
        let is_mirror =
            |symmetry: &&Vec<LineIdx>| (0..ends.len()).all(|line| ends[symmetry[line]] == turned(ends[line]));
        let mirror = board.symmetries().iter().find(is_mirror).cloned().unwrap_or_else(|| (0..ends.len()).collect());
        Self { start, mirror, ends }
    }

    /// The line in the middle: a leg if it can be one.
    fn first(&self) -> LineIdx {
        let n = self.start.board().n_boxes();
        let is = |line: &LineIdx, a, b| self.ends[*line] == [a, b];
        let leg = (0..self.ends.len()).find(|line| n % 2 == 1 && is(line, None, Some(n / 2)));
        let inner = || (0..self.ends.len()).find(|line| is(line, Some((n / 2).saturating_sub(1)), Some(n / 2)));
        leg.or_else(inner).expect("a line in the middle")
    }

    /// The chains of the base graph.
    fn chains(&self, position: &Position) -> Vec<Chain> {
        let undrawn: Vec<LineIdx> = position.undrawn().iter().collect();
        let legs_of = |coin| undrawn.iter().copied().filter(move |&line| self.ends[line] == [None, Some(coin)]);
        let link = |coin| undrawn.iter().copied().find(|&line| self.ends[line] == [Some(coin), Some(coin + 1)]);
        let n = position.board().n_boxes();
        let (mut chains, mut coin) = (Vec::new(), 0);
        while coin < n {
            let last = (coin..n).find(|&coin| link(coin).is_none()).unwrap_or(n);
            let legs: Vec<(usize, LineIdx)> =
                (coin..=last.min(n - 1)).flat_map(|coin| legs_of(coin).map(move |leg| (coin, leg))).collect();
            for (i, pair) in legs.windows(2).enumerate() {
                let between = (pair[0].0..pair[1].0).filter_map(link);
                let outer = |is_outer, leg| Some(leg).filter(|_| is_outer);
                let first = outer(i == 0, pair[0].1);
                chains.push(first.into_iter().chain(between).chain(outer(i + 2 == legs.len(), pair[1].1)).collect());
            }
            // Inner legs.
            chains.extend(legs.iter().skip(1).rev().skip(1).map(|leg| vec![leg.1]));
            coin = last + 1;
        }
        chains.retain(|chain: &Chain| !chain.is_empty());
        chains
    }

    /// Proposition 1: after a good line nobody can decline.
    fn is_good(&self, position: &Position, chain: &Chain, line: LineIdx) -> bool {
        let base: Vec<LineIdx> = self.chains(position).concat();
        let mut pendant = position.undrawn().iter().filter(|line| !base.contains(line));
        let meets = |other: LineIdx| self.ends[other].iter().flatten().any(|&end| self.ends[line].contains(&Some(end)));
        let is_short = chain.len() <= 2 || chain.len() == 3 && chain[1] == line;
        is_short && !pendant.any(meets)
    }
}

/// The floor by all replies, from positions in which the opponent has to move.
struct Floors<'a> {
    row: &'a Row,
    table: &'a Tablebase,
    known: HashMap<LineSet, Option<i32>>,
}

impl Floors<'_> {
    /// Net boxes that the strategy guarantees from here on; `None` where it has no answer to some reply.
    fn after(&mut self, position: &Position) -> Option<i32> {
        if position.undrawn().is_empty() {
            return Some(0);
        }
        if let Some(&known) = self.known.get(&position.drawn()) {
            return known;
        }
        let mut floor = Some(i32::MAX);
        for line in position.undrawn().iter() {
            let (next, closed) = position.draw(line);
            let net = if closed > 0 {
                self.after(&next).map(|net| net - i32::from(closed))
            } else {
                self.answer(position, &next, line)
            };
            floor = floor.zip(net).map(|(floor, net)| floor.min(net));
        }
        self.known.insert(position.drawn(), floor);
        floor
    }

    /// The same once the opponent has ended a turn with a line.
    fn answer(&mut self, before: &Position, position: &Position, line: LineIdx) -> Option<i32> {
        let chains = self.row.chains(before);
        let chain = chains.into_iter().find(|chain| chain.contains(&line));
        let Some(chain) = chain.filter(|chain| chain.len() <= 3) else {
            // A long chain, or a part that is no longer in the base graph: a decline is possible.
            return Some(self.table.probe(position).ok()?.0.into());
        };
        let run = position.capture_run();
        let taken = Position::new(position.board().clone(), run.after).ok()?;
        if taken.undrawn().is_empty() {
            return Some(run.boxes.into());
        }
        // The mirror image, but the middle line of a chain of two boxes for its outer ones.
        let drawn = self.row.mirror[if chain.len() == 3 { chain[1] } else { line }];
        let (next, closed) = if taken.drawn().has(drawn) { return None } else { taken.draw(drawn) };
        if closed > 0 {
            return None;
        }
        Some(i32::from(run.boxes) + self.after(&next)?)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut most = std::env::args().skip(1).map(|n| n.parse::<usize>());
    let (boxes, triangles) = (most.next().unwrap_or(Ok(8))?, most.next().unwrap_or(Ok(6))?);

    let (mut n_lines, mut n_wrong) = (0, 0);
    for board in ["closed:5", "closed:6", "triangles:closed:3", "triangles:closed:4"] {
        let row = Row::new(board.parse()?);
        let board: &std::sync::Arc<Board> = row.start.board();
        for drawn in 0..1_u128 << board.n_lines() {
            let position = Position::new(board.clone(), LineSet(drawn))?;
            if position.capture_run().decline.boxes() > 0 {
                continue;
            }
            for chain in row.chains(&position) {
                for &line in &chain {
                    let declines = position.draw(line).0.capture_run().decline.boxes() > 0;
                    n_lines += 1;
                    n_wrong += usize::from(declines == row.is_good(&position, &chain, line));
                }
            }
        }
    }
    println!("Proposition 1: {n_lines} lines, {n_wrong} wrong");

    println!("board                 floor  best play");
    let of = |kind: &'static str, most, step| (1..=most).step_by(step).map(move |n| format!("{kind}:{n}"));
    for board in of("triangles:closed", triangles, 1).chain(of("closed", boxes, 1)).chain(of("open", boxes / 2, 1)) {
        let row = Row::new(board.parse()?);
        let table = dab::solve(row.start.clone()).in_memory()?;
        let best = table.probe(&row.start)?;
        let mut floors = Floors { row: &row, table: &table, known: HashMap::new() };
        let (first, closed) = row.start.draw(row.first());
        let floor = floors.after(&first).map(|floor| floor + i32::from(closed));
        println!("{board:<20}  {:>5}  {:>9}", floor.map_or("none".to_owned(), |floor| floor.to_string()), best.0);
    }
    Ok(())
}
