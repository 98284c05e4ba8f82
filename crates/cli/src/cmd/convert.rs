//! `dab convert`: a position or a game from one notation into another.

use std::fmt::Write;

use dab::text::Input;
use dab_board::notation::{self, Notation, Rim, diagram};
use serde::Serialize;

use crate::args::Convert;
use crate::failure::{Result, usage};
use crate::input;
use crate::options::Setting;
use crate::output::plural;

#[derive(Serialize)]
struct Report {
    from: String,
    to: String,
    /// The first position.
    start: String,
    /// The last position.
    position: String,
    /// Lines in the order of the game.
    moves: Vec<usize>,
    move_names: Vec<String>,
    /// The player to move at the end.
    to_move: String,
    /// Last-move penalty, if the notation has a place for one.
    penalty: Option<u8>,
    text: String,
}

pub(crate) fn run(convert: &Convert, setting: &Setting) -> Result<()> {
    let Convert { notation, to, coordinates, numbers, .. } = *convert;
    let input = input::read(&convert.input, notation, convert.told.get())?;
    let Input { record, notation } = &input;
    let text = match (to, coordinates || numbers) {
        (_, false) => notation::write(record, to)?,
        (Notation::Diagram, true) => {
            let rim = if coordinates { Rim::Names } else { Rim::Bare };
            diagram::draw(record.end(), rim, |line| numbers.then(|| line.to_string()))
        }
        _ => {
            let error = format!("--coordinates and --numbers are for diagrams: write '--to diagram', not '--to {to}'");
            return Err(usage(error));
        }
    };
    setting.output.note(format!("read as {notation}: {}", record.end()));
    let name = |&line: &usize| record.start().board().line_name(line).to_owned();
    let n_start = record.start().drawn().len();
    if to.makes_up_moves(record) {
        let made_up = format!("{} drawn before the first move: their order is made up", plural(n_start as u64, "line"));
        setting.output.note(made_up);
    }
    setting.output.print_as(
        &Report {
            from: notation.to_string(),
            to: to.to_string(),
            start: record.start().to_string(),
            position: record.end().to_string(),
            moves: record.moves().to_vec(),
            move_names: record.moves().iter().map(name).collect(),
            to_move: record.to_move().to_string(),
            penalty: record.penalty(),
            text,
        },
        |report, f| f.write_str(&report.text),
    )
}
