//! `dab endgame`: the closed-form theory on one multiset of long chains and loops.

use std::fmt::{self, Display};

use dab::theory::{EndgameAnswer, ReplyTo, Theory};
use dab_endgame::Position;
use serde::Serialize;

use crate::options::Setting;
use crate::output::list;

#[derive(Serialize)]
#[serde(transparent)]
struct Report(EndgameAnswer);

pub(crate) fn run(position: &Position, setting: &Setting) -> anyhow::Result<()> {
    setting.output.print(&Report(EndgameAnswer::of(position)))
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(EndgameAnswer { position, theory, replies }) = self;
        let Theory { size, controlled_value, value, open, case } = theory;
        writeln!(f, "{position}, {size} boxes")?;
        writeln!(f, "value             {value} for the controller ({case})")?;
        write!(f, "controlled value  {controlled_value}")?;
        if !open.is_empty() {
            write!(f, "\nopen              {}", list(open, " or "))?;
        }
        for ReplyTo { component, reply } in replies {
            write!(f, "\n  if {component} is opened: {}", control(reply))?;
        }
        Ok(())
    }
}

fn control(reply: &str) -> &str {
    match reply {
        "keep" => "keep control",
        "give up" => "give up control",
        _ => "keep or give up control",
    }
}
