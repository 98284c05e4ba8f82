//! `dab draw`: a position as a picture.

use dab::Answer;

use super::on_demand;
use super::picture::Picture;
use crate::options::{DrawOptions, Setting};
use dab::Tablebase;

pub(crate) fn run(options: &DrawOptions, setting: &Setting) -> anyhow::Result<()> {
    let answer = if options.scores { Some(answer(options, setting)?) } else { None };
    let svg = dab_draw::board(&options.record, answer.as_ref());
    setting.output.print(&Picture::write(&svg, &options.out)?)
}

/// The scores, from a run or a book if there is one and it holds them.
fn answer(options: &DrawOptions, setting: &Setting) -> anyhow::Result<Answer> {
    let (position, mut penalty) = (options.record.end(), options.record.penalty().map(i32::from));
    if let Some(from) = &options.from {
        let run = Tablebase::open(from)?;
        run.require_finished()?;
        run.require_penalty(penalty)?;
        match run.answer(position) {
            Err(error) if error.is_beyond() => penalty = Some(run.penalty().into()),
            answer => return Ok(answer?),
        }
    }
    let remedy = format!("run 'dab solve {position} --out DIR' and draw it with --from DIR");
    Ok(on_demand::solve(position, penalty.unwrap_or(0), setting, &remedy)?.answer(position)?)
}
