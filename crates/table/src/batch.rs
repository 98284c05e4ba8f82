//! Many positions at once: their scores, and those of their moves.
//!
//! ```text
//!    positions, in pieces ─► capture runs and places ─ by slab ─► stored scores ─► scores, scores of moves, best lines
//! ```
//! Each step is shared out among threads, and each slab is gone to once for about a million scores. The moves of a position share
//! work: most lines that a capture run draws anyway lead to the stored position in which that run ends.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use dab_board::capture::{CaptureRun, Decline, closed_by};
use dab_board::notation::IllegalMove;
use dab_board::{LineIdx, LineSet, Score};
use dab_space::{Place, Rules, SpaceKind};
use dab_store::{Crew, StoreError, read_scattered};

use crate::answer::worth;
use crate::{Book, TableError};

/// Scores that are looked up together, about. Each takes about a hundred bytes meanwhile.
const TOGETHER: usize = 1 << 21;
/// Scores of a piece, about.
const PIECE: usize = 1 << 13;

/// Many positions of a book's own board, given by their drawn lines. [`Book::batch`] makes one.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    book: Book<'a>,
    drawn: &'a [LineSet],
    crew: Crew,
    should_stop: &'a (dyn Fn() -> bool + Sync),
}

/// The reason why a batch has no answer.
#[derive(Debug)]
pub struct BatchError {
    /// The number of the position that cannot be asked, from 0; `None` if stored scores cannot be read or the batch was stopped.
    pub index: Option<usize>,
    /// The reason.
    pub error: TableError,
}

/// A score that is wanted, by the stored score that it follows from.
struct Wanted {
    /// The number of the stored score within the piece.
    stored: u32,
    /// Boxes that fall in the run to the stored position, and the part that may be declined.
    boxes: u8,
    decline: Decline,
    /// Boxes that the line closes, if it is the score of a line.
    closed: Option<u8>,
}

/// Scores that are wanted together, by one thread.
#[derive(Default)]
struct Piece {
    places: Vec<Place>,
    wanted: Vec<Wanted>,
}

impl<'a> Batch<'a> {
    /// The score of a line that is drawn already, in a row of [`Batch::move_scores`]: less than every score.
    pub const DRAWN: Score = Score::MIN;

    pub(crate) fn new(book: Book<'a>, drawn: &'a [LineSet]) -> Self {
        Self { book, drawn, crew: Crew::Together, should_stop: &never }
    }

    /// The same batch, asked by this crew. All threads ask it if nothing else is said.
    pub fn by(self, crew: Crew) -> Self {
        Self { crew, ..self }
    }

    /// The same batch, which ends with [`TableError::Stopped`] soon after `should_stop` says so.
    pub fn until(self, should_stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { should_stop, ..self }
    }

    /// The scores of the positions: net boxes for the player to move.
    ///
    /// # Errors
    /// If a position does not arise from the start, or its score is not here or damaged.
    pub fn scores(&self) -> Result<Vec<Score>, BatchError> {
        let want = |i: usize, piece: &mut Piece| self.want(piece, self.drawn[i], None);
        self.each(1, want, |_, scores, found| found.extend(scores.next()))
    }

    /// The scores of every move, a row for each position and in it a score for each line of the board: net boxes for the player
    /// who draws the line, those that it closes included; [`Batch::DRAWN`] where it is drawn already.
    ///
    /// # Errors
    /// As [`Batch::scores`], for the positions and those that their moves lead to.
    pub fn move_scores(&self) -> Result<Vec<Score>, BatchError> {
        let want = |i: usize, piece: &mut Piece| self.want_moves(piece, self.drawn[i]);
        self.each(self.moves_at_a_time(), want, |i, scores, found: &mut Vec<Score>| {
            let begin = found.len();
            found.resize(begin + self.book.board().n_lines(), Self::DRAWN);
            self.undrawn(i).iter().zip(scores).for_each(|(line, score)| found[begin + line] = score);
        })
    }

    /// The best lines of the positions; none where every line is drawn.
    ///
    /// # Errors
    /// As [`Batch::move_scores`].
    pub fn best(&self) -> Result<Vec<LineSet>, BatchError> {
        let want = |i: usize, piece: &mut Piece| self.want_moves(piece, self.drawn[i]);
        self.each(self.moves_at_a_time(), want, |i, scores, found| {
            let (mut best, mut highest) = (LineSet::EMPTY, Score::MIN);
            for (line, score) in self.undrawn(i).iter().zip(scores) {
                if score > highest {
                    (best, highest) = (LineSet::EMPTY, score);
                }
                if score == highest {
                    best = best.with(line);
                }
            }
            found.push(best);
        })
    }

    /// The boxes that one line of each position loses against a best one, at least 0. The two scores of a position are looked up,
    /// not all its moves.
    ///
    /// # Errors
    /// As [`Batch::move_scores`], or if a line is drawn already or not of the board.
    ///
    /// # Panics
    /// If there are not as many lines as positions.
    pub fn regrets(&self, lines: &[LineIdx]) -> Result<Vec<i16>, BatchError> {
        assert_eq!(lines.len(), self.drawn.len(), "a line for each position");
        let want = |i: usize, piece: &mut Piece| {
            let (drawn, line) = (self.drawn[i], lines[i]);
            self.want(piece, drawn, None)?;
            IllegalMove::check(line, drawn, self.book.board()).map_err(|error| {
                let position = format!("{}:{:x}", self.book.board().name(), drawn.0);
                TableError::NoSuchMove { position, error }
            })?;
            self.want(piece, drawn.with(line), Some(closed_by(self.book.board().graph(), drawn, line)))
        };
        self.each(2, want, |_, scores, found| {
            if let (Some(best), Some(reached)) = (scores.next(), scores.next()) {
                found.push(i16::from(best.0) - i16::from(reached.0));
            }
        })
    }

