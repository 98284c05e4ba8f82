//! Positions solved on the spot: without files, or below the last layer of a book.

use std::time::Duration;

use dab_board::{LineIdx, Position};
use dab_book::{Book, BookError};
use dab_solve::plan::Plan;
use dab_solve::{Rules, solve};
use dab_space::{Layout, Space, SpaceError, SpaceKind, Units};
use dab_store::{MemoryStore, StoreError};

use super::answer::Source;
use crate::failure::Usage;
use crate::options::Setting;
use crate::output::{Bytes, message};

/// Most undrawn lines of a position that is solved on the spot.
pub(crate) const MAX_UNDRAWN: usize = 30;

/// What may be solved in passing: one core takes no longer, and no more memory.
const QUICK: (Duration, u64) = (Duration::from_secs(2), 256 << 20);

/// Whether a position takes so little that it can be solved in passing, however many lines are undrawn.
pub(crate) fn is_quick(position: &Position) -> bool {
    plan(position).is_ok_and(|plan| plan.time(1) <= QUICK.0 && memory(&plan, 1) <= QUICK.1)
}

/// Bytes to solve in memory: a byte for each score, and what the work takes.
fn memory(plan: &Plan, threads: usize) -> u64 {
    plan.least_memory(threads).saturating_add(plan.positions().min(u64::MAX.into()) as u64)
}

fn plan(position: &Position) -> Result<Plan, SpaceError> {
    Ok(Plan::new(&Layout::new(Units::new(position.clone(), SpaceKind::Quiet)?)?))
}

/// Every position that one position can lead to, with its score.
pub(crate) struct Solved {
    space: Space,
    scores: MemoryStore,
    rules: Rules,
}

impl Solved {
    /// Solves a position; `remedy` tells what else can be done when there are too many undrawn lines.
    pub(crate) fn new(position: &Position, penalty: i32, remedy: &str) -> anyhow::Result<Self> {
        let undrawn = position.undrawn().len();
        if undrawn > MAX_UNDRAWN {
            return Err(Usage(format!(
                "{position} has {undrawn} undrawn lines, but at most {MAX_UNDRAWN} are solved on the spot; {remedy}"
            ))
            .into());
        }
        Self::of_any_size(position, penalty)
    }

    /// Solves a position with any number of undrawn lines; `remedy` tells what else can be done when it does not fit
    /// into the memory that may be used.
    pub(crate) fn planned(position: &Position, penalty: i32, setting: &Setting, remedy: &str) -> anyhow::Result<Self> {
        let needed = memory(&plan(position)?, setting.threads);
        if needed > setting.memory {
            return Err(Usage(format!(
                "solving {position} needs {} of memory, but {} may be used; {remedy}",
                Bytes(needed.into()),
                Bytes(setting.memory.into()),
            ))
            .into());
        }
        Self::of_any_size(position, penalty)
    }

    fn of_any_size(position: &Position, penalty: i32) -> anyhow::Result<Self> {
        let space = Space::new(position.clone(), SpaceKind::Quiet)?;
        let rules = Rules::new(&space, penalty)?;
        let scores = MemoryStore::new(space.n_layers());
        solve(&space, rules, &scores, u64::MAX, &())?;
        Ok(Self { space, scores, rules })
    }

    /// The position from which all others arise.
    pub(crate) fn start(&self) -> &Position {
        self.space.layout().units().start()
    }

    pub(crate) fn book(&self) -> Book<'_> {
        Book::new(&self.space, &self.scores)
    }

    pub(crate) fn source(&self, marks: bool) -> Source<'_> {
        Source { book: self.book(), name: "solved", penalty: self.rules.penalty, marks }
    }
}

/// Whether an answer needs layers that a book leaves out, or that a run did not keep.
pub(crate) fn is_beyond(error: &BookError) -> bool {
    matches!(error, BookError::Store(StoreError::BeyondBook { .. } | StoreError::Discarded { .. }))
}

impl Source<'_> {
    /// One line of best play, and whether it reaches the end of the game: where a book ends and too many lines are
    /// undrawn to go on, it does not.
    pub(crate) fn best_play(&self, position: &Position) -> anyhow::Result<(Vec<LineIdx>, bool)> {
        let mut play = Vec::new();
        let mut now = position.clone();
        loop {
            let answer = match self.book.answer(&now) {
                Err(error) if is_beyond(&error) && now.undrawn().len() > MAX_UNDRAWN => return Ok((play, false)),
                Err(error) if is_beyond(&error) => {
                    message(format!("{now}: below the book, solved in memory for the best play"));
                    let solved = Solved::new(&now, self.penalty.into(), "")?;
                    play.extend(solved.book().best_play(&now)?);
                    return Ok((play, true));
                }
                answer => answer?,
            };
            let Some(line) = answer.best().next() else { return Ok((play, true)) };
            play.push(line);
            now = now.draw(line).0;
        }
    }
}
