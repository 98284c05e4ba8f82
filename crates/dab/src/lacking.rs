//! Answers that a book has but for some moves, and the solves that complete them.
//!
//! An answer takes the scores of some stored positions: one for the position and one for each move, all captures made.
//! A move into a chain fills several units at once, so that in the last layers of a book the scores of a few moves are below
//! it. Solving just these takes a fraction of solving the position itself.
//!
//! ```text
//!    position ─► places of its answer ─► in the book · learned before · lacking ─ solve each ─► learned
//! ```

use std::sync::Arc;
use std::time::Duration;

use dab_board::Position;
use dab_solve::Observer;
use dab_space::Place;
use dab_store::ScoreRead;
use dab_table::{Answer, Mark, Source, TableError, is_beyond};
use rayon::prelude::*;

use crate::{Error, OnDemandSolve};

/// Most scores of an answer that are solved one by one. With more of them the position itself takes less.
const MOST: usize = 8;

/// The solves that complete an answer.
pub(crate) struct Lacking {
    source: Arc<Source>,
    solves: Vec<(Place, OnDemandSolve)>,
    n_threads: usize,
}

impl Lacking {
    /// The solves that complete the answer of `source` for the position that `whole` would solve. `None` if too many are
    /// lacking, as where most moves are below the book, or if solving the position itself takes only a moment or no longer
    /// than these do.
    ///
    /// # Errors
    /// If the position does not arise from the start, or a file is damaged.
    pub(crate) fn find(source: &Arc<Source>, whole: &OnDemandSolve) -> Result<Option<Self>, Error> {
        if whole.is_quick() {
            return Ok(None);
        }
        let (table, space) = (source.table(), source.table().space());
        let mut places = Vec::new();
        for place in source.book().places(whole.position())? {
            let shape = space.shape(space.layout().key(place.id));
            match source.read_score(place.id, shape, place.row, place.col) {
                Err(error) if is_beyond(&error) && !places.contains(&place) => places.push(place),
                Err(error) if !is_beyond(&error) => return Err(TableError::from(error).into()),
                _ => {}
            }
            if places.len() > MOST {
                return Ok(None);
            }
        }
        let limits = whole.limits();
        let plan = |place: Place| {
            let mask = space.mask_at(space.layout().key(place.id), place.row, place.col);
            let position = Position::new(Arc::clone(table.board()), space.lines_of(mask))?;
            let solve = OnDemandSolve::new(&position, table.penalty().into(), limits, &())?;
            Ok((place, if table.rules().marks { solve.with_marks() } else { solve }))
        };
        let solves = places.into_par_iter().map(plan).collect::<Result<_, Error>>()?;
        let lacking = Self { source: Arc::clone(source), solves, n_threads: limits.threads };
        let is_within = lacking.time() <= limits.time && lacking.solves.iter().all(|(_, solve)| solve.check(1).is_ok());
        Ok((is_within && lacking.time() < whole.plan().time(limits.threads)).then_some(lacking))
    }

    /// Time of all solves by their plans.
    pub(crate) fn time(&self) -> Duration {
        self.solves.iter().map(|(_, solve)| solve.plan().time(self.n_threads)).sum()
    }

    /// Positions of all solves.
    pub(crate) fn positions(&self) -> u128 {
        self.solves.iter().map(|(_, solve)| solve.plan().positions()).sum()
    }

    /// Bytes of memory of the largest solve, its scores included.
    pub(crate) fn memory(&self) -> u64 {
        self.solves.iter().map(|(_, solve)| solve.memory()).max().unwrap_or(0)
    }

    /// The number of solves.
    pub(crate) fn n_solves(&self) -> usize {
        self.solves.len()
    }

    /// Whether each of them takes only a moment.
    pub(crate) fn is_quick(&self) -> bool {
        self.solves.iter().all(|(_, solve)| solve.is_quick())
    }

    /// Solves them one after the other. From then on the source has what the answer lacked.
    ///
    /// # Errors
    /// As [`OnDemandSolve::solve`].
    pub(crate) fn solve(self, observer: &dyn Observer) -> Result<(), Error> {
        for (place, solve) in self.solves {
            let table = solve.solve(observer)?;
            let Answer { score, mark, .. } = table.answer(table.start())?;
            self.source.learn(place, table.rules().value(score, mark.unwrap_or(Mark::Nobody)));
        }
        Ok(())
    }
}
