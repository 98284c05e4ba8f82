//! `dab draw`: a position as a picture.

use std::path::Path;

use dab::{Answer, Tablebase};
use dab_board::notation::Transcript;
use dab_space::Rules;

use super::{on_demand, picture};
use crate::options::Setting;

pub(crate) fn run(
    record: &Transcript,
    scores: bool,
    from: Option<&Path>,
    out: &Path,
    setting: &Setting,
) -> anyhow::Result<()> {
    Rules::of_start(record.end(), record.penalty().unwrap_or(0).into())?;
    let answer = if scores { Some(answer(record, from, setting)?) } else { None };
    picture::write(&dab_draw::board(record, answer.as_ref()), out, setting)
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
