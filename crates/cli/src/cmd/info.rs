//! `dab info`: what a run or a book holds.

use std::fmt::{self, Display};
use std::path::Path;

use dab_store::LayerSummary;
use serde::Serialize;

use crate::options::Setting;
use crate::output::{Bytes, Count};
use dab::Files;

/// A run or a book in numbers.
#[derive(Serialize)]
pub(crate) struct Info {
    path: String,
    kind: &'static str,
    board: String,
    start: String,
    space: String,
    penalty: i8,
    /// Layers of the run; those that are here are listed in `layers`.
    n_layers: usize,
    positions: u64,
    bytes: u64,
    digest: Option<String>,
    layers: Vec<LayerSummary>,
}

pub(crate) fn run(path: &Path, setting: &Setting) -> anyhow::Result<()> {
    setting.output.print(&Info::of(&Files::open(path)?))
}

impl Info {
    pub(crate) fn of(files: &Files) -> Self {
        let (game, layers) = (files.game().clone(), files.layers().collect::<Vec<_>>());
        Self {
            path: files.name(),
            kind: files.kind(),
            board: game.board,
            start: game.start,
            space: game.space,
            penalty: game.penalty,
            n_layers: files.n_layers(),
            positions: layers.iter().map(|layer| layer.positions).sum(),
            bytes: layers.iter().map(|layer| layer.bytes).sum(),
            digest: files.digest().map(|digest| digest.to_string()),
            layers,
        }
    }
}

impl Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, kind, board, start, space, penalty, n_layers, .. } = self;
        let digest = self.digest.as_deref().unwrap_or("none until all layers are solved");
        writeln!(f, "{kind:<9}  {path}")?;
        writeln!(f, "board      {board}")?;
        writeln!(f, "start      {start}")?;
        writeln!(f, "space      {space}")?;
        writeln!(f, "penalty    {penalty}")?;
        writeln!(f, "layers     {} of {n_layers}", self.layers.len())?;
        writeln!(f, "positions  {}", Count(self.positions.into()))?;
        writeln!(f, "bytes      {}", Bytes(self.bytes.into()))?;
        writeln!(f, "digest     {digest}")?;
        write!(f, "\nlayer       slabs          positions           bytes  digest")?;
        for LayerSummary { layer, slabs, positions, bytes, digest } in &self.layers {
            let [slabs, positions, bytes] = [*slabs as u128, (*positions).into(), (*bytes).into()].map(Count);
            write!(f, "\n{layer:>5}  {slabs:>10}  {positions:>17}  {bytes:>14}  {digest}")?;
        }
        Ok(())
    }
}
