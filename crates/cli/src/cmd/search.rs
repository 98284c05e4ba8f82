//! `dab search`: the score of one position, by search.

use std::fmt::{self, Write};
use std::time::{Duration, Instant};

use dab::text::Asked;
use dab_board::Score;
use dab_search::Found;
use serde::Serialize;

use crate::options::Setting;
use crate::output::{Count, Time, with_penalty};

#[derive(Serialize)]
struct Report {
    position: String,
    penalty: i8,
    score: Score,
    /// Positions whose moves were looked at.
    nodes: u64,
    /// Different summands met.
    parts: usize,
    seconds: f64,
}

pub(crate) fn run(asked: &Asked, penalty: Option<i32>, setting: &Setting) -> anyhow::Result<()> {
    let (position, penalty) = (&asked.position, asked.penalty_or(penalty)? as i8);
    let begin = Instant::now();
    let Found { score, nodes, summands } = dab_search::score(position, penalty, setting.memory);
    let seconds = begin.elapsed().as_secs_f64();
    let report = Report { position: position.to_string(), penalty, score, nodes, parts: summands, seconds };
    setting.output.print(&report, text)
}

fn text(report: &Report, f: &mut String) -> fmt::Result {
    let penalty = with_penalty(report.penalty);
    writeln!(f, "{}{penalty}: score {}", report.position, report.score)?;
    let (nodes, parts) = (Count(report.nodes.into()), Count(report.parts as u128));
    let time = Time(Duration::from_secs_f64(report.seconds));
    write!(f, "searched {nodes} positions with {parts} different parts in {time}")
}
