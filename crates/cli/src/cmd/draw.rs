//! `dab draw`: a position as a picture.

use std::path::Path;

use dab::{Answer, Tablebase};
use dab_board::notation::Transcript;

use super::on_demand;
use super::picture::Picture;
use crate::options::Setting;

pub(crate) fn run(
    record: &Transcript,
    scores: bool,
    from: Option<&Path>,
    out: &Path,
    setting: &Setting,
) -> anyhow::Result<()> {
    let answer = if scores { Some(answer(record, from, setting)?) } else { None };
    let svg = dab_draw::board(record, answer.as_ref());
    setting.output.print(&Picture::write(&svg, out)?)
}

/// The scores, from a run or a book if there is one and it holds them.
fn answer(record: &Transcript, from: Option<&Path>, setting: &Setting) -> anyhow::Result<Answer> {
    let (position, mut penalty) = (record.end(), record.penalty().map(i32::from));
    if let Some(from) = from {
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
