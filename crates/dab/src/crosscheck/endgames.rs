//! Every theorem on simple loony endgames against recursion, on every endgame of a set.

use dab_endgame::Family;
use dab_endgame::check::{self, Report};
use dab_endgame::recursion::FamilyValues;
use dab_solve::{Observer, SolveError};
use rayon::prelude::*;

use crate::Error;

/// Known numbers of positions, the empty one included; of the amalgamated ones Allcock's count.
const KNOWN: [(EndgameSet, u64); 3] = [
    (EndgameSet { amalgamated: false, max_size: 40 }, 57_781),
    (EndgameSet { amalgamated: false, max_size: 60 }, 2_309_440),
    (EndgameSet { amalgamated: true, max_size: 121 }, 1_496_317),
];
/// Positions that a thread checks at a time.
const CHUNK: u64 = 10_000;

/// A set of endgames, by its kind and most boxes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameSet {
    /// Whether only amalgamated endgames belong to it.
    pub amalgamated: bool,
    /// The most boxes.
    pub max_size: u8,
}

impl EndgameSet {
    /// Its endgames. There are [`Family::n_positions`] of them, and checking them takes a byte each.
    pub fn family(self) -> Family {
        if self.amalgamated { Family::amalgamated(self.max_size) } else { Family::all(self.max_size) }
    }

    /// The name of its kind.
    pub fn name(self) -> &'static str {
        if self.amalgamated { "amalgamated" } else { "all" }
    }

    /// The number of its endgames, the empty one included, where an independent source tells it.
    pub fn known_size(self) -> Option<u64> {
        KNOWN.iter().find(|known| known.0 == self).map(|known| known.1)
    }
}

/// Checks every theorem on every endgame of a set.
///
/// # Errors
/// If `observer` stops it.
pub fn endgames(set: EndgameSet, observer: &dyn Observer) -> Result<Report, Error> {
    let values = FamilyValues::new(set.family());
    let chunks: Vec<_> = check::chunks(values.family(), CHUNK).collect();
    let reports = chunks.into_par_iter().map(|ranks| {
        if observer.should_stop() {
            return Err(SolveError::Stopped { layer: 0 }.into());
        }
        observer.positions(ranks.end - ranks.start);
        Ok(check::check(&values, ranks))
    });
    reports.try_reduce(Report::default, |a, b| Ok(a.merge(b)))
}
