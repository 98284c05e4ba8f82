//! A sensible player that needs no table, for positions whose scores are not known. Its lines are not always best.
//!
//! ```text
//!    position ─► capture run ─► quiet position ─┬ few units:  exactly, every move of it
//!                                               └ many units: a tree of moves, grown where it looks best; each new
//!                                                             leaf is played out once
//!    playout: random safe lines until none is left ─┬ a simple loony endgame:   the theory
//!                                                   └ anything else: the cheapest chain is opened each time
//! ```
//! The number of safe lines left decides who has to open the first long chain (the long chain rule of the Caribou page). Playouts
//! find out who that will be, and what it costs. Equal positions have equal suggestions.

use dab_board::capture::{CaptureRun, Decline};
use dab_board::quiet::{QuietMove, for_each_move};
use dab_board::{Graph, LineIdx, LineSet, Position};
use dab_endgame::allcock;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::theory::Endgame;

/// Units up to which a quiet position is worked out exactly: it leads to at most 2^15 others.
const FEW_UNITS: usize = 15;
/// The same within the tree, which has many such positions.
const FEW_UNITS_OF_LEAF: usize = 10;
/// Chains looked at by all playouts for a suggestion, about; some tenths of a second.
const WORK: usize = 20_000_000;
/// Playouts at most.
const MOST_PLAYOUTS: usize = 20_000;
/// Boxes that a move seems to be better by if it is as good as unknown.
const CURIOSITY: f64 = 4.0;

/// The line that the player would draw.
#[derive(Clone, Debug, Serialize)]
pub struct Suggestion {
    /// The line.
    pub line: LineIdx,
    /// Its name.
    pub name: String,
    /// Net boxes that the player expects from now on.
    pub estimate: f64,
    /// Whether the estimate is the score, because every position after a line was worked out exactly.
    pub is_exact: bool,
}

/// The line that the player draws in a position with a last-move penalty; `None` if the game is over.
pub fn suggest(position: &Position, penalty: i8) -> Option<Suggestion> {
    let graph = position.board().graph();
    let run = position.capture_run();
    let mut player = Player::new(graph, penalty, position.drawn());
    let (is_exact, after) = player.look_ahead(run.after);
    // A best line takes everything that falls, but for a handout; others would only give it away.
    let leads_on = |&line: &LineIdx| {
        let next = CaptureRun::new(graph, position.drawn().with(line)).after;
        if run.boxes > 0 { next == run.after } else { is_exact || Some(next) == after }
    };
    let mut best: Option<(LineIdx, f64)> = None;
    for line in position.undrawn().iter().filter(leads_on) {
        let (after, closed) = position.draw(line);
        let value = player.value(after.drawn());
        let value = if closed > 0 { f64::from(closed) + value } else { -value };
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((line, value));
        }
    }
    let (line, estimate) = best?;
    Some(Suggestion { line, name: position.board().line_name(line).to_owned(), estimate, is_exact })
}

/// Values of positions for the player to move, in net boxes.
struct Player<'a> {
    graph: &'a Graph,
    penalty: f64,
    random: fastrand::Rng,
    /// Quiet positions that were worked out exactly.
    scores: FxHashMap<u128, f64>,
    /// All others of the tree.
    tree: FxHashMap<u128, Node>,
}

/// A quiet position of the tree.
#[derive(Clone, Copy)]
struct Node {
    visits: f64,
    /// The sum of the values of all visits.
    sum: f64,
}

impl<'a> Player<'a> {
    fn new(graph: &'a Graph, penalty: i8, drawn: LineSet) -> Self {
        Self {
            graph,
            penalty: penalty.into(),
            random: fastrand::Rng::with_seed(drawn.0 as u64 ^ (drawn.0 >> 64) as u64),
            scores: FxHashMap::default(),
            tree: FxHashMap::default(),
        }
    }

    /// Works out a quiet position, exactly or by a tree. Returns whether it is exact, and the position after the move that the
    /// tree prefers.
    fn look_ahead(&mut self, drawn: LineSet) -> (bool, Option<LineSet>) {
        let moves = moves(self.graph, drawn);
        if moves.len() <= FEW_UNITS {
            self.score(drawn);
            return (true, None);
        }
        // A playout has about as many moves as there are units, each of which looks at half of them.
        let n_playouts = (WORK / (moves.len() * moves.len() / 2)).min(MOST_PLAYOUTS);
        (0..n_playouts).for_each(|_| _ = self.visit(drawn));
        let visits = |m: &&QuietMove| self.tree.get(&m.after.0).map_or(0.0, |node| node.visits);
        (false, moves.iter().max_by(|a, b| visits(a).total_cmp(&visits(b))).map(|m| m.after))
    }

