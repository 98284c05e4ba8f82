//! The marks of the positions of a book.
//!
//! Both players play for boxes first. Among moves with the same score a player avoids having to make the next loony
//! move himself, then prefers that the opponent has to.
//! ```text
//!    quiet s:        mark(s) = best over the moves m that reach the score of s
//!                              of  Mover            if the opponent may decline after m
//!                                  -mark(s after m) otherwise
//!    nothing left:   Nobody
//!    capture run:    mark(quiet position left) if taking all is best, -mark(…) if declining is, the better if both
//! ```
//! Where values have marks, answers read them. Else the search visits only quiet positions that optimal play reaches, one for all with
//! the same place, and none that cannot change the mark.

use dab_board::capture::{CaptureRun, Decline};
use dab_board::quiet::for_each_move;
use dab_board::{LineSet, Position};
use dab_space::UnitMask;
use rustc_hash::FxHashMap;

use crate::book::mark_before;
use crate::{Answer, Book, Mark, MoveKind, TableError};

/// Works out the marks of the positions of a book, and keeps those that came up on the way.
pub struct Marks<'a> {
    book: &'a Book<'a>,
    known: FxHashMap<UnitMask, Mark>,
}

impl<'a> Marks<'a> {
    /// Knows nothing yet. The book must hold every position that best play reaches.
    pub fn new(book: &'a Book<'a>) -> Self {
        Self { book, known: FxHashMap::default() }
    }

    /// As [`Book::answer`], with marks.
    ///
    /// # Errors
    /// As [`Book::probe`], for any position that best play reaches.
    pub fn answer(&mut self, position: &Position) -> Result<Answer, TableError> {
        let mut answer = self.book.answer(position)?;
        if answer.mark.is_none() {
            answer.mark = Some(self.mark(position.drawn())?);
            for m in &mut answer.moves {
                let after =
                    if m.kind == MoveKind::Loony { Mark::Mover } else { self.mark(position.drawn().with(m.line))? };
                m.mark = Some(m.kind.mark(after));
            }
        }
        Ok(answer)
    }

    /// The mark of any position of the book's board.
    fn mark(&mut self, drawn: LineSet) -> Result<Mark, TableError> {
        let run = CaptureRun::new(self.book.board().graph(), drawn);
        Ok(mark_before(&run, self.book.probe_drawn(run.after)?, self.quiet(run.after)?))
    }

    /// The mark of a quiet position.
    fn quiet(&mut self, drawn: LineSet) -> Result<Mark, TableError> {
        let name = self.book.canonical(drawn)?;
        if let Some(&mark) = self.known.get(&name) {
            return Ok(mark);
        }
        let Glance { mut best, open } = self.glance(drawn)?;
        // The move with the fewest replies is settled soonest, and may settle this position too.
        let mut replies = Vec::with_capacity(open.len());
        for after in open {
            if best == Mark::Opponent {
                break;
            }
            match self.glance(after)? {
                Glance { best: mark, open } if open.is_empty() => {
                    self.known.insert(self.book.canonical(after)?, mark);
                    best = best.max(-mark);
                }
                Glance { open, .. } => replies.push((open.len(), after)),
            }
        }
        replies.sort_unstable();
        for (_, after) in replies {
            if best == Mark::Opponent {
                break;
            }
            best = best.max(-self.quiet(after)?);
        }
        self.known.insert(name, best);
        Ok(best)
    }

    /// The marks of a quiet position as far as they are known without going deeper.
    fn glance(&self, drawn: LineSet) -> Result<Glance, TableError> {
        let (book, mut moves) = (self.book, Vec::new());
        for_each_move(book.board().graph(), drawn, |m| moves.push(m));
        if moves.is_empty() {
            return Ok(Glance { best: Mark::Nobody, open: Vec::new() });
        }
        let score = book.probe_drawn(drawn)?;
        // Nothing is worse than having to make a loony move oneself.
        let mut glance = Glance { best: Mark::Mover, open: Vec::with_capacity(moves.len()) };
        for m in moves.into_iter().filter(|m| m.decline == Decline::None) {
            if m.score(book.probe_drawn(m.after)?) != score {
                continue;
            }
            match self.known.get(&book.canonical(m.after)?) {
                Some(Mark::Mover) => return Ok(Glance { best: Mark::Opponent, open: Vec::new() }),
                Some(&mark) => glance.best = glance.best.max(-mark),
                None => glance.open.push(m.after),
            }
        }
        Ok(glance)
    }
}

/// The marks of a quiet position as far as they are known.
struct Glance {
    /// The best mark among the optimal moves whose marks are known.
    best: Mark,
    /// The positions after the other optimal moves.
    open: Vec<LineSet>,
}
