//! `dab review`: what each turn of a game cost.

use std::path::Path;

use dab::Tablebase;
use dab::review::{GameAnswers, Review};
use dab_board::notation::Transcript;

use self::report::Report;
use super::on_demand;
use crate::failure::Usage;
use crate::options::Setting;

mod report;

pub(crate) fn run(
    game: &Transcript,
    from: Option<&Path>,
    penalty: Option<i32>,
    setting: &Setting,
) -> anyhow::Result<()> {
    if game.moves().is_empty() {
        let position = game.end();
        return Err(Usage(format!("{position} is a position, no game: ask 'dab query {position}' about it")).into());
    }
    let run = from.map(Tablebase::open).transpose()?;
    if let Some(run) = &run {
        run.require_finished()?;
        run.require_penalty(penalty)?;
    }
    let penalty = run.as_ref().map_or(penalty.unwrap_or(0), |run| run.penalty().into());
    let solve = |position: &_| on_demand::solve(position, penalty, setting, "allow more with --memory");
    let found = GameAnswers::new(game, run.as_ref(), setting.limits(), solve)?;
    if let Some(start) = &found.solved {
        setting.output.note(format!("{start}: solved in memory, {} undrawn lines", start.undrawn().len()));
    }
    if found.is_empty() {
        return Err(nothing_known(game, run.as_ref()).into());
    }
    setting.output.print(&Report(Review::new(game, &found.answers, penalty)))
}

fn nothing_known(game: &Transcript, run: Option<&Tablebase>) -> Usage {
    let end = game.end();
    Usage(match run {
        Some(run) => format!(
            "no position of the game arises from {}, the start of {}: ask a run of {}, or leave out --from",
            run.start(),
            run.files().name(),
            game.start(),
        ),
        None => format!(
            "the game ends in {end} with {} undrawn lines, too many to be solved in passing: solve a position of it \
             ('dab plan POSITION' says what that takes) and ask with --from DIR",
            end.undrawn().len(),
        ),
    })
}
