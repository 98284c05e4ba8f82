//! A census: how many positions of the first lines of a game each player wins, and what a first move leaves.
//!
//! ```text
//!    start ─► every set of k more lines ─► scores ─► counts by winner and by score, for k = 0, 1, …
//!          ─► first moves up to symmetry ─► replies ─► third moves that lose ─► counts
//! ```
//! Positions are sets of drawn lines, symmetric ones included: n undrawn lines give C(n, k). While no box is closed, k decides who is
//! to move, so the score tells the winner. Once a box is closed, the set no longer says who closed it, nor who is to move. Such sets are
//! counted by score, and under no winner.

use std::fmt::{self, Display};

use dab_board::{LineIdx, LineSet};
use dab_solve::Observer;
use rayon::prelude::*;
use serde::Serialize;

use crate::figures::{Count, plural};
use crate::limits::slab_budget;
use crate::text::{list, with_penalty};
use crate::{Book, Error, Limits, Remedy, Tablebase};

/// Positions that are made before they are looked up; and those that a thread looks up together.
const BATCH: usize = 1 << 18;
const TOGETHER: usize = 1 << 13;
/// Lines of a first move, a reply and a third move.
const THIRD: usize = 3;

/// Counts of the positions of the first lines of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Census {
    /// The run or book.
    path: String,
    /// The position before the first line.
    start: String,
    /// The last-move penalty, in boxes, which is part of every score.
    penalty: i8,
    /// The counts for each number of lines drawn since the start, from 0 on.
    layers: Vec<CensusLayer>,
    /// One first move of each class of symmetry, the lowest line. `None` if fewer than three lines were counted, or if three lines
    /// can close a box: then not every third line is the first player's.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_moves: Option<Vec<FirstMove>>,
}

/// The positions with equally many lines drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct CensusLayer {
    /// Lines drawn since the start.
    lines: usize,
    /// Sets of `lines` lines.
    positions: u64,
    /// Those in which no box was closed since the start and the first player gets more of the open ones.
    first: u64,
    /// Likewise the second player.
    second: u64,
    /// Likewise neither.
    tied: u64,
    /// Those in which a box was closed since the start.
    closed: u64,
    /// All of them by score, ascending.
    scores: Vec<ScoreCount>,
}

/// The positions with one score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct ScoreCount {
    /// Net boxes still to come for the player to move.
    score: i8,
    /// Their number.
    positions: u64,
}

/// A first move, and all that symmetries of the start make of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct FirstMove {
    /// The line, the lowest of its class.
    line: LineIdx,
    /// Its name.
    name: String,
    /// Lines of the class.
    images: usize,
    /// Net boxes for the first player, who draws it.
    score: i8,
    /// The replies, by their losing third moves, ascending.
    replies: Vec<ReplyCount>,
}

/// The replies that leave equally many losing third moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct ReplyCount {
    /// Lines of the first player after the reply, each of which the second player wins.
    losing: usize,
    /// Replies that leave as many.
    replies: usize,
}

impl Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, start, penalty, layers, first_moves } = self;
        writeln!(f, "{start}, {path}{}\n", with_penalty(*penalty))?;
        let head = ["positions", "first", "second", "tied", "closed"];
        row(f, &"lines", head, &"score for the player to move: positions")?;
        for layer in layers {
            let CensusLayer { lines, positions, first, second, tied, closed, scores } = layer;
            let score = |&ScoreCount { score, positions }: &ScoreCount| format!("{score}: {}", Count(positions.into()));
            let counts = [positions, first, second, tied, closed].map(|&n| Count(n.into()));
            row(f, lines, counts, &list(scores.iter().map(score), ", "))?;
        }
        match first_moves {
            None if layers.len() < 4 => write!(f, "\nfirst moves are listed from --lines 3 on"),
            None => write!(f, "\nfirst moves are not listed: three lines can close a box"),
            Some(first_moves) => {
                write!(f, "\nfirst move  images  score  losing third moves: replies")?;
                first_moves.iter().try_for_each(|first_move| {
                    let FirstMove { name, images, score, replies, .. } = first_move;
                    let reply = |ReplyCount { losing, replies }: &ReplyCount| format!("{losing}: {replies}");
                    let replies = list(replies.iter().map(reply), ", ");
                    write!(f, "\n{name:<10}  {images:>6}  {score:>5}  {replies}")
                })
            }
        }
    }
}

