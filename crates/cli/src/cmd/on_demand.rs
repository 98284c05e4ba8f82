//! Solving on demand with a progress bar.

use dab::{Files, Lacking, OnDemandSolve, Tablebase};
use dab_board::Position;

use crate::options::Setting;
use crate::output::Count;
use crate::progress::Progress;

/// Solves a position; `remedy` tells what else can be done if that takes too much.
pub(crate) fn solve(position: &Position, penalty: i32, setting: &Setting, remedy: &str) -> anyhow::Result<Tablebase> {
    let on_demand = OnDemandSolve::new(position, penalty, setting.limits(), &())?;
    check(&on_demand, 1, remedy)?;
    run(on_demand)
}

/// Checks that so many solves are within the limits; `remedy` tells what else can be done if they are not.
pub(crate) fn check(on_demand: &OnDemandSolve, times: u32, remedy: &str) -> anyhow::Result<()> {
    on_demand.check(times).map_err(|error| match error {
        dab::Error::TooMuch { .. } => {
            let text = format!("{error}; {remedy}");
            anyhow::Error::new(error).context(text)
        }
        error => error.into(),
    })
}

/// Solves a position if that takes so little that others can be solved at the same time.
pub(crate) fn solve_if_quick(
    position: &Position,
    penalty: i32,
    setting: &Setting,
) -> anyhow::Result<Option<Tablebase>> {
    let on_demand = OnDemandSolve::new(position, penalty, setting.limits(), &())?;
    if on_demand.is_quick() { run(on_demand).map(Some) } else { Ok(None) }
}

/// Solves the scores that the answer of a book for a position lacks.
pub(crate) fn complete(lacking: Lacking, position: &Position, setting: &Setting) -> anyhow::Result<()> {
    let (n, positions) = (lacking.n_solves(), lacking.positions());
    lacking.solve(&Progress::new(positions)?)?;
    let scores = if n == 1 { "1 score".to_owned() } else { format!("{n} scores") };
    setting.output.note(format!("{position}: {scores} below the book, solved with {} positions", Count(positions)));
    Ok(())
}

/// Solves a position, however long that takes.
pub(crate) fn run(on_demand: OnDemandSolve) -> anyhow::Result<Tablebase> {
    let progress = Progress::new(on_demand.plan().positions())?;
    Ok(on_demand.solve(&progress)?)
}

/// The place of the scores, in words.
pub(crate) fn place(solved: &Tablebase) -> &'static str {
    if let Files::Memory(..) = solved.files() { "in memory" } else { "in temporary files" }
}
