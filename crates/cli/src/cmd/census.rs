//! `dab census`: the first positions of a game by winner and score, and the replies to each first move.

use std::path::Path;

use dab::{Census, Remedy, Tablebase};

use crate::failure::Result;
use crate::options::Setting;
use crate::output::plural;
use crate::progress::Progress;

pub(crate) fn run(path: &Path, lines: usize, setting: &Setting) -> Result<()> {
    let table = Tablebase::open_within(path, setting.limits())?;
    let progress = Progress::new(Census::n_positions(&table, lines))?;
    let counted = Census::count(&table, lines, setting.limits(), &progress).map_err(|error| match error.remedy() {
        Some(Remedy::AskRun | Remedy::AskFinished | Remedy::SolveElsewhere { .. }) => {
            error.context(format!("a census of up to {}", plural(lines as u64, "line")))
        }
        _ => error,
    })?;
    drop(progress);
    setting.output.print(&counted)
}