fn row<D: Display>(
    f: &mut fmt::Formatter<'_>,
    lines: &impl Display,
    counts: [D; 5],
    scores: &impl Display,
) -> fmt::Result {
    let [positions, first, second, tied, closed] = counts;
    writeln!(f, "{lines:>5}  {positions:>11}  {first:>11}  {second:>11}  {tied:>11}  {closed:>11}  {scores}")
}

impl Census {
    /// Positions that [`Census::count`] looks at, no more than fit the type: the steps that it tells its observer.
    pub fn n_positions(table: &Tablebase, lines: usize) -> u128 {
        let n = table.start().undrawn().len();
        let of_layers = (0..=lines.min(n)).fold(0, |sum: u128, k| sum.saturating_add(binomial(n, k)));
        let third = if has_third_moves(table, lines.min(n)) { classes(table).len() * (n - 1) * (n - 2) } else { 0 };
        of_layers.saturating_add(third as u128)
    }

    /// Counts the positions with up to `lines` lines more than the start.
    ///
    /// # Errors
    /// If fewer lines are undrawn, the scores of a position are not here or damaged, or `observer` stops it.
    pub fn count(table: &Tablebase, lines: usize, limits: Limits, observer: &dyn Observer) -> Result<Census, Error> {
        let start = table.start();
        let undrawn = start.undrawn().len();
        if lines > undrawn {
            return Err(Error::input(format!(
                "{start} has {} left, not {lines}",
                plural(undrawn as u64, "undrawn line")
            ))
            .with(Remedy::FewerLines));
        }
        let cache = table.cache(slab_budget(table, limits));
        let counter = Counter { table, book: table.book_through(&cache), boxes: open_boxes(table), observer };
        let layers = (0..=lines).map(|k| counter.layer(k)).collect::<Result<_, _>>()?;
        let first_moves = has_third_moves(table, lines).then(|| counter.first_moves()).transpose()?;
        let (path, start) = (table.files().name(), start.to_string());
        Ok(Census { path, start, penalty: table.penalty(), layers, first_moves })
    }
}

/// The undrawn lines around each open box of the start.
fn open_boxes(table: &Tablebase) -> Vec<LineSet> {
    let around = table.board().graph().joints().iter().map(|joint| joint.strings - table.start().drawn());
    around.filter(|lines| !lines.is_empty()).collect()
}

/// Whether third moves are counted: sets of three lines are, and none of the three can close a box.
fn has_third_moves(table: &Tablebase, lines: usize) -> bool {
    lines >= THIRD && open_boxes(table).iter().all(|around| around.len() > THIRD)
}

/// The undrawn lines in classes by the symmetries that keep the start: the lowest of each with their number.
fn classes(table: &Tablebase) -> Vec<(LineIdx, usize)> {
    let (drawn, undrawn) = (table.start().drawn(), table.start().undrawn());
    let image = |map: &[LineIdx], lines: LineSet| lines.iter().map(|line| map[line]).collect::<LineSet>();
    let symmetries = table.board().symmetries().iter().filter(|map| image(map, drawn) == drawn);
    let symmetries: Vec<&Vec<LineIdx>> = symmetries.collect();
    let class = |line: LineIdx| symmetries.iter().map(|map| map[line]).collect::<LineSet>();
    let lowest = undrawn.iter().map(|line| (line, class(line))).filter(|(line, class)| class.lowest() == Some(*line));
    lowest.map(|(line, class)| (line, class.len())).collect()
}

/// The scores of a table, counted.
struct Counter<'a> {
    table: &'a Tablebase,
    book: Book<'a>,
    /// The undrawn lines around each open box of the start.
    boxes: Vec<LineSet>,
    observer: &'a dyn Observer,
}

