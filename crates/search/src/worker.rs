//! Alpha-beta over sums by one thread: whether the score of a position reaches a goal.
//!
//! ```text
//!    reaches(position, goal):
//!        list the moves, likely refutations first                           order
//!        for each move: make its position, look it up                       enhanced transposition cutoffs
//!            the move reaches the goal by bounds that are known: done
//!        for each move that may reach the goal: search its position
//!            the move reaches the goal: done
//! ```
//! A position has scores of one parity only, so a goal of a position stands for a null window of two. A position is made
//! once its turn has come, because most lists are left early. To look it up takes its key only, which mostly follows from
//! what earlier moves left ([`crate::rests`]). Its summands are made once it is searched. Both look-ups are asked for
//! ahead ([`crate::fetch`]).
//!
//! Several threads search the same tree with one table. Each puts moves off that another one searches ([`crate::busy`]),
//! and looks now and then whether a position that it is below has been settled meanwhile.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use dab_board::capture::Decline;
use dab_board::{Graph, LineSet};

use crate::bounds::{Bounds, range_after};
use crate::busy::Busy;
use crate::chains::Chains;
use crate::cut::{self, Cut, Cutter, View};
use crate::hash::Key;
use crate::history::History;
use crate::rests::{Rest, Rests};
use crate::sum::Sum;
use crate::summands::{Height, Summand, Summands};
use crate::table::Table;
use crate::weights::Weights;

/// Positions that a thread searches between two looks at the others.
const LOOK: u64 = 1 << 8;
/// In place of a summand: the isolated chains.
const CHAINS: u8 = u8::MAX;
/// The number of the first kind of isolated chains among the lines.
const N_BOARD_LINES: u8 = dab_board::MAX_LINES as u8;
/// Positions of a list that are looked up together, the first ones and later ones: each look-up waits for memory, several
/// wait at once.
const TOGETHER: [usize; 2] = [2, 6];
/// Moves ahead of the one that is made for which memory is asked.
const AHEAD: usize = 4;
/// What a box given away costs in the order of moves, where a line that reached every goal so far gains 1024.
const GIVEN: i32 = 400;
/// What a unit of work that a move leaves costs beside that, once the move is made.
const HARD: i32 = 2;

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) penalty: i8,
    /// Most bytes of [`Rests`] for each thread.
    pub(crate) rests: u64,
    /// Positions under search, if there are several threads.
    pub(crate) busy: Option<Busy>,
    /// Whether all threads are to give up.
    pub(crate) is_over: AtomicBool,
    /// Asked now and then whether to give up.
    pub(crate) should_stop: &'a (dyn Fn() -> bool + Sync),
}

/// A move that is not made yet.
#[derive(Clone, Copy)]
struct Move {
    /// The least is made first.
    rank: i32,
    /// The most that it may score, if that is known before it is made.
    most: i32,
    /// The summand by its place in the sum, or [`CHAINS`].
    summand: u8,
    /// The link of the summand, or the kind of chain.
    link: u8,
    line: u8,
}

/// A move that is made.
#[derive(Clone, Copy)]
struct Made {
    boxes: u8,
    decline: Decline,
    line: u8,
    /// The summand that it cut, and the link, as in a [`Move`].
    summand: u8,
    link: u8,
    /// What is left of that summand.
    rest: Rest,
    after: Sum,
    key: Key,
    /// Bounds of the score of `after`.
    bounds: Bounds,
    /// Whether it was put off.
    has_waited: bool,
    /// The least is searched first.
    rank: i32,
}

/// The most that a move scores which gives `boxes` boxes away: what it costs beyond a handout, if there is one.
fn most(boxes: u8, decline: Decline) -> i32 {
    match decline {
        Decline::None => i32::MAX,
        _ => i32::from(decline.boxes()) - i32::from(boxes),
    }
}

/// A thread at its search.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    root: Sum,
    /// The summands of the root and those that the moves of the line of play left.
    summands: Summands,
    cutter: Cutter,
    view: View,
    rests: Rests,
    weights: Weights,
    history: History,
    /// The summands of each sum of the line of play by their numbers, then those of the next.
    sums: Vec<u32>,
    moves: Vec<Move>,
    made: Vec<Made>,
    /// The positions above the present one, with their goals.
    path: Vec<(Key, i32)>,
    /// The length of the path at which a settled position lies; all below it is to be left.
    settled: Option<usize>,
    /// New entries of the table that it does not know of.
    pub(crate) n_new: usize,
    /// Positions whose moves were looked at.
    pub(crate) nodes: u64,
}

/// The heights of all stacks.
struct Heights {
    summands: Height,
    moves: usize,
    made: usize,
}

