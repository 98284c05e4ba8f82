//! `dab draw`: a position as a picture.

use dab_book::{Answer, Book};

use super::picture::Picture;
use super::query::solved::{Solved, is_beyond};
use crate::options::{DrawOptions, Setting};
use crate::run::Run;

pub(crate) fn run(options: &DrawOptions, setting: &Setting) -> anyhow::Result<()> {
    let answer = if options.scores { Some(answer(options, setting)?) } else { None };
    let svg = dab_draw::board(&options.record, answer.as_ref());
    setting.output.print(&Picture::write(&svg, &options.out)?)
}

/// The scores, from a run or a book if there is one and it holds them.
fn answer(options: &DrawOptions, setting: &Setting) -> anyhow::Result<Answer> {
    let (position, mut penalty) = (options.record.end(), options.record.penalty().map(i32::from));
    if let Some(from) = &options.from {
        let run = Run::open(from)?;
        run.require_finished()?;
        run.require_penalty(penalty)?;
        match Book::new(&run.space, &run.files).answer(position) {
            Err(error) if is_beyond(&error) => penalty = Some(run.rules.penalty.into()),
            answer => return Ok(answer?),
        }
    }
    let remedy = format!("run 'dab solve {position} --out DIR' and draw it with --from DIR");
    let solved = Solved::new(position, penalty.unwrap_or(0), setting, &remedy)?;
    Ok(solved.book().answer(position)?)
}
