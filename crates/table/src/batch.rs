//! Many positions at once: their scores, and those of their moves.
//!
//! ```text
//!    positions, in pieces ─► capture runs and places ─ by slab ─► stored scores ─► scores, scores of moves, best lines
//! ```
//! Each step is shared out among threads, and each slab is gone to once for some million scores. The moves of a position share
//! work, and those that lead to one stored position its score: see [`AfterLines`].

use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::slice;

use dab_board::capture::{AfterLines, CaptureRun, Decline, closed_by};
use dab_board::{IllegalMove, LineIdx, LineSet, Score};
use dab_space::{Place, Rules, SpaceKind};
use dab_store::{Crew, Scattered};

use crate::answer::worth;
use crate::{Book, TableError};

/// Stored scores that are looked up together, about. Each takes some forty bytes meanwhile.
const TOGETHER: usize = 1 << 23;
/// Stored scores of a piece, about: enough for several of one slab, and few enough for the caches of a core.
const PIECE: usize = 1 << 15;

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

/// Numbers of the positions of a piece, what they want, the stored scores of it, and where the answers go.
type Looked<'a, T> = (((Range<usize>, Vec<Wanted>), Vec<i8>), &'a mut [T]);

/// Scores that are wanted together, by one thread.
struct Piece {
    places: Vec<Place>,
    wanted: Vec<Wanted>,
}

/// The scores that were wanted, from the stored values of the piece.
struct Finished<'a> {
    wanted: slice::Iter<'a, Wanted>,
    stored: &'a [i8],
    rules: Rules,
}

