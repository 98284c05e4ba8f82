//! A run directory together with the index of its positions.

use std::path::Path;

use anyhow::{anyhow, bail};
use dab_board::Position;
use dab_solve::{Rules, game_of};
use dab_space::Space;
use dab_store::{RunDir, ScoreRead};

/// An opened run whose files were written for exactly this index.
pub(crate) struct Run {
    pub(crate) dir: RunDir,
    pub(crate) space: Space,
    pub(crate) rules: Rules,
}

impl Run {
    /// Opens a run for reading and builds the index from its manifest.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let dir = RunDir::open(path)?;
        let game = dir.game();
        let wrong = |error: String| {
            let path = path.display();
            anyhow!(
                "{path}: its manifest describes no game that this program knows: {error}; use the version of dab that wrote it"
            )
        };
        let start: Position = game.start.parse().map_err(|error: dab_board::BoardError| wrong(error.to_string()))?;
        let space = Space::new(start, game.space.parse().map_err(wrong)?).map_err(|error| wrong(error.to_string()))?;
        let rules = Rules::new(&space, game.penalty.into()).map_err(|error| wrong(error.to_string()))?;
        if game_of(&space, rules) != *game || space.n_layers() != dir.n_layers() {
            bail!(
                "{}: its positions are not ordered as this program orders them; use the version of dab that wrote it, \
                 or solve {} again into another directory",
                path.display(),
                game.start
            );
        }
        Ok(Self { dir, space, rules })
    }

    /// Fails unless every layer is finished.
    pub(crate) fn require_finished(&self) -> anyhow::Result<()> {
        let n_layers = self.dir.n_layers();
        let finished = (0..n_layers).filter(|&layer| self.dir.is_finished(layer)).count();
        if finished < n_layers {
            let path = self.dir.path().display();
            bail!(
                "{path}: only {finished} of {n_layers} layers are solved; finish the run with the same solve command"
            );
        }
        Ok(())
    }
}
