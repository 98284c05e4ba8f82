//! Puzzles from games: positions in which one line alone keeps the result.
//!
//! ```text
//!    start ─ players by rules ─► few lines left ─ solved ─► the game goes on ─► positions with one line that wins, or ties
//! ```
//! Two players by simple rules play, so positions look like those of real games. A puzzle is graded by these players: 1 if the greedy one
//! finds the line, 2 if only the rules of Caribou do, 3 if these allow other lines, too, 4 if they exclude it. Written as
//! text, puzzles are a file of problems, which `dab problems` checks.

use std::collections::HashSet;
use std::fmt::{self, Display};

use dab_board::{LineIdx, Position};
use dab_table::Tablebase;
use serde::Serialize;

use crate::players::Player;
use crate::text::{as_text, names};
use crate::{Answer, Error};

/// Undrawn lines that a puzzle has at least: others are seen at once.
const FEWEST: usize = 6;

/// A position in which one line keeps the result.
#[derive(Clone, Debug, Serialize)]
pub struct Puzzle {
    /// 1 to 4, by the players who do not find the line.
    pub grade: u8,
    #[serde(serialize_with = "as_text")]
    position: Position,
    /// Net boxes still to come for the player to move.
    score: i32,
    /// The score of the next best line.
    others: i32,
    best: [LineIdx; 1],
    best_names: Vec<String>,
}

/// A problem of `dab problems`.
impl Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { grade, position, score, others, best: [best], .. } = self;
        writeln!(f, "problem   {position}\nsource    a game of players by rules\nverified  by the solved position")?;
        write!(f, "grade     {grade}\nscore     {score}\nbest      {best}\nothers    {others}\nposition  {position}\n")
    }
}

/// Makes puzzles from games; equal seeds make equal ones.
pub struct Puzzles {
    start: Position,
    left: usize,
    random: fastrand::Rng,
    /// The puzzles so far, the least of their symmetric ones.
    known: HashSet<u128>,
}

impl Puzzles {
    /// Games from `start`, of which the positions with at most `left` undrawn lines may be puzzles.
    pub fn new(start: Position, left: usize, seed: u64) -> Self {
        Self { start, left, random: fastrand::Rng::with_seed(seed), known: HashSet::new() }
    }

    /// Plays a game, of which `solve` solves the rest. Returns its hardest puzzle, if it has a new one.
    ///
    /// # Errors
    /// As `solve`, and if the table cannot be read.
    pub fn in_game(
        &mut self,
        solve: impl FnOnce(&Position) -> Result<Tablebase, Error>,
    ) -> Result<Option<Puzzle>, Error> {
        let players = [self.player(), self.player()];
        let (mut now, mut mover) = (self.start.clone(), 0);
        let mut step = |now: &mut Position| {
            let Some(line) = players[mover].line(now, &mut self.random) else { return false };
            let (next, closed) = now.draw(line);
            *now = next;
            if closed == 0 {
                mover = 1 - mover;
            }
            true
        };
        while now.undrawn().len() > self.left {
            step(&mut now);
        }
        let table = solve(&now)?;
        let mut hardest: Option<Puzzle> = None;
        loop {
            let found = puzzle(&now, &table.answer(&now)?);
            let is_new = |puzzle: &Puzzle| !self.known.contains(&least(&puzzle.position));
            if let Some(puzzle) = found.filter(is_new)
                && hardest.as_ref().is_none_or(|hardest| hardest.grade < puzzle.grade)
            {
                hardest = Some(puzzle);
            }
            if !step(&mut now) {
                break;
            }
        }
        self.known.extend(hardest.iter().map(|puzzle| least(&puzzle.position)));
        Ok(hardest)
    }

    fn player(&mut self) -> Player {
        Player::ALL[self.random.usize(..Player::ALL.len())]
    }
}

/// The drawn lines of a position, or of one that is symmetric to it: the least set.
fn least(position: &Position) -> u128 {
    let drawn = || position.drawn().iter();
    let symmetric = position.board().symmetries().iter().map(|map| drawn().fold(0, |set, line| set | 1 << map[line]));
    symmetric.min().unwrap_or(position.drawn().0)
}

/// The puzzle of a position, if it is one.
fn puzzle(position: &Position, answer: &Answer) -> Option<Puzzle> {
    let best = answer.best().next().filter(|_| answer.moves.len() >= FEWEST)?;
    let others = answer.moves.iter().filter(|m| m.line != best).map(|m| m.score.0).max()?;
    if answer.score.0.signum() <= others.signum() {
        return None;
    }
    let finds = |player: Player| player.lines(position) == [best];
    let grade = match () {
        () if finds(Player::Greedy) => 1,
        () if finds(Player::Caribou) => 2,
        () if Player::Caribou.lines(position).contains(&best) => 3,
        () => 4,
    };
    Some(Puzzle {
        grade,
        score: answer.score.0.into(),
        others: others.into(),
        best: [best],
        best_names: names(position.board(), [best]),
        position: position.clone(),
    })
}
