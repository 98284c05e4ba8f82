//! `dab endgame`: the closed-form theory on one multiset of long chains and loops.

use std::fmt::{self, Display};

use dab_endgame::Position;
use dab_endgame::allcock::explicit_value;
use dab_endgame::controlled::controlled_value;
use dab_endgame::openings::{optimal_openings, replies};
use serde::Serialize;

use crate::options::Setting;
use crate::output::list;

#[derive(Serialize)]
struct Report {
    position: String,
    size: u64,
    controlled_value: i64,
    value: i64,
    /// Every optimal opening.
    open: Vec<String>,
    case: String,
    replies: Vec<Reply>,
}

/// What the controller does if a component is opened.
#[derive(Serialize)]
struct Reply {
    component: String,
    reply: String,
}

pub(crate) fn run(position: &Position, setting: &Setting) -> anyhow::Result<()> {
    let (value, case) = explicit_value(position);
    let replies = replies(position).into_iter();
    setting.output.print(&Report {
        position: position.to_string(),
        size: position.size(),
        controlled_value: controlled_value(position),
        value,
        open: optimal_openings(position).iter().map(ToString::to_string).collect(),
        case: case.to_string(),
        replies: replies.map(|(c, reply)| Reply { component: c.to_string(), reply: reply.to_string() }).collect(),
    })
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, {} boxes", self.position, self.size)?;
        writeln!(f, "value             {} for the controller ({})", self.value, self.case)?;
        write!(f, "controlled value  {}", self.controlled_value)?;
        if !self.open.is_empty() {
            write!(f, "\nopen              {}", list(&self.open, " or "))?;
        }
        for Reply { component, reply } in &self.replies {
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
