//! The order of lines: those in the middle of the board first, and those that refuted positions before.
//!
//! A line has one number, in whatever position it is drawn. It is the part of all tries of the line that reached the goal of
//! a search, and beside that its place on the board. The middle comes first for the sake of the table: where players follow
//! one order of lines, different lines of play lead to the same positions, so fewer are met.

use std::collections::VecDeque;

use dab_board::Graph;

use crate::chains::Chains;

/// Numbers of the lines of a board, and behind them one for each kind of isolated chain.
pub(crate) const N_LINES: usize = dab_board::MAX_LINES + Chains::KINDS as usize;
/// Times after which old ones count half.
const FULL: u32 = 1 << 16;

/// The gain of the lines in the middle in the order of moves, where a line that reached every goal so far gains 1024.
const CENTRAL: i32 = 900;
/// The gain of isolated chains in place of it.
const CHAINS: i32 = 1050;

/// What is known of a line.
#[derive(Clone, Copy)]
struct Line {
    tried: u32,
    reached: u32,
    /// The part of the tries that reached the goal, in 1/1024.
    rate: i32,
    /// The gain by its place, at most [`CENTRAL`], or [`CHAINS`].
    central: i32,
}

impl Line {
    const NEW: Self = Self { tried: 2, reached: 1, rate: 512, central: CHAINS };
}

/// What is known of the lines of a board.
pub(crate) struct History([Line; N_LINES]);

impl History {
    /// Nothing is known of the lines of `graph` but their places.
    pub(crate) fn new(graph: &Graph) -> Self {
        let mut lines = [Line::NEW; N_LINES];
        let distances = distances(graph);
        let (least, most) = (distances.iter().min().copied(), distances.iter().max().copied());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        for (line, distance) in lines.iter_mut().zip(distances) {
            line.central = CENTRAL - CENTRAL * (distance - least) / (most - least).max(1);
        }
        Self(lines)
    }

    /// The gain of a move that fills the line: how often it reached the goal, in 1/1024 of all times, and its place.
    #[inline]
    pub(crate) fn gain(&self, line: u8) -> i32 {
        let Line { rate, central, .. } = self.0[usize::from(line)];
        rate + central
    }

    /// Counts a try.
    #[inline]
    pub(crate) fn count(&mut self, line: u8, has_reached: bool) {
        let Line { tried, reached, rate, .. } = &mut self.0[usize::from(line)];
        if *tried >= FULL {
            (*tried, *reached) = (*tried / 2, *reached / 2);
        }
        *tried += 1;
        *reached += u32::from(has_reached);
        *rate = (*reached * 1024 / *tried) as i32;
    }
}

/// For each line the distance of the box that is farthest from it, in steps from box to box.
fn distances(graph: &Graph) -> Vec<i32> {
    let mut beside = vec![Vec::new(); graph.joints().len()];
    for string in graph.strings() {
        if let [Some(a), Some(b)] = string.ends {
            beside[a].push(b);
            beside[b].push(a);
        }
    }
    graph.strings().iter().map(|string| farthest(&beside, string.ends.into_iter().flatten())).collect()
}

/// The distance of the box that is farthest from all of these, among those that are connected with them.
fn farthest(beside: &[Vec<usize>], from: impl Iterator<Item = usize>) -> i32 {
    let mut is_reached = vec![false; beside.len()];
    let mut reached: VecDeque<(usize, i32)> = from.map(|at| (at, 0)).collect();
    let mut distance = 0;
    while let Some((at, so_far)) = reached.pop_front() {
        if !std::mem::replace(&mut is_reached[at], true) {
            distance = so_far;
            reached.extend(beside[at].iter().map(|&next| (next, so_far + 1)));
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use dab_board::Board;
    use dab_board::graph::GraphString;

    use super::*;

    #[test]
    fn rates_follow_the_tries() {
        let graph = Graph::new(1, vec![GraphString::new(Some(0), None, 0); 7]);
        let mut history = History::new(&graph);
        let rate = |history: &History, line| history.gain(line) - CENTRAL;
        assert_eq!(rate(&history, 5), 512);
        (0..1_000_000).for_each(|_| history.count(5, false));
        assert!(rate(&history, 5) < 10);
        (0..1_000_000).for_each(|_| history.count(5, true));
        assert!(rate(&history, 5) > 1000);
        assert_eq!(rate(&history, 6), 512);
    }

    #[test]
    fn lines_of_the_middle_come_first() {
        let board = Board::grid(3, 3).unwrap();
        let history = History::new(board.graph());
        let centre = board.graph().strings().iter().position(|string| string.ends == [Some(1), Some(4)]).unwrap();
        let corner = board.graph().strings().iter().position(|string| string.ends.contains(&Some(0))).unwrap();
        assert_eq!(history.gain(centre as u8) - history.gain(corner as u8), CENTRAL);
    }
}
