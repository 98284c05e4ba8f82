//! `dab penalties`: how scores and best moves change with the last-move penalty.

use std::fmt::{self, Display};

use anyhow::bail;
use dab::{Answer, OnDemandSolve};
use dab_board::{LineIdx, Score};
use serde::Serialize;

use crate::failure::Usage;
use crate::options::{PenaltyOptions, Setting};
use crate::output::list;
use crate::progress::Progress;

#[derive(Serialize)]
struct Report {
    position: String,
    penalties: Vec<Entry>,
    /// Whether scores at penalties in between lie on straight lines.
    interpolates: bool,
}

#[derive(Serialize)]
struct Entry {
    penalty: i32,
    score: Score,
    best: Vec<LineIdx>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    line: LineIdx,
    score: Score,
}

impl Entry {
    fn new(penalty: i32, answer: &Answer) -> Self {
        let moves = answer.moves.iter().map(|m| Move { line: m.line, score: m.score }).collect();
        Self { penalty, score: answer.score, best: answer.best().collect(), moves }
    }

    /// Whether every score changes by just 1 to those at the next penalty. A score changes by no more than the
    /// penalty does, so in between it then lies on the straight line.
    fn is_one_step_from(&self, next: &Self) -> bool {
        let scores =
            |entry: &Self| -> Vec<i8> { entry.moves.iter().map(|m| m.score.0).chain([entry.score.0]).collect() };
        scores(self).into_iter().zip(scores(next)).all(|(here, there)| here.abs_diff(there) == 1)
    }
}

pub(crate) fn run(PenaltyOptions { position, to }: &PenaltyOptions, setting: &Setting) -> anyhow::Result<()> {
    let remedy = format!("'dab solve {position} --penalty P' solves it for one penalty");
    match OnDemandSolve::new(position, 0, setting.limits())?.check((*to + 1).unsigned_abs()) {
        Err(error @ dab::Error::TooMuch { .. }) => return Err(Usage::with_remedy(&error, &remedy).into()),
        checked => checked?,
    }
    let entry = |penalty| {
        let solve = OnDemandSolve::new(position, penalty, setting.limits())?;
        let progress = Progress::new(solve.plan().positions())?;
        let answer = solve.solve(&progress)?.answer(position)?;
        Ok(Entry::new(penalty, &answer))
    };
    let penalties: Vec<Entry> = (0..=*to).map(entry).collect::<anyhow::Result<_>>()?;
    let interpolates = penalties.windows(2).all(|pair| pair[0].is_one_step_from(&pair[1]));
    setting.output.print(&Report { position: position.to_string(), penalties, interpolates })?;
    if !interpolates {
        bail!("{position}: scores at neighbouring penalties must differ by 1; one of them is wrong");
    }
    Ok(())
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n\npenalty  score  best moves", self.position)?;
        for Entry { penalty, score, best, .. } in &self.penalties {
            writeln!(f, "{penalty:>7}  {score:>5}  {}", list(best, " "))?;
        }
        match self.interpolates {
            true => write!(f, "\ninterpolation holds: every score changes by 1 from each penalty to the next"),
            false => write!(f, "\ninterpolation fails: not every score changes by 1 from each penalty to the next"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_is_one_either_way() {
        let entry = |scores: &[i8]| Entry {
            penalty: 0,
            score: Score(scores[0]),
            best: Vec::new(),
            moves: scores.iter().enumerate().map(|(line, &score)| Move { line, score: Score(score) }).collect(),
        };
        assert!(entry(&[2, -1]).is_one_step_from(&entry(&[1, 0])));
        assert!(!entry(&[2, -1]).is_one_step_from(&entry(&[1, -1])));
        assert!(!entry(&[2, -1]).is_one_step_from(&entry(&[1, 2])));
    }
}
