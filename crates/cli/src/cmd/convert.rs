//! `dab convert`: a position or a game from one notation into another.

use std::fmt::Write;

use dab::text::Input;
use dab_board::notation::{self, Notation};
use serde::Serialize;

use crate::options::Setting;

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
    /// The player to move at the end.
    to_move: String,
    /// Last-move penalty, if the notation has a place for one.
    penalty: Option<u8>,
    text: String,
}

pub(crate) fn run(input: &Input, to: Notation, setting: &Setting) -> anyhow::Result<()> {
    let record = &input.record;
    let text = notation::write(record, to)?;
    setting.output.note(format!("read as {}: {}", input.notation, record.end()));
    let n_start = record.start().drawn().len();
    if to.is_of_games() && n_start > 0 {
        let made_up = format!("{n_start} lines were drawn before the first move: their order is made up");
        setting.output.note(made_up);
    }
    setting.output.print(
        &Report {
            from: input.notation.to_string(),
            to: to.to_string(),
            start: record.start().to_string(),
            position: record.end().to_string(),
            moves: record.moves().to_vec(),
            to_move: record.to_move().to_string(),
            penalty: record.penalty(),
            text,
        },
        |report, f| f.write_str(&report.text),
    )
}
