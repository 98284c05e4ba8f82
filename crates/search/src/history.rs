//! The order of lines: by their places on the board, and those first that refuted positions before.
//!
//! A line has one number, in whatever position it is drawn. It is the part of all tries of the line that reached the goal of
//! a search, and beside that its place on the board ([`crate::weights`]).

use std::collections::VecDeque;

use dab_board::Graph;

use crate::chains::Chains;
use crate::weights::Weights;

/// Numbers of the lines of a board, and behind them one for each kind of isolated chain.
pub(crate) const N_LINES: usize = dab_board::MAX_LINES + Chains::KINDS as usize;

/// What is known of a line.
#[derive(Clone, Copy)]
struct Line {
    tried: u32,
    reached: u32,
    /// The part of the tries that reached the goal, in 1/1024.
    rate: i32,
    /// The gain by its place.
    place: i32,
}

/// What is known of the lines of a board.
pub(crate) struct History {
    lines: [Line; N_LINES],
    /// Tries after which old ones count half.
    most: u32,
}

impl History {
    /// Nothing is known of the lines of `graph` but their places.
    pub(crate) fn new(graph: &Graph, weights: Weights) -> Self {
        let Weights { middle, chains, tries, .. } = weights;
        let mut lines = [Line { tried: 2, reached: 1, rate: 512, place: chains }; N_LINES];
        let distances = distances(graph);
        let (least, most) = (distances.iter().min().copied(), distances.iter().max().copied());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        for (line, distance) in lines.iter_mut().zip(distances) {
            line.place = middle - middle * (distance - least) / (most - least).max(1);
        }
        Self { lines, most: tries }
    }

    /// The gain of a move that fills the line: how often it reached the goal, in 1/1024 of all times, and its place.
    #[inline]
    pub(crate) fn gain(&self, line: u8) -> i32 {
        let Line { rate, place, .. } = self.lines[usize::from(line)];
        rate + place
    }

    /// Counts a try.
    #[inline]
    pub(crate) fn count(&mut self, line: u8, has_reached: bool) {
        let Line { tried, reached, rate, .. } = &mut self.lines[usize::from(line)];
        if *tried >= self.most {
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