    /// The value of any position.
    fn value(&mut self, drawn: LineSet) -> f64 {
        let CaptureRun { boxes, decline, after } = CaptureRun::new(self.graph, drawn);
        let after = match self.tree.get(&after.0) {
            Some(node) => node.sum / node.visits,
            None => self.score(after),
        };
        run_value(boxes, decline, after, after)
    }

    /// The score of a quiet position, from those of all that it leads to.
    fn score(&mut self, drawn: LineSet) -> f64 {
        if let Some(&known) = self.scores.get(&drawn.0) {
            return known;
        }
        let values = moves(self.graph, drawn).into_iter().map(|m| {
            let score = self.score(m.after);
            -run_value(m.boxes, m.decline, score, score)
        });
        // The player of the last line pays the penalty; nobody's turn comes after it.
        let score = values.reduce(f64::max).unwrap_or(-self.penalty);
        self.scores.insert(drawn.0, score);
        score
    }

    /// Visits a quiet position of the tree: goes on with the move that looks best or is hardly known, down to a new leaf.
    /// Returns the value that this finds.
    fn visit(&mut self, drawn: LineSet) -> f64 {
        let moves = moves(self.graph, drawn);
        let value = if moves.len() <= FEW_UNITS_OF_LEAF {
            self.score(drawn)
        } else if let Some(node) = self.tree.get(&drawn.0) {
            let unknown = CURIOSITY * node.visits.ln().sqrt();
            let promise = |m: &QuietMove| match self.tree.get(&m.after.0) {
                Some(next) => {
                    let mean = next.sum / next.visits;
                    unknown / next.visits.sqrt() - run_value(m.boxes, m.decline, mean, mean)
                }
                None => f64::INFINITY,
            };
            let promises: Vec<f64> = moves.iter().map(promise).collect();
            let most = promises.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let next = promises.iter().position(|&promise| promise == most).map_or(moves[0], |i| moves[i]);
            let value = self.visit(next.after);
            let mean = self.tree.get(&next.after.0).map_or(value, |node| node.sum / node.visits);
            -run_value(next.boxes, next.decline, mean, value)
        } else {
            self.playout(drawn)
        };
        let node = self.tree.entry(drawn.0).or_insert(Node { visits: 0.0, sum: 0.0 });
        node.visits += 1.0;
        node.sum += value;
        value
    }

    /// The value of a quiet position if it goes on as described above.
    fn playout(&mut self, mut drawn: LineSet) -> f64 {
        let mut turns = Vec::new();
        let end = loop {
            let mut moves = moves(self.graph, drawn);
            let n_safe = moves.iter().filter(|m| m.boxes == 0).count();
            let next = if n_safe > 0 {
                moves.retain(|m| m.boxes == 0);
                moves[self.random.usize(..n_safe)]
            } else if self.penalty == 0.0
                && let Some(endgame) = Endgame::find(self.graph, drawn)
            {
                break -(allcock::value(&endgame.multiset) as f64);
            } else if let Some(&cheapest) = moves.iter().min_by_key(|m| m.boxes) {
                cheapest
            } else {
                break -self.penalty;
            };
            turns.push(next);
            drawn = next.after;
        };
        turns.iter().rev().fold(end, |after, m| -run_value(m.boxes, m.decline, after, after))
    }
}

fn moves(graph: &Graph, drawn: LineSet) -> Vec<QuietMove> {
    let mut moves = Vec::new();
    for_each_move(graph, drawn, |m| moves.push(m));
    moves
}

/// The value for the player who makes a capture run, if the game goes on with `value` for the player to move then. The player
/// declines by the mean of such values, as nobody knows how the game will go on; see [`Decline::score`].
fn run_value(boxes: u8, decline: Decline, mean: f64, value: f64) -> f64 {
    let [boxes, left] = [boxes, decline.boxes()].map(f64::from);
    if decline != Decline::None && mean < -left { boxes - 2.0 * left - value } else { boxes + value }
}
