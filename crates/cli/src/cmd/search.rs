//! `dab search`: the score of one position, by search.

use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use dab_board::Position;
use dab_board::Score;
use dab_search::Found;
use serde::Serialize;

use crate::options::Setting;
use crate::output::{Count, Time};

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

pub(crate) fn run(position: &Position, penalty: i8, setting: &Setting) -> anyhow::Result<()> {
    let begin = Instant::now();
    let Found { score, nodes, summands } = dab_search::score(position, penalty, setting.memory);
    setting.output.print(&Report {
        position: position.to_string(),
        penalty,
        score,
        nodes,
        parts: summands,
        seconds: begin.elapsed().as_secs_f64(),
    })
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let penalty = if self.penalty == 0 { String::new() } else { format!(", last-move penalty {}", self.penalty) };
        writeln!(f, "{}{penalty}: score {}", self.position, self.score)?;
        let (nodes, parts) = (Count(self.nodes.into()), Count(self.parts as u128));
        let time = Time(Duration::from_secs_f64(self.seconds));
        write!(f, "searched {nodes} positions with {parts} different parts in {time}")
    }
}
