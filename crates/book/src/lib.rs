//! Answers from finished scores.
//!
//! ```text
//!    position ─ capture run ─► quiet position ─ index ─► place ─ files ─► score ─ best way to end the run ─► answer
//! ```
//! Works on anything that keeps scores ([`ScoreRead`]): a run directory or a table in memory. Never solves anything.
#![forbid(unsafe_code)]

mod answer;
mod error;

pub use answer::{Answer, MoveScore};
pub use error::BookError;

use dab_board::{Position, Score};
use dab_space::{Space, SpaceKind};
use dab_store::ScoreRead;

/// Scores with the index that tells what they belong to.
pub struct Book<'a> {
    space: &'a Space,
    scores: &'a dyn ScoreRead,
}

impl<'a> Book<'a> {
    /// A book of all positions of `space`, whose scores are in `scores`.
    pub fn new(space: &'a Space, scores: &'a dyn ScoreRead) -> Self {
        Self { space, scores }
    }

    /// The score of a position: net boxes still to come for the player to move.
    ///
    /// # Errors
    /// If the book does not hold the position, or its files are damaged.
    pub fn probe(&self, position: &Position) -> Result<Score, BookError> {
        let units = self.space.layout().units();
        let foreign = || BookError::NotHeld { position: position.to_string(), start: units.start().to_string() };
        if position.board() != units.start().board() {
            return Err(foreign());
        }
        match self.space.kind() {
            SpaceKind::Full => self.stored(position.drawn()).ok_or_else(foreign)?,
            SpaceKind::Quiet => {
                let run = position.capture_run();
                Ok(run.score(self.stored(run.after).ok_or_else(foreign)??))
            }
        }
    }

    /// The stored score of a set of drawn lines, if the space holds it.
    fn stored(&self, drawn: dab_board::LineSet) -> Option<Result<Score, BookError>> {
        let place = self.space.place_of(self.space.mask_of(drawn)?);
        let shape = self.space.shape(self.space.layout().layers()[place.layer][place.slab]);
        Some(self.scores.read_score(place.layer, place.slab, shape, place.row, place.col).map_err(BookError::from))
    }
}