impl<'a> Worker<'a> {
    /// A thread that begins with the quiet position of `graph` in which the lines `filled` are drawn.
    pub(crate) fn new(shared: &'a Shared<'a>, graph: &Graph, filled: LineSet) -> Self {
        let mut summands = Summands::new();
        let chains = summands.push_all(graph, filled);
        let weights = Weights::for_board(graph);
        let root = (0..summands.len()).fold(Sum::new(chains), |sum, id| sum.with(summands.get(id)));
        Self {
            shared,
            root,
            sums: (0..summands.len()).collect(),
            summands,
            cutter: Cutter::new(),
            view: View::default(),
            rests: Rests::new(shared.rests),
            weights,
            history: History::new(graph, weights),
            moves: Vec::new(),
            made: Vec::new(),
            path: Vec::new(),
            settled: None,
            n_new: 0,
            nodes: 0,
        }
    }

    /// Bounds of the score of the root that need no search.
    pub(crate) fn root_bounds(&self) -> Bounds {
        self.known(&self.root, self.root.key())
    }

    /// Bounds of the score of the root that tell whether it reaches `goal`; `None` if the search was given up.
    pub(crate) fn search_root(&mut self, goal: i32) -> Option<Bounds> {
        self.settled = None;
        let root = self.root;
        self.search(&root, 0, goal)
    }

    /// Bounds that need no search.
    fn known(&self, sum: &Sum, key: Key) -> Bounds {
        let bounds = sum.bounds(self.shared.penalty);
        self.shared.table.get(key).map_or(bounds, |known| known.and(bounds))
    }

