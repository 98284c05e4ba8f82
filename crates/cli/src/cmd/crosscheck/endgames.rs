//! `dab crosscheck endgames`: every theorem against recursion on every endgame of a set.

use std::fmt::{self, Display};

use anyhow::bail;
use dab::available_memory;
use dab::crosscheck::{self, EndgameCheck, EndgameSet, TheoremCheck};
use serde::Serialize;

use crate::failure::Usage;
use crate::options::Setting;
use crate::output::{Bytes, Count};
use crate::progress::Progress;

#[derive(Serialize)]
#[serde(transparent)]
struct Report(EndgameCheck);

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
    let check = |&set: &EndgameSet| Ok(Report(crosscheck::endgames(set, &progress)?));
    let all: Vec<Report> = sets.iter().map(check).collect::<anyhow::Result<_>>()?;
    drop(progress);
    all.iter().try_for_each(|report| setting.output.print(report))?;
    all.iter().try_for_each(|Report(check)| verdict(check))
}

/// Fails with the first theorem that is wrong, or if the set has another number of positions than it must.
fn verdict(EndgameCheck { set, max_size, positions, expected, theorems, .. }: &EndgameCheck) -> anyhow::Result<()> {
    if let Some(expected) = expected.filter(|expected| expected != positions) {
        bail!("{set} endgames of at most {max_size} boxes: expected {expected}, enumerated {positions}");
    }
    if let Some(TheoremCheck { name, failed, first_failure, .. }) = theorems.iter().find(|theorem| theorem.failed > 0) {
        let first = first_failure.as_deref().unwrap_or("?");
        bail!("{name} is wrong on {failed} {set} endgames of at most {max_size} boxes, such as {first}");
    }
    Ok(())
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(EndgameCheck { set, max_size, positions, expected, theorems, .. }) = self;
        let known = if *expected == Some(*positions) { ", as many as there must be" } else { "" };
        let positions = Count((*positions).into());
        writeln!(f, "{set} endgames of at most {max_size} boxes: {positions}{known}")?;
        write!(f, "{:<32}  {:>12}  {:>8}", "theorem", "positions", "failures")?;
        for TheoremCheck { name, tried, failed, first_failure } in theorems {
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
        let theorem = TheoremCheck { name: "T", tried: 9, failed: 2, first_failure: Some("3+4l".into()) };
        let wrong =
            EndgameCheck { set: "all", max_size: 9, positions: 9, expected: None, theorems: vec![theorem], failed: 2 };
        let message = verdict(&wrong).unwrap_err().to_string();
        assert_eq!(message, "T is wrong on 2 all endgames of at most 9 boxes, such as 3+4l");
        let few =
            EndgameCheck { set: "all", max_size: 9, positions: 9, expected: Some(10), theorems: vec![], failed: 0 };
        assert_eq!(
            verdict(&few).unwrap_err().to_string(),
            "all endgames of at most 9 boxes: expected 10, enumerated 9"
        );
    }
}
