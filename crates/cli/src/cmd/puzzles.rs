//! `dab puzzles`: puzzles from games of players by rules.

use dab::{OnDemandSolve, Position};
use dab_solve::Observer;

use crate::args::Puzzles;
use crate::failure::{Result, wrong};
use crate::input;
use crate::options::Setting;
use crate::output::plural;
use crate::progress::Progress;

/// Games without a new puzzle after which there seems to be none.
const PATIENCE: u64 = 2_000;

pub(crate) fn run(puzzles: &Puzzles, setting: &Setting) -> Result<()> {
    let start = input::position(&puzzles.position, puzzles.told.get())?;
    let progress = Progress::new(puzzles.n.into())?;
    let solve = |position: &Position| OnDemandSolve::run(position, 0, setting.limits(), &());
    let mut maker = dab::Puzzles::new(start, puzzles.left as usize, puzzles.seed);
    let (mut n, mut in_vain) = (0, 0);
    while n < puzzles.n && in_vain < PATIENCE {
        if progress.should_stop() {
            let after = format!("stopped after {}", plural(n, "puzzle"));
            return Err(dab::Error::new(dab::ErrorKind::Interrupted, after));
        }
        in_vain += 1;
        let found = maker.in_game(solve)?;
        if let Some(puzzle) = found.filter(|puzzle| puzzles.grade.is_none_or(|grade| grade == puzzle.grade)) {
            setting.output.print(&puzzle)?;
            progress.positions(1);
            (n, in_vain) = (n + 1, 0);
        }
    }
    if n == 0 {
        return Err(wrong(format!("no puzzle in {PATIENCE} games: allow more lines with --left, or another grade")));
    }
    if n < puzzles.n {
        setting.output.note(format!("{}: no other one in {PATIENCE} games", plural(n, "puzzle")));
    }
    Ok(())
}
