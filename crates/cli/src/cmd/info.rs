//! `dab info`: the contents of a run or a book.

use std::fmt::{self, Write};
use std::path::Path;

use dab_store::LayerSummary;

use crate::failure::Result;
use crate::options::Setting;
use crate::output::{Bytes, Count};
use dab::{Files, Summary};

pub(crate) fn run(path: &Path, setting: &Setting) -> Result<()> {
    setting.output.print(&Files::open(path)?.summary(), text)
}

/// A run or a book in numbers.
pub(super) fn text(summary: &Summary, f: &mut String) -> fmt::Result {
    let Summary { path, kind, board, start, space, penalty, n_layers, positions, bytes, digest, layers, .. } = summary;
    let digest = digest.as_deref().unwrap_or("none until all layers are solved");
    writeln!(f, "{kind:<9}  {path}")?;
    writeln!(f, "board      {board}")?;
    writeln!(f, "start      {start}")?;
    writeln!(f, "space      {space}")?;
    writeln!(f, "penalty    {penalty}")?;
    writeln!(f, "layers     {} of {n_layers}", layers.len())?;
    writeln!(f, "positions  {}", Count((*positions).into()))?;
    writeln!(f, "bytes      {}", Bytes((*bytes).into()))?;
    if summary.released_slabs > 0 {
        let (slabs, bytes) = (Count(summary.released_slabs as u128), Bytes(summary.released_bytes.into()));
        writeln!(f, "released   {slabs} slabs, {bytes}: nothing unsolved reads them")?;
    }
    if let Some(checks) = &summary.checks {
        let scores = Count(checks.layers.iter().map(|layer| u128::from(layer.scores)).sum());
        writeln!(f, "checked    {scores} scores, derived again before they were written")?;
    }
    writeln!(f, "digest     {digest}")?;
    write!(f, "\nlayer       slabs          positions           bytes  digest")?;
    for LayerSummary { layer, slabs, positions, bytes, digest } in layers {
        let [slabs, positions, bytes] = [*slabs as u128, (*positions).into(), (*bytes).into()].map(Count);
        write!(f, "\n{layer:>5}  {slabs:>10}  {positions:>17}  {bytes:>14}  {digest}")?;
    }
    Ok(())
}
