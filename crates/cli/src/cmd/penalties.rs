//! `dab penalties`: how scores and best moves change with the last-move penalty.

use std::fmt::{self, Display};

use anyhow::bail;
use dab::penalties::{AtPenalty, Penalties};
use dab::{Answer, OnDemandSolve};
use dab_board::Position;
use serde::Serialize;

use super::on_demand;
use crate::failure::Usage;
use crate::options::Setting;
use crate::output::list;

#[derive(Serialize)]
#[serde(transparent)]
struct Report(Penalties);

pub(crate) fn run(position: &Position, to: i32, setting: &Setting) -> anyhow::Result<()> {
    let remedy = format!("'dab solve {position} --penalty P' solves it for one penalty");
    match OnDemandSolve::new(position, 0, setting.limits())?.check((to + 1).unsigned_abs()) {
        Err(error @ dab::Error::TooMuch { .. }) => return Err(Usage::with_remedy(&error, &remedy).into()),
        checked => checked?,
    }
    let answer = |penalty| {
        let solve = OnDemandSolve::new(position, penalty, setting.limits())?;
        Ok(on_demand::run(solve)?.answer(position)?)
    };
    let answers: Vec<Answer> = (0..=to).map(answer).collect::<anyhow::Result<_>>()?;
    let report = Report(Penalties::new(position, &answers));
    setting.output.print(&report)?;
    if !report.0.interpolates {
        bail!("{position}: scores at neighbouring penalties must differ by 1; one of them is wrong");
    }
    Ok(())
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(Penalties { position, penalties, interpolates }) = self;
        writeln!(f, "{position}\n\npenalty  score  best moves")?;
        for AtPenalty { penalty, score, best, .. } in penalties {
            writeln!(f, "{penalty:>7}  {score:>5}  {}", list(best, " "))?;
        }
        match interpolates {
            true => write!(f, "\ninterpolation holds: every score changes by 1 from each penalty to the next"),
            false => write!(f, "\ninterpolation fails: not every score changes by 1 from each penalty to the next"),
        }
    }
}