impl<'a> Book<'a> {
    /// Many positions of the book's own board, given by their drawn lines, to be asked together.
    pub fn batch<'b>(&self, drawn: &'b [LineSet]) -> Batch<'b>
    where
        'a: 'b,
    {
        Batch::new(*self, drawn)
    }

    /// The scores of such positions, by the calling thread alone.
    ///
    /// # Errors
    /// As [`Book::probe`].
    pub fn probe_all(&self, drawn: &[LineSet]) -> Result<Vec<Score>, TableError> {
        Ok(self.batch(drawn).by(Crew::Alone).scores()?)
    }
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
        let want = |i: usize, piece: &mut Piece, _: &mut AfterLines| self.want(piece, self.drawn[i], None);
        self.each([1, 1, 1], Score(0), want, |_, scores, found| {
            found.iter_mut().zip(scores).for_each(|(to, score)| *to = score)
        })
    }

    /// The scores of every move, a row for each position and in it a score for each line of the board: net boxes for the player
    /// who draws the line, those that it closes included; [`Batch::DRAWN`] where it is drawn already.
    ///
    /// # Errors
    /// As [`Batch::scores`], for the positions and those that their moves lead to.
    pub fn move_scores(&self) -> Result<Vec<Score>, BatchError> {
        let want = |i: usize, piece: &mut Piece, lines: &mut AfterLines| self.want_moves(i, piece, lines);
        let n_lines = self.book.board().n_lines();
        self.each(self.per_position(n_lines), Self::DRAWN, want, |i, scores, row| {
            self.undrawn(i).iter().zip(scores).for_each(|(line, score)| row[line] = score);
        })
    }

    /// The best lines of the positions; none where every line is drawn.
    ///
    /// # Errors
    /// As [`Batch::move_scores`].
    pub fn best(&self) -> Result<Vec<LineSet>, BatchError> {
        let want = |i: usize, piece: &mut Piece, lines: &mut AfterLines| self.want_moves(i, piece, lines);
        self.each(self.per_position(1), LineSet::EMPTY, want, |i, scores, found| {
            let (mut best, mut highest) = (LineSet::EMPTY, Score::MIN);
            for (line, score) in self.undrawn(i).iter().zip(scores) {
                if score > highest {
                    (best, highest) = (LineSet::EMPTY, score);
                }
                if score == highest {
                    best = best.with(line);
                }
            }
            found[0] = best;
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
        let want = |i: usize, piece: &mut Piece, _: &mut AfterLines| {
            let (drawn, line) = (self.drawn[i], lines[i]);
            self.want(piece, drawn, None)?;
            IllegalMove::check(line, drawn, self.book.board()).map_err(|error| {
                let position = format!("{}:{:x}", self.book.board().name(), drawn.0);
                TableError::NoSuchMove { position, error }
            })?;
            self.want(piece, drawn.with(line), Some(closed_by(self.book.board().graph(), drawn, line)))
        };
        self.each([2, 2, 1], 0, want, |_, scores, found| {
            if let (Some(best), Some(reached)) = (scores.next(), scores.next()) {
                found[0] = best - reached;
            }
        })
    }

    /// The values that `finish` makes of every position, in order: `n_found` of each, where `nothing` was before. It is given the number of the
    /// position and the scores that `want` wanted for it, about `n_wanted`, which follow from about `n_stored` stored ones.
    fn each<T: Copy + Send>(
        &self,
        [n_stored, n_wanted, n_found]: [usize; 3],
        nothing: T,
        want: impl Fn(usize, &mut Piece, &mut AfterLines) -> Result<(), TableError> + Send + Sync,
        finish: impl Fn(usize, &mut Finished<'_>, &mut [T]) + Send + Sync,
    ) -> Result<Vec<T>, BatchError> {
        let [together, piece] = [TOGETHER, PIECE].map(|scores| (scores / n_stored).max(1));
        let go_on = || if (self.should_stop)() { Err(TableError::Stopped) } else { Ok(()) };
        let scattered = Scattered::new(self.book.space);
        let mut found = vec![nothing; self.drawn.len() * n_found];
        for begin in (0..self.drawn.len()).step_by(together) {
            let end = self.drawn.len().min(begin + together);
            let ranges: Vec<Range<usize>> =
                (begin..end).step_by(piece).map(|first| first..end.min(first + piece)).collect();
            let pieces = self.crew.map(ranges.clone(), |range| {
                go_on()?;
                let places = Vec::with_capacity(range.len() * n_stored);
                let (mut piece, mut lines) = (
                    Piece { places, wanted: Vec::with_capacity(range.len() * n_wanted) },
                    AfterLines::new(self.book.board().graph()),
                );
                for i in range {
                    want(i, &mut piece, &mut lines).map_err(|error| BatchError { index: Some(i), error })?;
                }
                Ok::<_, BatchError>((scattered.sort(&piece.places), piece.wanted))
            });
            let pieces = pieces.into_iter().collect::<Result<Vec<_>, BatchError>>()?;
            let (places, wanted): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
            let stored = scattered.read(&places, self.crew, |id, shape, places| {
                go_on()?;
                self.book.scores.read_scores(id, shape, places).map_err(TableError::from)
            })?;
            let rows = found[begin * n_found..end * n_found].chunks_mut((piece * n_found).max(1));
            let parts = ranges.into_iter().zip(wanted).zip(stored).zip(rows).collect();
            let finish = |(((range, wanted), stored), rows): Looked<'_, T>| {
                let mut scores = Finished { wanted: wanted.iter(), stored: &stored, rules: self.book.rules };
                range.zip(rows.chunks_mut(n_found)).for_each(|(i, row)| finish(i, &mut scores, row));
            };
            self.crew.map(parts, finish);
        }
        go_on()?;
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
    fn want_moves(&self, i: usize, piece: &mut Piece, lines: &mut AfterLines) -> Result<(), TableError> {
        let (book, drawn) = (&self.book, self.drawn[i]);
        // An error names the position that was asked, not one that follows it.
        let place = |drawn_then| book.place(drawn_then).ok_or_else(|| book.not_held(drawn));
        if book.space.kind() == SpaceKind::Full {
            book.space.mask_of(drawn).ok_or_else(|| book.not_held(drawn))?;
            for line in self.undrawn(i).iter() {
                let (run, closed) = (CaptureRun::none(drawn.with(line)), closed_by(book.board().graph(), drawn, line));
                let stored = piece.place(place(run.after)?);
                piece.want(stored, &run, Some(closed));
            }
            return Ok(());
        }
        let end = lines.work_out(book.board().graph(), drawn);
        book.space.mask_of(end).ok_or_else(|| book.not_held(drawn))?;
        let first = piece.places.len();
        for &end in lines.ends() {
            piece.place(place(end)?);
        }
        lines.iter().for_each(|(_, after)| piece.want((first + after.end) as u32, &after.run, Some(after.closed)));
        Ok(())
    }

    /// Stored scores of a position whose moves are scored, scores that follow from them, and values that are found: about half of the
    /// lines are drawn, and the others are of chains.
    fn per_position(&self, n_found: usize) -> [usize; 3] {
        let n_lines = self.book.board().n_lines();
        let n_wanted = n_lines.div_ceil(2) + 1;
        match self.book.space.kind() {
            SpaceKind::Full => [n_wanted, n_wanted, n_found],
            SpaceKind::Quiet => [n_lines.div_ceil(5), n_wanted, n_found],
        }
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

impl Iterator for Finished<'_> {
    type Item = Score;

    #[inline]
    fn next(&mut self) -> Option<Score> {
        let Wanted { stored, boxes, decline, closed } = *self.wanted.next()?;
        let score = decline.score(boxes, self.rules.score(self.stored[stored as usize]));
        Some(closed.map_or(score, |closed| worth(closed, score)))
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

/// The reason alone.
impl From<BatchError> for TableError {
    fn from(error: BatchError) -> Self {
        error.error
    }
}
