//! `dab review`: what each turn of a game cost.
//!
//! ```text
//!    game ─ position before each line ─► scores of all moves ─► report
//! ```
//! A run or a book is asked for the positions that it holds. Of the others the first one that can be solved in passing
//! is solved, and every later one is looked up in the same table.

use dab::review::{Review, positions};
use dab::{Answer, OnDemandSolve, Tablebase};
use dab_board::Position;
use dab_board::notation::Record;

use crate::failure::Usage;
use crate::options::{ReviewOptions, Setting};

use super::on_demand;

use self::report::Report;

mod report;

pub(crate) fn run(options: &ReviewOptions, setting: &Setting) -> anyhow::Result<()> {
    let game = &options.game;
    if game.moves().is_empty() {
        let position = game.end();
        return Err(Usage(format!("{position} is a position, no game: ask 'dab query {position}' about it")).into());
    }
    let run = options.from.as_deref().map(Tablebase::open).transpose()?;
    if let Some(run) = &run {
        check(run, game, options.penalty)?;
    }
    let penalty = run.as_ref().map_or(options.penalty.unwrap_or(0), |run| run.penalty().into());
    let positions = positions(game);
    let mut answers = match &run {
        Some(run) => ask(run, &positions)?,
        None => Vec::new(),
    };
    let solved = first_to_solve(&positions, answers.len(), setting).map(|first| {
        let solved = on_demand::solve(&positions[first], penalty, setting, "allow more with --memory")?;
        answers.resize(first, None);
        for position in &positions[first..] {
            answers.push(Some(solved.answer(position)?));
        }
        anyhow::Ok(solved)
    });
    if let Some(solved) = solved.transpose()? {
        let start = solved.start();
        setting.output.note(format!("{start}: solved in memory, {} undrawn lines", start.undrawn().len()));
    }
    if answers.iter().all(Option::is_none) {
        return Err(nothing_known(game, run.as_ref()).into());
    }
    answers.resize(positions.len(), None);
    setting.output.print(&Report(Review::new(game, &answers, penalty)))
}

/// Refuses a run that cannot have the positions of the game, or not with this penalty.
fn check(run: &Tablebase, game: &Record, penalty: Option<i32>) -> anyhow::Result<()> {
    run.require_finished()?;
    run.require_penalty(penalty)?;
    let (start, board) = (run.space().layout().units().start(), game.start().board());
    if start.board() != board {
        let (path, board) = (run.files().name(), board.kind());
        return Err(Usage(format!(
            "the game is on board {board}, but {path} holds positions of {start}: ask a run of {board}, or leave out \
             --from"
        ))
        .into());
    }
    Ok(())
}

/// What a run or a book knows of positions, up to the first one that is below the book.
fn ask(run: &Tablebase, positions: &[Position]) -> anyhow::Result<Vec<Option<Answer>>> {
    let mut answers = Vec::with_capacity(positions.len());
    for position in positions {
        answers.push(match run.answer(position) {
            // Lines of its start are not drawn yet.
            Err(error) if error.is_not_held() => None,
            Err(error) if error.is_beyond() => break,
            answer => Some(answer?),
        });
    }
    Ok(answers)
}

/// The earliest of the positions from `n_asked` on that is solved in passing, as are all later ones.
fn first_to_solve(positions: &[Position], n_asked: usize, setting: &Setting) -> Option<usize> {
    // From the end: what it takes to plan grows towards the beginning too.
    let is_quick =
        |position: &&Position| OnDemandSolve::new(position, 0, setting.limits()).is_ok_and(|solve| solve.is_quick());
    let quick = positions[n_asked..].iter().rev().take_while(is_quick).count();
    (quick > 0).then(|| positions.len() - quick)
}

fn nothing_known(game: &Record, run: Option<&Tablebase>) -> Usage {
    let end = game.end();
    Usage(match run {
        Some(run) => format!(
            "no position of the game arises from {}, the start of {}: ask a run of {}, or leave out --from",
            run.space().layout().units().start(),
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
