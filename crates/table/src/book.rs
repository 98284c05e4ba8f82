//! A book: scores with the index of their positions, and the answers that follow from them.
//!
//! ```text
//!    position ─ capture run ─► quiet position ─ index ─► place ─ scores ─► score ─ best way to end the run ─► answer
//! ```
//! Works on anything that keeps scores ([`ScoreRead`]): files, a slab cache, a table in memory.

use std::fmt::Display;
use std::sync::Arc;

use dab_board::capture::{CaptureRun, Decline};
use dab_board::{Board, LineSet, Position, Score};
use dab_space::{Mark, Place, Rules, Space, SpaceKind, UnitMask};
use dab_store::ScoreRead;

use crate::TableError;

/// Scores with the index that tells their positions.
#[derive(Clone, Copy)]
pub struct Book<'a> {
    pub(crate) space: &'a Space,
    pub(crate) scores: &'a dyn ScoreRead,
    pub(crate) rules: Rules,
}

impl<'a> Book<'a> {
    /// A book of all positions of `space`, whose scores are in `scores`.
    pub fn new(space: &'a Space, scores: &'a dyn ScoreRead) -> Self {
        Self { space, scores, rules: Rules::default() }
    }

    /// The same book, of values under these rules.
    pub fn under(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// The score of a position: net boxes still to come for the player to move.
    ///
    /// # Errors
    /// If the book does not hold the position, or its files are damaged.
    pub fn probe(&self, position: &Position) -> Result<Score, TableError> {
        self.check_board(position)?;
        self.probe_drawn(position.drawn())
    }

    /// The score of the position of the book's own board in which the lines `drawn` are drawn.
    ///
    /// # Errors
    /// As [`Book::probe`].
    #[inline]
    pub fn probe_drawn(&self, drawn: LineSet) -> Result<Score, TableError> {
        match self.space.kind() {
            // No run is needed, and making it takes longer than the rest.
            SpaceKind::Full => self.stored(drawn).unwrap_or_else(|| Err(self.not_held(drawn))),
            SpaceKind::Quiet => self.probe_run(drawn, &CaptureRun::new(self.board().graph(), drawn)),
        }
    }

    /// The places of the stored scores that [`Book::answer`] takes, for the position and for each of its moves.
    ///
    /// # Errors
    /// If the position does not arise from the start.
    pub fn places(&self, position: &Position) -> Result<Vec<Place>, TableError> {
        self.check_board(position)?;
        let drawn = position.drawn();
        let after_moves = (self.board().all() - drawn).iter().map(|line| drawn.with(line));
        let place = |drawn: LineSet| self.place(self.run_from(drawn).after).ok_or_else(|| self.not_held(drawn));
        std::iter::once(drawn).chain(after_moves).map(place).collect()
    }

    /// The score of the position `drawn`, in which `run` is what can be captured.
    #[inline]
    pub(crate) fn probe_run(&self, drawn: LineSet, run: &CaptureRun) -> Result<Score, TableError> {
        let stored = |held| self.stored(held).unwrap_or_else(|| Err(self.not_held(drawn)));
        match self.space.kind() {
            SpaceKind::Full => stored(drawn),
            SpaceKind::Quiet => Ok(run.score(stored(run.after)?)),
        }
    }

    /// The same with the mark, if there are marks.
    pub(crate) fn marked_run(&self, drawn: LineSet, run: &CaptureRun) -> Result<(Score, Option<Mark>), TableError> {
        if !self.rules.marks {
            return Ok((self.probe_run(drawn, run)?, None));
        }
        let value = self.value(run.after).unwrap_or_else(|| Err(self.not_held(drawn)))?;
        let after = self.rules.score(value);
        Ok((run.score(after), self.rules.mark(value).map(|mark| mark_before(run, after, mark))))
    }

    /// The run to the stored position that `drawn` is scored by; none where every position is stored.
    #[inline]
    pub(crate) fn run_from(&self, drawn: LineSet) -> CaptureRun {
        match self.space.kind() {
            SpaceKind::Full => CaptureRun::none(drawn),
            SpaceKind::Quiet => CaptureRun::new(self.board().graph(), drawn),
        }
    }

    /// The place of the score of a set of drawn lines, if the space holds it.
    #[inline]
    pub(crate) fn place(&self, drawn: LineSet) -> Option<Place> {
        Some(self.space.place_of(self.space.mask_of(drawn)?))
    }

    /// The stored score of a set of drawn lines, if the space holds it.
    #[inline]
    fn stored(&self, drawn: LineSet) -> Option<Result<Score, TableError>> {
        Some(self.value(drawn)?.map(|value| self.rules.score(value)))
    }

    #[inline]
    fn value(&self, drawn: LineSet) -> Option<Result<i8, TableError>> {
        let place = self.place(drawn)?;
        let shape = self.space.shape(self.space.layout().key(place.id));
        Some(self.scores.read_score(place.id, shape, place.row, place.col).map_err(TableError::from))
    }

    /// The units filled in the stored position that stands for `drawn` and all that are alike.
    pub(crate) fn canonical(&self, drawn: LineSet) -> Result<UnitMask, TableError> {
        let place = self.place(drawn).ok_or_else(|| self.not_held(drawn))?;
        Ok(self.space.mask_at(self.space.layout().key(place.id), place.row, place.col))
    }

    pub(crate) fn board(&self) -> &Arc<Board> {
        self.space.layout().units().start().board()
    }

    pub(crate) fn check_board(&self, position: &Position) -> Result<(), TableError> {
        if position.board() == self.board() { Ok(()) } else { Err(self.foreign(position)) }
    }

    #[cold]
    fn foreign(&self, position: impl Display) -> TableError {
        TableError::NotHeld { position: position.to_string(), start: self.space.layout().units().start().to_string() }
    }

    #[cold]
    pub(crate) fn not_held(&self, drawn: LineSet) -> TableError {
        self.foreign(format_args!("{}:{:x}", self.board().name(), drawn.0))
    }
}

/// The mark of a position from the run that can be captured in it, and from score and mark of the quiet position that it leaves.
pub(crate) fn mark_before(run: &CaptureRun, after: Score, mark: Mark) -> Mark {
    let score = run.score(after);
    let takes_all = run.boxes + after == score;
    let declined = i16::from(run.boxes) - 2 * i16::from(run.decline.boxes());
    let declines = run.decline != Decline::None && declined - i16::from(after.0) == i16::from(score.0);
    match (takes_all, declines) {
        (true, true) => mark.max(-mark),
        (true, false) => mark,
        (false, _) => -mark,
    }
}
