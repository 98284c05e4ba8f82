//! Every theorem on simple loony endgames against recursion, on every endgame of a set.

use std::fmt::{self, Display};

use dab_endgame::Family;
use dab_endgame::check::{self, Report};
use dab_endgame::recursion::FamilyValues;
use dab_solve::Observer;
use rayon::prelude::*;
use serde::Serialize;

use super::{Check, Counts};
use crate::Error;
use crate::figures::Count;

/// Known numbers of positions, the empty one included; of the amalgamated ones Allcock's count, with odd loops that of partitions.
const KNOWN: [(EndgameSet, u64); 5] = [
    (EndgameSet { kind: EndgameKind::All, max_size: 40 }, 57_781),
    (EndgameSet { kind: EndgameKind::All, max_size: 60 }, 2_309_440),
    (EndgameSet { kind: EndgameKind::Amalgamated, max_size: 121 }, 1_496_317),
    (EndgameSet { kind: EndgameKind::OddLoops, max_size: 42 }, 242_735),
    (EndgameSet { kind: EndgameKind::OddLoops, max_size: 60 }, 9_460_022),
];
/// Positions that a thread checks at a time.
const CHUNK: u64 = 10_000;

/// Which endgames belong to a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndgameKind {
    /// Every simple loony endgame.
    All,
    /// The amalgamated ones.
    Amalgamated,
    /// Every multiset of long chains and of loops, even or odd, of 4 boxes or more. No theorem is about them.
    OddLoops,
}

impl EndgameKind {
    /// The name of such a set.
    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Amalgamated => "amalgamated",
            Self::OddLoops => "odd loops",
        }
    }
}

/// A set of endgames, by its kind and most boxes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameSet {
    /// Which endgames belong to it.
    pub kind: EndgameKind,
    /// The most boxes.
    pub max_size: u8,
}

impl EndgameSet {
    /// Its endgames. There are [`Family::n_positions`] of them, and checking them takes a byte each.
    pub fn family(self) -> Family {
        match self.kind {
            EndgameKind::All => Family::all(self.max_size),
            EndgameKind::Amalgamated => Family::amalgamated(self.max_size),
            EndgameKind::OddLoops => Family::with_odd_loops(self.max_size),
        }
    }
}

/// The result of a check of a set.
#[derive(Clone, Debug, Serialize)]
struct EndgameCheck {
    /// The set's name: `all`, `amalgamated` or `odd loops`.
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
    /// Checks every theorem on every endgame of a set.
    ///
    /// # Errors
    /// If `observer` stops it.
    pub fn endgames(set: EndgameSet, observer: &dyn Observer) -> Result<Check, Error> {
        let values = FamilyValues::new(set.family());
        let chunks: Vec<_> = check::chunks(values.family(), CHUNK).collect();
        let reports = chunks.into_par_iter().map(|ranks| {
            if observer.should_stop() {
                return Err(Error::stopped_check());
            }
            observer.positions(ranks.end - ranks.start);
            Ok(check::check(&values, ranks))
        });
        let report = reports.try_reduce(Report::default, |a, b| Ok(a.merge(b)))?;
        let theorem = |(name, tally): (&'static str, &check::Tally)| TheoremCheck {
            name,
            tried: tally.tried,
            failed: tally.failed,
            first_failure: tally.first_failure.as_ref().map(ToString::to_string),
        };
        Check::new(&EndgameCheck {
            set: set.kind.name(),
            max_size: set.max_size,
            positions: report.n_positions,
            expected: KNOWN.iter().find(|known| known.0 == set).map(|known| known.1),
            theorems: report.rows().map(theorem).collect(),
            failed: report.n_failed(),
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
