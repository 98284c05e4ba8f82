//! Every theorem on simple loony endgames against recursion, on every endgame of a family.

use std::fmt::{self, Display};

use dab_endgame::Family;
use dab_endgame::check::{self, Report, Tally};
use dab_endgame::recursion::FamilyValues;
use dab_solve::Observer;
use rayon::prelude::*;
use serde::Serialize;

use super::{Check, Counts};
use crate::Error;
use crate::figures::Count;

/// Known numbers of positions of families by name and most boxes, the empty one included; of the amalgamated ones Allcock's count, with
/// odd loops that of partitions.
const KNOWN: [(&str, u8, u64); 5] = [
    ("all", 40, 57_781),
    ("all", 60, 2_309_440),
    ("amalgamated", 121, 1_496_317),
    ("odd loops", 42, 242_735),
    ("odd loops", 60, 9_460_022),
];
/// Positions that a thread checks at a time.
const CHUNK: u64 = 10_000;

/// The result of a check of a family.
#[derive(Clone, Debug, Serialize)]
struct EndgameCheck {
    /// The name of the family.
    set: &'static str,
    /// The most boxes of its endgames.
    max_size: u8,
    /// Endgames enumerated, the empty one included.
    positions: u64,
    /// Their number by an independent source, if there is one.
    expected: Option<u64>,
    /// Every theorem.
    theorems: Vec<TheoremCheck>,
    /// The sum of failures.
    failed: u64,
}

impl Counts for EndgameCheck {
    /// The first theorem that is wrong, or that the set has another number of endgames than it must.
    fn fault(&self) -> Option<String> {
        let Self { set, max_size, positions, expected, theorems, .. } = self;
        if let Some(expected) = expected.filter(|expected| expected != positions) {
            let found = format!("expected {expected}, enumerated {positions}");
            return Some(format!("{set} endgames of at most {max_size} boxes: {found}"));
        }
        let TheoremCheck { name, failed, first_failure, .. } = theorems.iter().find(|theorem| theorem.failed > 0)?;
        let first = first_failure.as_deref().unwrap_or("?");
        let times = if *failed == 1 { "an endgame".to_owned() } else { format!("{failed} endgames") };
        Some(format!("{name} is wrong on {times} of at most {max_size} boxes ({set}), such as {first}"))
    }
}

impl Display for EndgameCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { set, max_size, positions, expected, theorems, .. } = self;
        let known = if *expected == Some(*positions) { ", as many as there must be" } else { "" };
        let positions = Count((*positions).into());
        writeln!(f, "{set} endgames of at most {max_size} boxes: {positions}{known}")?;
        write!(f, "{:<42}  {:>12}  {:>8}", "theorem", "positions", "failures")?;
        for TheoremCheck { name, tried, failed, first_failure } in theorems {
            let first = first_failure.as_ref().map(|first| format!("  {first}")).unwrap_or_default();
            write!(f, "\n{name:<42}  {:>12}  {:>8}{first}", Count((*tried).into()), Count((*failed).into()))?;
        }
        Ok(())
    }
}

/// The result for one theorem.
#[derive(Clone, Debug, Serialize)]
struct TheoremCheck {
    /// The theorem.
    name: &'static str,
    /// Endgames that satisfy its hypotheses.
    tried: u64,
    /// Tried endgames on which it is wrong.
    failed: u64,
    /// The smallest of these.
    first_failure: Option<String>,
}

impl Check {
    /// Checks every theorem on every endgame of a family. There are [`Family::n_positions`] of them, and checking them takes a byte each.
    ///
    /// # Errors
    /// If `observer` stops it.
    pub fn endgames(family: Family, observer: &dyn Observer) -> Result<Check, Error> {
        let values = FamilyValues::new(family);
        let family = &values.family;
        let chunks: Vec<_> = check::chunks(family, CHUNK).collect();
        let reports = chunks.into_par_iter().map(|ranks| {
            if observer.should_stop() {
                return Err(Error::stopped_check());
            }
            observer.positions(ranks.end - ranks.start);
            Ok(check::check(&values, ranks))
        });
        let report = reports.try_reduce(Report::default, |a, b| Ok(a.merge(b)))?;
        let theorem = |(name, Tally { tried, failed, first_failure }): &(&'static str, Tally)| TheoremCheck {
            name,
            tried: *tried,
            failed: *failed,
            first_failure: first_failure.as_ref().map(ToString::to_string),
        };
        let (set, max_size) = (family.name, family.max_size);
        Check::new(&EndgameCheck {
            set,
            max_size,
            positions: report.n_positions,
            expected: KNOWN.iter().find(|known| (known.0, known.1) == (set, max_size)).map(|known| known.2),
            theorems: report.tallies.iter().map(theorem).collect(),
            failed: report.tallies.iter().map(|(_, tally)| tally.failed).sum(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_and_wrong_counts_are_named() {
        let theorem = TheoremCheck { name: "T", tried: 9, failed: 2, first_failure: Some("3+4l".into()) };
        let wrong =
            EndgameCheck { set: "all", max_size: 9, positions: 9, expected: None, theorems: vec![theorem], failed: 2 };
        let message = "T is wrong on 2 endgames of at most 9 boxes (all), such as 3+4l";
        assert_eq!(wrong.fault().as_deref(), Some(message));
        let few = EndgameCheck { expected: Some(10), theorems: vec![], failed: 0, ..wrong };
        assert_eq!(few.fault().as_deref(), Some("all endgames of at most 9 boxes: expected 10, enumerated 9"));
        assert_eq!(EndgameCheck { expected: Some(9), ..few }.fault(), None);
    }
}
