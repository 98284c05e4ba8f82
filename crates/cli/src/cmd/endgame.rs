//! `dab endgame`: the closed-form theory on one multiset of long chains and loops.

use std::fmt::{self, Write};

use dab::theory::{EndgameAnswer, ReplyTo, Theory};
use dab_endgame::{ParseError, Position};

use super::batch;
use crate::args::Endgame;
use crate::failure::{Result, usage};
use crate::options::Setting;
use crate::output::{json_line, list};

pub(crate) fn run(endgame: &Endgame, setting: &Setting) -> Result<()> {
    let setting = setting.for_batch(&endgame.batch);
    endgame.positions.iter().try_for_each(|position| setting.output.print(&EndgameAnswer::of(position), text))?;
    batch::run(&endgame.batch, |line, _, out| {
        let position: Position = line.parse().map_err(|error: ParseError| usage(error.to_string()))?;
        json_line(&EndgameAnswer::of(&position), out)?;
        Ok(true)
    })
}

fn text(answer: &EndgameAnswer, f: &mut String) -> fmt::Result {
    let EndgameAnswer { position, theory, replies } = answer;
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

fn control(reply: &str) -> &str {
    match reply {
        "keep" => "keep control",
        "give up" => "give up control",
        _ => "keep or give up control",
    }
}
