//! `dab crosscheck endgames`: every theorem against recursion on every endgame of a set.

use std::fmt::{self, Display};

use anyhow::bail;
use dab::crosscheck::{self, EndgameSet};
use dab_endgame::check::{Report, Tally};
use serde::Serialize;

use crate::failure::Usage;
use crate::options::Setting;
use crate::output::{Bytes, Count};
use crate::progress::Progress;
use dab::available_memory;

#[derive(Serialize)]
struct Checked {
    set: &'static str,
    max_size: u8,
    positions: u64,
    /// How many there must be, where that is known.
    expected: Option<u64>,
    theorems: Vec<Theorem>,
    failed: u64,
}

#[derive(Serialize)]
struct Theorem {
    name: &'static str,
    tried: u64,
    failed: u64,
    first_failure: Option<String>,
}

pub(crate) fn run(sets: &[EndgameSet], setting: &Setting) -> anyhow::Result<()> {
    let families: Vec<_> = sets.iter().map(|set| set.family()).collect();
    let most = families.iter().map(|family| family.n_positions()).max().unwrap_or(0);
    if most > available_memory() {
        let (positions, free) = (Count(most.into()), Bytes(available_memory().into()));
        return Err(Usage(format!(
            "{positions} endgames take a byte each, but {free} of memory are free; use a smaller --max-size"
        ))
        .into());
    }
    let progress = Progress::new(families.iter().map(|family| u128::from(family.n_positions())).sum())?;
    let mut all = Vec::new();
    for &set in sets {
        all.push(checked(set, &crosscheck::endgames(set, &progress)?));
    }
    drop(progress);
    all.iter().try_for_each(|checked| setting.output.print(checked))?;
    verdict(&all)
}

fn checked(set: EndgameSet, report: &Report) -> Checked {
    let theorem = |(name, tally): (&'static str, &Tally)| Theorem {
        name,
        tried: tally.tried,
        failed: tally.failed,
        first_failure: tally.first_failure.as_ref().map(ToString::to_string),
    };
    Checked {
        set: set.name(),
        max_size: set.max_size,
        positions: report.n_positions,
        expected: set.known_size(),
        theorems: report.rows().map(theorem).collect(),
        failed: report.n_failed(),
    }
}

/// Fails with the first theorem that is wrong, or the first set that has another number of positions than it must.
fn verdict(all: &[Checked]) -> anyhow::Result<()> {
    for Checked { set, max_size, positions, expected, theorems, .. } in all {
        if let Some(expected) = expected.filter(|expected| expected != positions) {
            bail!("{set} endgames of at most {max_size} boxes: expected {expected}, enumerated {positions}");
        }
        if let Some(Theorem { name, failed, first_failure, .. }) = theorems.iter().find(|theorem| theorem.failed > 0) {
            let first = first_failure.as_deref().unwrap_or("?");
            bail!("{name} is wrong on {failed} {set} endgames of at most {max_size} boxes, such as {first}");
        }
    }
    Ok(())
}

impl Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = if self.expected == Some(self.positions) { ", as many as there must be" } else { "" };
        let positions = Count(self.positions.into());
        writeln!(f, "{} endgames of at most {} boxes: {positions}{known}", self.set, self.max_size)?;
        write!(f, "{:<32}  {:>12}  {:>8}", "theorem", "positions", "failures")?;
        for Theorem { name, tried, failed, first_failure } in &self.theorems {
            let first = first_failure.as_ref().map(|first| format!("  {first}")).unwrap_or_default();
            write!(f, "\n{name:<32}  {:>12}  {:>8}{first}", Count((*tried).into()), Count((*failed).into()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_and_wrong_counts_are_named() {
        let theorem = Theorem { name: "T", tried: 9, failed: 2, first_failure: Some("3+4l".into()) };
        let wrong =
            Checked { set: "all", max_size: 9, positions: 9, expected: None, theorems: vec![theorem], failed: 2 };
        let message = verdict(&[wrong]).unwrap_err().to_string();
        assert_eq!(message, "T is wrong on 2 all endgames of at most 9 boxes, such as 3+4l");
        let few = Checked { set: "all", max_size: 9, positions: 9, expected: Some(10), theorems: vec![], failed: 0 };
        assert_eq!(
            verdict(&[few]).unwrap_err().to_string(),
            "all endgames of at most 9 boxes: expected 10, enumerated 9"
        );
    }
}
