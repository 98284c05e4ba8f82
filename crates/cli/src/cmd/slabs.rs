//! `dab slabs` and `dab solve-slab`: a run solved piece by piece by processes that somebody else starts.

use std::fmt::Write;
use std::path::Path;

use dab::Tablebase;
use dab::pieces::{self, PieceSolve, PieceStatus};
use dab_space::Layer;

use crate::failure::Result;
use crate::options::Setting;
use crate::output::{list, message};
use crate::progress::Progress;

/// Shows the progress of a run.
pub(crate) fn show(path: &Path, setting: &Setting) -> Result<()> {
    setting.output.print(&pieces::status(&Tablebase::open_within(path, setting.limits())?)?, |status, f| {
        let PieceStatus { path, layers, solved, layer, pieces, ready } = status;
        write!(f, "{path}: {solved} of {layers} layers are solved")?;
        layer.map_or(Ok(()), |layer| write!(f, "; layer {layer}: {} of {pieces} pieces", pieces - ready.len()))
    })
}

/// Finishes the layers whose slabs are all solved, and lists the slabs that can be solved.
pub(crate) fn ready(path: &Path, setting: &Setting) -> Result<()> {
    let status = pieces::next(path, setting.limits(), &Progress::new(0)?, &|said| message(said))?;
    // Nothing at all when nothing is left to do, so that scripts can stop.
    if status.ready.is_empty() && !setting.output.json {
        return Ok(());
    }
    setting.output.print(&status, |status, f| {
        let layer = status.layer.unwrap_or_default();
        f.write_str(&list(status.ready.iter().map(|slab| format!("{layer} {slab}")), "\n"))
    })
}

/// Solves the pieces that have the given slabs, if they are not solved yet.
pub(crate) fn solve(dir: &Path, layer: usize, slabs: &[usize], setting: &Setting) -> Result<()> {
    let table = Tablebase::open_within(dir, setting.limits())?;
    let solve = PieceSolve::new(&table, Layer(layer), slabs)?;
    if solve.is_empty() {
        setting.output.note(format!("layer {layer} of {} is already solved", dir.display()));
        return Ok(());
    }
    solve.solve(setting.limits(), &Progress::new(solve.positions().into())?)
}
