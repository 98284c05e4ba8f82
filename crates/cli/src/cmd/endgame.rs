//! `dab endgame`: the closed-form theory on one multiset of long chains and loops.

use dab::theory::EndgameAnswer;
use dab_endgame::ParseError;

use super::batch;
use crate::args::Endgame;
use crate::failure::{Result, usage};
use crate::options::Setting;
use crate::output::json_line;

pub(crate) fn run(endgame: &Endgame, setting: &Setting) -> Result<()> {
    let setting = setting.for_batch(&endgame.batch);
    let answer = |asked: &dab_endgame::Endgame| EndgameAnswer::new(asked, endgame.lead);
    endgame.positions.iter().try_for_each(|asked| setting.output.print(&answer(asked)))?;
    batch::run(&endgame.batch, |line, _, out| {
        let asked = line.parse().map_err(|error: ParseError| usage(error.to_string()))?;
        json_line(&answer(&asked), out)?;
        Ok(true)
    })
}