impl Counter<'_> {
    /// The positions with `k` lines more than the start.
    fn layer(&self, k: usize) -> Result<CensusLayer, Error> {
        let lines: Vec<LineIdx> = self.table.start().undrawn().iter().collect();
        let mut sets = Subsets::new(&lines, k);
        let mut tally = Tally::default();
        loop {
            let batch: Vec<LineSet> = sets.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(tally.into_layer(k));
            }
            let counted = batch.par_chunks(TOGETHER).map(|sets| self.count(sets, k));
            tally = tally.merge(&counted.try_reduce(Tally::default, |a, b| Ok(a.merge(&b)))?);
        }
    }

    /// Counts some sets of `k` lines.
    fn count(&self, sets: &[LineSet], k: usize) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        for (&lines, score) in sets.iter().zip(self.scores(sets)?) {
            tally.by_score[score as u8 as usize] += 1;
            let for_first = if k.is_multiple_of(2) { i16::from(score) } else { -i16::from(score) };
            let is_closed = self.boxes.iter().any(|around| around.is_subset(lines));
            *match for_first.signum() {
                _ if is_closed => &mut tally.closed,
                1 => &mut tally.first,
                0 => &mut tally.tied,
                _ => &mut tally.second,
            } += 1;
        }
        Ok(tally)
    }

    /// One first move of each class of symmetry.
    fn first_moves(&self) -> Result<Vec<FirstMove>, Error> {
        let undrawn = self.table.start().undrawn();
        let first_move = |(line, images): (LineIdx, usize)| {
            let others: Vec<LineIdx> = (undrawn - LineSet::one(line)).iter().collect();
            // By the number of losing third moves: their replies.
            let mut n_replies = vec![0; others.len()];
            for &reply in &others {
                let two = LineSet::one(line).with(reply);
                let third: Vec<LineSet> = (undrawn - two).iter().map(|third| two.with(third)).collect();
                // After three lines the second player is to move.
                let losing = self.scores(&third)?.into_iter().filter(|&score| score > 0).count();
                n_replies[losing] += 1;
            }
            let replies = n_replies.into_iter().enumerate().filter(|(_, replies)| *replies > 0);
            let score = self.book.probe_drawn(self.table.start().drawn().with(line))?;
            Ok(FirstMove {
                line,
                name: self.table.board().line_name(line).to_owned(),
                images,
                score: (-score).0,
                replies: replies.map(|(losing, replies)| ReplyCount { losing, replies }).collect(),
            })
        };
        classes(self.table).into_par_iter().map(first_move).collect()
    }

    /// The scores of the positions with these lines drawn since the start.
    fn scores(&self, sets: &[LineSet]) -> Result<Vec<i8>, Error> {
        if self.observer.should_stop() {
            return Err(Error::stopped("; nothing is kept of a census"));
        }
        let drawn: Vec<LineSet> = sets.iter().map(|&lines| self.table.start().drawn() | lines).collect();
        let scores = self.book.probe_all(&drawn)?;
        self.observer.positions(sets.len() as u64);
        Ok(scores.into_iter().map(|score| score.0).collect())
    }
}

/// Counts of some positions of a layer.
struct Tally {
    first: u64,
    second: u64,
    tied: u64,
    closed: u64,
    /// By the byte of the score.
    by_score: [u64; 256],
}

impl Default for Tally {
    fn default() -> Self {
        Self { first: 0, second: 0, tied: 0, closed: 0, by_score: [0; 256] }
    }
}

impl Tally {
    fn merge(mut self, other: &Self) -> Self {
        self.first += other.first;
        self.second += other.second;
        self.tied += other.tied;
        self.closed += other.closed;
        self.by_score.iter_mut().zip(other.by_score).for_each(|(sum, n)| *sum += n);
        self
    }

    fn into_layer(self, lines: usize) -> CensusLayer {
        let Self { first, second, tied, closed, by_score } = self;
        let count = |score: i8| ScoreCount { score, positions: by_score[score as u8 as usize] };
        let scores = (i8::MIN..=i8::MAX).map(count).filter(|count| count.positions > 0).collect();
        CensusLayer { lines, positions: by_score.iter().sum(), first, second, tied, closed, scores }
    }
}

/// All sets of a number of lines, in lexicographic order of their places.
struct Subsets<'a> {
    lines: &'a [LineIdx],
    /// The places of the lines of the next set, ascending; `None` after the last one.
    places: Option<Vec<usize>>,
}

impl<'a> Subsets<'a> {
    fn new(lines: &'a [LineIdx], k: usize) -> Self {
        Self { lines, places: (k <= lines.len()).then(|| (0..k).collect()) }
    }
}

impl Iterator for Subsets<'_> {
    type Item = LineSet;

    fn next(&mut self) -> Option<LineSet> {
        let places = self.places.as_mut()?;
        let set = places.iter().map(|&place| self.lines[place]).collect();
        // The last place that is not as far to the end as it can be moves on; those behind it follow it.
        let (n, k) = (self.lines.len(), places.len());
        match (0..k).rev().find(|&at| places[at] < n - k + at) {
            Some(at) => {
                let next = places[at] + 1;
                places[at..].iter_mut().zip(next..).for_each(|(place, next)| *place = next);
            }
            None => self.places = None,
        }
        Some(set)
    }
}

/// C(n, k), or a large number where the type is too small.
fn binomial(n: usize, k: usize) -> u128 {
    (0..k).fold(1, |c: u128, i| c.saturating_mul((n - i) as u128) / (i as u128 + 1))
}
