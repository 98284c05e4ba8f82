//! `dab endgame`: the closed-form theory on one multiset of long chains and loops.

use dab::theory::EndgameAnswer;
use dab_endgame::{ParseError, Position};

use super::batch;
use crate::args::Endgame;
use crate::failure::{Result, usage};
use crate::options::Setting;
use crate::output::json_line;

pub(crate) fn run(endgame: &Endgame, setting: &Setting) -> Result<()> {
    let setting = setting.for_batch(&endgame.batch);
    endgame.positions.iter().try_for_each(|position| setting.output.print(&EndgameAnswer::of(position)))?;
    batch::run(&endgame.batch, |line, _, out| {
        let position: Position = line.parse().map_err(|error: ParseError| usage(error.to_string()))?;
        json_line(&EndgameAnswer::of(&position), out)?;
        Ok(true)
    })
}
