//! Every theorem against the recursion, on every position of a family; of families with odd loops the theorems that hold there.
//!
//! - `theorems`: the table of theorems, each a test of one position;
//! - here: running the table over ranges of ranks and adding up.
//!
//! The work splits into ranges of ranks that share nothing but the read-only values, so a caller can spread them over threads:
//!
//! ```
//! use dab_endgame::{Family, check, recursion::FamilyValues};
//!
//! let values = FamilyValues::new(Family::all(20));
//! let report = check::chunks(&values.family, 256)
//!     .map(|ranks| check::check(&values, ranks))
//!     .fold(check::Report::default(), check::Report::merge);
//! assert_eq!(report.n_positions, values.family.n_positions());
//! assert!(report.tallies.iter().all(|(_, tally)| tally.failed == 0));
//! ```

mod theorems;

use std::ops::Range;

use theorems::{Case, ODD_LOOPS, THEOREMS};

use crate::{Family, Position, recursion::FamilyValues};

/// The outcome for one theorem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions that satisfy the hypotheses.
    pub tried: u64,
    /// Tried positions on which the conclusion is wrong.
    pub failed: u64,
    /// A failing position of the smallest size, of several the first in rank order.
    pub first_failure: Option<Position>,
}

impl Tally {
    fn count(&mut self, holds: bool, g: &Position) {
        self.tried += 1;
        if !holds {
            self.failed += 1;
            self.keep_smaller(Some(g.clone()));
        }
    }

    fn keep_smaller(&mut self, failure: Option<Position>) {
        let is_smaller = |g: &Position| self.first_failure.as_ref().is_none_or(|old| g.size() < old.size());
        if let Some(g) = failure.filter(is_smaller) {
            self.first_failure = Some(g);
        }
    }
}

/// Tallies of all theorems over some positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions checked, the empty one included.
    pub n_positions: u64,
    /// Each theorem with its tally, in a fixed order; none where no position was checked.
    pub tallies: Vec<(&'static str, Tally)>,
}

impl Report {
    /// The report on the positions of both. Associative; `self` is the one with the lower ranks.
    pub fn merge(mut self, other: Report) -> Report {
        self.n_positions += other.n_positions;
        if self.tallies.is_empty() {
            self.tallies = other.tallies;
            return self;
        }
        for ((_, tally), (_, more)) in self.tallies.iter_mut().zip(other.tallies) {
            tally.tried += more.tried;
            tally.failed += more.failed;
            tally.keep_smaller(more.first_failure);
        }
        self
    }
}

/// The ranks of a family, cut into ranges of `len` (the last one shorter).
///
/// # Panics
/// When `len` is 0.
pub fn chunks(family: &Family, len: u64) -> impl ExactSizeIterator<Item = Range<u64>> + use<> {
    let n = family.n_positions();
    assert!(len > 0, "a chunk has at least one position");
    let n_chunks = usize::try_from(n.div_ceil(len)).expect("the chunks of a solved family can be counted");
    (0..n_chunks).map(move |i| i as u64 * len..n.min((i as u64 + 1) * len))
}

/// Runs every theorem on the positions of a range of ranks.
///
/// # Panics
/// When a rank is not below the number of positions.
pub fn check(values: &FamilyValues, ranks: Range<u64>) -> Report {
    let theorems = if values.family.odd_loops { &ODD_LOOPS[..] } else { &THEOREMS };
    let tallies = theorems.iter().map(|&(name, _)| (name, Tally::default())).collect();
    let mut report = Report { n_positions: 0, tallies };
    for rank in ranks {
        let g = values.family.position(rank);
        let case = Case::new(values, &g);
        for ((_, theorem), (_, tally)) in theorems.iter().zip(&mut report.tallies) {
            if let Some(holds) = theorem(&case) {
                tally.count(holds, &g);
            }
        }
        report.n_positions += 1;
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_does_not_depend_on_the_chunks() {
        let values = FamilyValues::new(Family::all(18));
        let whole = check(&values, 0..values.family.n_positions());
        for len in [1, 10, 64] {
            let reports = chunks(&values.family, len).map(|ranks| check(&values, ranks));
            assert_eq!(reports.fold(Report::default(), Report::merge), whole);
        }
    }

    #[test]
    fn the_smallest_failure_is_kept() {
        let mut tally = Tally::default();
        for (text, holds) in [("3^3", true), ("3^4", false), ("4+4l", false), ("5+3", false), ("7l+3", true)] {
            if let Ok(g) = text.parse() {
                tally.count(holds, &g);
            }
        }
        assert_eq!((tally.tried, tally.failed), (4, 3));
        assert_eq!(tally.first_failure.unwrap().to_string(), "4+4l");
    }
}
