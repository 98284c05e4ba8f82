//! `dab slabs` and `dab solve-slab`: a run solved piece by piece by processes that somebody else starts.

use std::fmt::{self, Display};
use std::path::Path;

use dab::Tablebase;
use dab::pieces::{self, PieceSolve, PieceStatus};
use serde::Serialize;

use crate::options::Setting;
use crate::output::message;
use crate::progress::Progress;

/// The progress of a run.
#[derive(Serialize)]
struct Report {
    path: String,
    layers: usize,
    solved: usize,
    /// The layer whose slabs can be solved, if any is left.
    layer: Option<usize>,
    pieces: usize,
    /// First slabs of its pieces that have no slab file yet.
    ready: Vec<usize>,
    #[serde(skip)]
    as_list: bool,
}

impl Report {
    fn new(path: &Path, status: PieceStatus, as_list: bool) -> Self {
        let PieceStatus { layers, solved, layer, pieces, ready } = status;
        Self { path: path.display().to_string(), layers, solved, layer, pieces, ready, as_list }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, layers, solved, pieces, ready, .. } = self;
        if self.as_list {
            let layer = self.layer.unwrap_or_default();
            let lines: Vec<String> = ready.iter().map(|slab| format!("{layer} {slab}\n")).collect();
            return f.write_str(lines.concat().trim_end());
        }
        write!(f, "{path}: {solved} of {layers} layers are solved")?;
        match self.layer {
            Some(layer) => write!(f, "; layer {layer}: {} of {pieces} pieces", pieces - ready.len()),
            None => Ok(()),
        }
    }
}

/// Shows the progress of a run.
pub(crate) fn show(path: &Path, setting: &Setting) -> anyhow::Result<()> {
    let status = pieces::status(&Tablebase::open(path)?)?;
    setting.output.print(&Report::new(path, status, false))
}

/// Puts together the layers that are complete, and lists the slabs that can be solved.
pub(crate) fn ready(path: &Path, setting: &Setting) -> anyhow::Result<()> {
    let status = pieces::next(path, setting.limits(), &Progress::new(0)?, &|said| message(said))?;
    // Nothing at all when nothing is left to do, so that scripts can stop.
    if status.ready.is_empty() && !setting.output.json {
        return Ok(());
    }
    setting.output.print(&Report::new(path, status, true))
}

/// Solves the pieces that have the given slabs, if they are not solved yet.
pub(crate) fn solve(dir: &Path, layer: usize, slabs: &[usize], setting: &Setting) -> anyhow::Result<()> {
    let table = Tablebase::open(dir)?;
    let solve = PieceSolve::new(&table, layer, slabs)?;
    if solve.is_empty() {
        setting.output.note(format!("layer {layer} of {} is already solved", dir.display()));
        return Ok(());
    }
    Ok(solve.solve(setting.limits(), &Progress::new(solve.positions().into())?)?)
}
