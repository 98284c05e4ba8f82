//! `dab draw`: a position as a picture, or a game as one that moves.

use dab::{Answer, Question};
use dab_board::notation::Transcript;
use dab_draw::Style;
use dab_space::Rules;

use super::on_demand::Asking;
use super::picture;
use crate::args::Draw;
use crate::failure::{Result, usage, wrong};
use crate::input;
use crate::options::Setting;
use crate::output::plural;

pub(crate) fn run(draw: &Draw, setting: &Setting) -> Result<()> {
    let mut record = input::record(&draw.position, draw.told.get())?;
    if let Some(n) = draw.after {
        let n_moves = record.moves().len();
        let too_few =
            || usage(format!("the game has {}, not {n}: use a smaller --after", plural(n_moves as u64, "move")));
        record = record.first(n).ok_or_else(too_few)?;
    }
    Rules::for_start(record.end(), record.penalty().unwrap_or(0).into())?;
    let is_scored = draw.scores || draw.marks || draw.from.is_some();
    if picture::is(&draw.picture.out, "gif") {
        if is_scored {
            return Err(usage("a .gif shows a game without scores: leave out --scores, --marks and --from"));
        }
        return picture::save(&dab_draw::gif(&record).map_err(wrong)?, &draw.picture.out, setting);
    }
    let answer = if is_scored { Some(answer(&record, draw, setting)?) } else { None };
    let style = Style {
        coordinates: draw.coordinates,
        numbers: draw.numbers,
        grey: draw.grey,
        legend: draw.legend,
        caption: draw.caption.clone(),
    };
    picture::write(&dab_draw::board(&record, answer.as_ref(), &style), &draw.picture, setting)
}

/// The scores: from the run or book that is named, or from a shipped book, if it holds them; else from a solve.
fn answer(record: &Transcript, draw: &Draw, setting: &Setting) -> Result<Answer> {
    let (position, penalty) = (record.end(), record.penalty().map(i32::from));
    let asking = Asking::new(draw.from.as_deref(), penalty, (false, draw.marks), setting)?;
    let penalty = asking.named.as_ref().map_or(penalty.unwrap_or(0), |source| source.table().penalty().into());
    let remedy = || format!("run 'dab solve {position} --out DIR' and draw it with --from DIR");
    asking.answer(Question { position, penalty: Some(penalty), marks: draw.marks }, &remedy)
}