    /// Bounds of the score of `sum` that tell whether it reaches `goal`; its summands are those from `first` on. `None` if
    /// the search is to be left.
    fn search(&mut self, sum: &Sum, first: usize, goal: i32) -> Option<Bounds> {
        let key = sum.key();
        let known = self.known(sum, key);
        if known.decide(goal) {
            return Some(known);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && self.must_leave() {
            return None;
        }
        let heights = Heights { summands: self.summands.height(), moves: self.moves.len(), made: self.made.len() };
        let nodes = self.nodes;
        self.path.push((key, goal));
        let mut found = self.best(sum, first, known, goal);
        while found.is_none() && self.settled == Some(self.path.len()) {
            // Another thread settled this position. If the table has lost that, the search begins again.
            self.settled = None;
            self.lower(&heights);
            let known = self.known(sum, key);
            found = if known.decide(goal) { Some(known) } else { self.best(sum, first, known, goal) };
        }
        self.path.pop();
        self.lower(&heights);
        if let Some(bounds) = found {
            self.shared.table.put(key, bounds, self.nodes - nodes, &mut self.n_new);
        }
        found
    }

    fn lower(&mut self, heights: &Heights) {
        self.summands.lower(heights.summands);
        self.moves.truncate(heights.moves);
        self.made.truncate(heights.made);
    }

    /// Whether all is over, or a position above is settled.
    #[cold]
    fn must_leave(&mut self) -> bool {
        if self.shared.is_over.load(Ordering::Relaxed) {
            return true;
        }
        if (self.shared.should_stop)() {
            self.shared.is_over.store(true, Ordering::Relaxed);
            return true;
        }
        if self.shared.busy.is_some() {
            let is_settled =
                |&(key, goal): &(Key, i32)| self.shared.table.get(key).is_some_and(|known| known.decide(goal));
            self.settled = self.path.iter().position(is_settled).map(|at| at + 1);
        }
        self.settled.is_some()
    }

    /// Bounds of the score of a sum by its moves, given those known before.
    fn best(&mut self, sum: &Sum, first: usize, known: Bounds, goal: i32) -> Option<Bounds> {
        let (first_move, first_made) = (self.moves.len(), self.made.len());
        self.list_moves(sum, first);
        let mut low = known.low;
        // The greatest score that a move dealt with so far may still have.
        let mut high = i8::MIN;
        let (mut at, mut n_open) = (first_move, first_made);
        (first_move..first_move + AHEAD).for_each(|ahead| self.fetch_rest(first, ahead));
        for together in TOGETHER.into_iter().chain(std::iter::repeat(TOGETHER[1])) {
            while at < self.moves.len() && self.made.len() < n_open + together {
                let a_move = self.moves[at];
                if a_move.most < goal {
                    // Scores have the parity of the goal.
                    high = high.max((a_move.most - ((a_move.most ^ goal) & 1)) as i8);
                } else {
                    self.fetch_rest(first, at + AHEAD);
                    self.make(sum, first, a_move);
                }
                at += 1;
            }
            if self.made.len() == n_open {
                break;
            }
            for Made { key, bounds, .. } in &mut self.made[n_open..] {
                *bounds = self.shared.table.get(*key).map_or(*bounds, |known| known.and(*bounds));
            }
            let looked_up = n_open..self.made.len();
            for i in looked_up {
                let made = self.made[i];
                let bounds = made.bounds.before_move(made.boxes, made.decline);
                low = low.max(bounds.low);
                if i32::from(low) >= goal {
                    self.history.count(made.line, true);
                    return Some(Bounds { low, high: known.high });
                }
                if i32::from(bounds.high) < goal {
                    high = high.max(bounds.high);
                } else {
                    self.made[n_open] = made;
                    n_open += 1;
                }
            }
            self.made.truncate(n_open);
        }
        let made = first_made..n_open;
        self.sort(first, made.clone());
        for can_wait in [true, false] {
            for at in made.clone() {
                match can_wait {
                    true if at > made.start && self.is_busy(at) => {
                        self.made[at].has_waited = true;
                        continue;
                    }
                    false if !self.made[at].has_waited => continue,
                    _ => {}
                }
                let bounds = self.play(first, at, goal)?;
                let has_reached = i32::from(bounds.low) >= goal;
                self.history.count(self.made[at].line, has_reached);
                low = low.max(bounds.low);
                high = high.max(bounds.high);
                if has_reached {
                    return Some(Bounds { low, high: known.high });
                }
            }
        }
        Some(Bounds { low, high: known.high.min(high.max(low)) })
    }

    /// Sorts moves that are made by their history and by what they leave.
    fn sort(&mut self, first: usize, made: Range<usize>) {
        for i in made.clone() {
            let Made { boxes, line, .. } = self.made[i];
            self.made[i].rank = self.rank(boxes, line) + HARD * self.hardness(first, &self.made[i]);
        }
        self.made[made].sort_by_key(|made| made.rank);
    }

    /// A guess of the work that the position after a move takes: summands in pairs cost nothing, large ones more than small
    /// ones.
    fn hardness(&self, first: usize, made: &Made) -> i32 {
        let all = || {
            let others = (first..self.sums.len()).filter(|&at| at != first + usize::from(made.summand));
            let others = others.map(|at| self.summands.get(self.sums[at])).map(|other| (other.key, other.boxes));
            others.chain(made.rest.summands())
        };
        let Weights { single, .. } = self.weights;
        let work = |(i, (key, boxes))| {
            let mut like = all().enumerate().filter(|(_, (other, _))| *other == key);
            let is_first = like.next().is_some_and(|(at, _)| at == i);
            let boxes = i32::from(boxes);
            if is_first && like.count() % 2 == 0 { boxes * (single + boxes) } else { 0 }
        };
        all().enumerate().map(work).sum()
    }

    /// Whether another thread searches a move.
    fn is_busy(&self, at: usize) -> bool {
        self.shared.busy.as_ref().is_some_and(|busy| busy.is_searched(self.made[at].key))
    }

    /// Lists the moves of a sum whose summands are those from `first` on, in the order in which they are to be made.
    /// Summands, and links of a summand, that are obviously alike are taken once.
    fn list_moves(&mut self, sum: &Sum, first: usize) {
        let begin = self.moves.len();
        self.view.clear();
        for at in first..self.sums.len() {
            let summand = *self.summands.get(self.sums[at]);
            let place = self.view.push(&self.summands, &summand);
            if self.sums[first..at].iter().any(|&other| self.summands.get(other).key == summand.key) {
                continue;
            }
            let number = (at - first) as u8;
            if summand.n_joints == 0 && !self.has_shorter_ring(first, summand.boxes) {
                let rank = self.rank(summand.boxes, summand.line);
                let most = most(summand.boxes, cut::decline_of_ring(summand.boxes));
                self.moves.push(Move { rank, most, summand: number, link: 0, line: summand.line });
            }
            let links = self.summands.links(&summand);
            for (i, &link) in links.iter().enumerate() {
                if !self.view.is_like_another(place, &links[..i], link) {
                    let rank = self.rank(link.boxes, link.line);
                    let most = most(link.boxes, cut::decline(link.boxes));
                    self.moves.push(Move { rank, most, summand: number, link: i as u8, line: link.line });
                }
            }
        }
        for kind in 0..Chains::KINDS {
            if let Some((boxes, decline, _)) = sum.chains.opened(kind) {
                let line = N_BOARD_LINES + kind;
                let (rank, most) = (self.rank(boxes, line), most(boxes, decline));
                self.moves.push(Move { rank, most, summand: CHAINS, link: kind, line });
            }
        }
        self.moves[begin..].sort_unstable_by_key(|a_move| a_move.rank);
    }

    /// Whether a ring need not be opened because there is a shorter one ([`crate::chains`] has the proof).
    fn has_shorter_ring(&self, first: usize, boxes: u8) -> bool {
        let is_shorter = |&id: &u32| {
            let other = self.summands.get(id);
            other.n_joints == 0 && (4..boxes).contains(&other.boxes)
        };
        self.sums[first..].iter().any(is_shorter)
    }

    /// The rank of a move that gives `boxes` boxes away.
    #[inline]
    fn rank(&self, boxes: u8, line: u8) -> i32 {
        GIVEN * i32::from(boxes) - self.history.gain(line)
    }

    /// Asks for the memory of what a listed move leaves, if there is such a move.
    #[inline]
    fn fetch_rest(&self, first: usize, at: usize) {
        let Some(&Move { summand, link, .. }) = self.moves.get(at).filter(|a_move| a_move.summand != CHAINS) else {
            return;
        };
        let summand = self.summands.get(self.sums[first + usize::from(summand)]);
        if let Some(lines) = self.lines_left(summand, link) {
            self.rests.fetch(lines);
        }
    }

    /// Makes a move.
    fn make(&mut self, sum: &Sum, first: usize, a_move: Move) {
        let Move { summand, link, line, .. } = a_move;
        let (boxes, decline, rest, after);
        if summand == CHAINS {
            let chains;
            (boxes, decline, chains) = sum.chains.opened(link).unwrap_or((0, Decline::None, sum.chains));
            (rest, after) = (Rest::default(), sum.with_chains(chains));
        } else {
            let id = self.sums[first + usize::from(summand)];
            (boxes, decline, rest) = self.rest(id, usize::from(summand), link);
            after = rest.added_to(sum.without(self.summands.get(id)));
        }
        let key = after.key();
        self.shared.table.fetch(key);
        let bounds = after.bounds(self.shared.penalty);
        let made = Made { boxes, decline, line, summand, link, rest, after, key, bounds, has_waited: false, rank: 0 };
        self.made.push(made);
    }

    /// Boxes that the opponent may capture when a link of a summand is filled, with what he may decline, and the rest of the
    /// summand. `place` is its number in the view.
    fn rest(&mut self, id: u32, place: usize, link: u8) -> (u8, Decline, Rest) {
        let summand = *self.summands.get(id);
        // A loop may take its stick along, which the lines that are left do not tell.
        let lines = self.lines_left(&summand, link);
        if let Some(rest) = lines.and_then(|lines| self.rests.get(lines)) {
            let link = self.summands.links(&summand)[usize::from(link)];
            return (link.boxes, cut::decline(link.boxes), rest);
        }
        let height = self.summands.height();
        let begin = self.summands.len();
        let Cut { boxes, decline, chains } = self.cutter.cut(&mut self.summands, (id, link), (&self.view, place));
        let mut rest = Rest { chains, ..Rest::default() };
        for (i, id) in (begin..self.summands.len()).enumerate() {
            let piece = self.summands.get(id);
            (rest.keys[i], rest.boxes[i]) = (piece.key, piece.boxes);
        }
        self.summands.lower(height);
        if let Some(lines) = lines {
            self.rests.put(lines, rest);
        }
        (boxes, decline, rest)
    }

    /// The lines that are left when a link of a summand is filled, if they tell the rest: a loop may take its stick along.
    #[inline]
    fn lines_left(&self, summand: &Summand, link: u8) -> Option<LineSet> {
        let link = self.summands.links(summand).get(usize::from(link)).filter(|link| link.a != link.b)?;
        Some(summand.lines - self.summands.lines_of(*link))
    }

    /// Searches the position after a move until it is known whether the move reaches the goal; returns bounds of the score
    /// of the move. `None` if the search is to be left.
    fn play(&mut self, first: usize, at: usize, goal: i32) -> Option<Bounds> {
        let Made { boxes, decline, summand, link, after, key, mut bounds, .. } = self.made[at];
        let (end, height, begin) = (self.sums.len(), self.summands.height(), self.summands.len());
        let place = if summand == CHAINS { end } else { first + usize::from(summand) };
        if place < end {
            let id = self.sums[place];
            let summand = *self.summands.get(id);
            self.view.clear();
            self.view.push(&self.summands, &summand);
            self.cutter.cut(&mut self.summands, (id, link), (&self.view, 0));
        }
        self.sums.extend_from_within(first..place);
        self.sums.extend_from_within((place + 1).min(end)..end);
        self.sums.extend(begin..self.summands.len());
        if let Some(busy) = &self.shared.busy {
            busy.begin(key);
        }
        let (from, to) = range_after(boxes, decline, goal);
        let found = loop {
            let (low, high) = (i32::from(bounds.low), i32::from(bounds.high));
            if low > to || high < from || low >= from && high <= to {
                break Some(bounds);
            }
            let goal_after = if low < from { from } else { to + 2 };
            match self.search(&after, end, goal_after) {
                Some(found) => bounds = bounds.and(found),
                None => break None,
            }
        };
        if let Some(busy) = &self.shared.busy {
            busy.end(key);
        }
        self.sums.truncate(end);
        self.summands.lower(height);
        Some(found?.before_move(boxes, decline))
    }
}