    /// What `finish` makes of every position, in order. It is given the number of the position and the scores that `want` wanted for
    /// it, about `at_a_time` of them.
    fn each<T: Send>(
        &self,
        at_a_time: usize,
        want: impl Fn(usize, &mut Piece) -> Result<(), TableError> + Send + Sync,
        finish: impl Fn(usize, &mut dyn Iterator<Item = Score>, &mut Vec<T>) + Send + Sync,
    ) -> Result<Vec<T>, BatchError> {
        let [together, piece] = [TOGETHER, PIECE].map(|scores| (scores / at_a_time).max(1));
        let mut found = Vec::new();
        for begin in (0..self.drawn.len()).step_by(together) {
            if (self.should_stop)() {
                return Err(TableError::Stopped.into());
            }
            let end = self.drawn.len().min(begin + together);
            let ranges: Vec<Range<usize>> =
                (begin..end).step_by(piece).map(|first| first..end.min(first + piece)).collect();
            let pieces = self.crew.map(ranges.clone(), |range| {
                let mut piece = Piece::default();
                for i in range {
                    want(i, &mut piece).map_err(|error| BatchError { index: Some(i), error })?;
                }
                Ok::<_, BatchError>(piece)
            });
            let pieces = pieces.into_iter().collect::<Result<Vec<Piece>, BatchError>>()?;
            let stored = read_scattered(self.book.space, self.book.scores, &pieces, self.crew)?;
            let parts = ranges.into_iter().zip(pieces).zip(stored).collect();
            let finished = self.crew.map(parts, |((range, piece), stored): ((Range<usize>, Piece), Vec<i8>)| {
                let mut scores = piece.wanted.iter().map(|wanted| wanted.score(self.book.rules, &stored));
                let mut part = Vec::with_capacity(range.len());
                range.for_each(|i| finish(i, &mut scores, &mut part));
                part
            });
            finished.into_iter().for_each(|part| found.extend(part));
        }
        Ok(found)
    }

    /// Wants the score of a position, or that of the line that led to it and closed `closed` boxes.
    fn want(&self, piece: &mut Piece, drawn: LineSet, closed: Option<u8>) -> Result<(), TableError> {
        let run = self.book.run_from(drawn);
        let place = self.book.place(run.after).ok_or_else(|| self.book.not_held(drawn))?;
        let stored = piece.place(place);
        piece.want(stored, &run, closed);
        Ok(())
    }

    /// Wants the scores of every move of a position.
    fn want_moves(&self, piece: &mut Piece, drawn: LineSet) -> Result<(), TableError> {
        let (book, is_full) = (&self.book, self.book.space.kind() == SpaceKind::Full);
        // An error names the position that was asked, not one that follows it.
        let not_held = || book.not_held(drawn);
        let end = book.run_from(drawn).after;
        book.space.mask_of(end).ok_or_else(not_held)?;
        let mut stored_at_end = None;
        for (line, closed, run) in CaptureRun::after_each(book.board().graph(), drawn) {
            let run = if is_full { CaptureRun::none(drawn.with(line)) } else { run };
            let stored = match stored_at_end {
                Some(stored) if run.after == end => stored,
                _ => piece.place(book.place(run.after).ok_or_else(not_held)?),
            };
            if run.after == end {
                stored_at_end = Some(stored);
            }
            piece.want(stored, &run, Some(closed));
        }
        Ok(())
    }

    /// Scores that the moves of a position take, about: half of the lines are drawn.
    fn moves_at_a_time(&self) -> usize {
        self.book.board().n_lines().div_ceil(2)
    }

    /// The lines that may still be drawn in a position.
    fn undrawn(&self, i: usize) -> LineSet {
        self.book.board().all() - self.drawn[i]
    }
}

fn never() -> bool {
    false
}

impl Piece {
    /// Wants a stored score; returns its number.
    fn place(&mut self, place: Place) -> u32 {
        self.places.push(place);
        (self.places.len() - 1) as u32
    }

    /// Wants the score that follows from a stored one through a run.
    fn want(&mut self, stored: u32, run: &CaptureRun, closed: Option<u8>) {
        self.wanted.push(Wanted { stored, boxes: run.boxes, decline: run.decline, closed });
    }
}

impl AsRef<[Place]> for Piece {
    fn as_ref(&self) -> &[Place] {
        &self.places
    }
}

impl Wanted {
    /// The score, from the stored values of the piece.
    fn score(&self, rules: Rules, stored: &[i8]) -> Score {
        let score = self.decline.score(self.boxes, rules.score(stored[self.stored as usize]));
        self.closed.map_or(score, |closed| worth(closed, score))
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "number {index}: {}", self.error),
            None => self.error.fmt(f),
        }
    }
}

impl Error for BatchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

impl From<TableError> for BatchError {
    fn from(error: TableError) -> Self {
        Self { index: None, error }
    }
}

impl From<StoreError> for BatchError {
    fn from(error: StoreError) -> Self {
        TableError::from(error).into()
    }
}

/// The reason alone.
impl From<BatchError> for TableError {
    fn from(error: BatchError) -> Self {
        error.error
    }
}
