//! Positions solved on the spot: without files, or below the last layer of a book.

use dab_board::{LineIdx, Position};
use dab_book::{Book, BookError};
use dab_solve::{Rules, solve};
use dab_space::{Space, SpaceKind};
use dab_store::{MemoryStore, StoreError};

use super::answer::Source;
use crate::failure::Usage;
use crate::output::message;

/// Most undrawn lines of a position that is solved on the spot.
pub(crate) const MAX_UNDRAWN: usize = 30;

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
        let space = Space::new(position.clone(), SpaceKind::Quiet)?;
        let rules = Rules::new(&space, penalty)?;
        let scores = MemoryStore::new(space.n_layers());
        solve(&space, rules, &scores, u64::MAX, &())?;
        Ok(Self { space, scores, rules })
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
