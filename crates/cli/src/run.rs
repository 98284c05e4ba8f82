//! Scores on disk, a run or a book, together with the index of their positions.

use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use dab_solve::cost::plan::Plan;
use dab_space::{Rules, SlabShape, Space};
use dab_store::{BookFile, Buffer, Digest, Game, LayerFile, LayerSummary, RunDir, ScoreRead, Scores, StoreError};

use crate::boards;
use crate::failure::Usage;
use crate::options::Setting;

/// A directory or a file with scores.
pub(crate) enum Files {
    Run(RunDir),
    Book(BookFile),
}

impl Files {
    /// Opens a run directory or a book for reading.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        if path.is_file() { BookFile::open(path).map(Self::Book) } else { RunDir::open(path).map(Self::Run) }
    }

    /// What they are, as results name it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Book(_) => "book",
        }
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Run(run) => run.path(),
            Self::Book(book) => book.path(),
        }
    }

    pub(crate) fn game(&self) -> &Game {
        match self {
            Self::Run(run) => run.game(),
            Self::Book(book) => book.game(),
        }
    }

    /// Layers of the run, whether they are here or not.
    pub(crate) fn n_layers(&self) -> usize {
        match self {
            Self::Run(run) => run.n_layers(),
            Self::Book(book) => book.n_layers(),
        }
    }

    /// Digest of the run, once it is finished.
    pub(crate) fn digest(&self) -> Option<Digest> {
        match self {
            Self::Run(run) => run.digest(),
            Self::Book(book) => Some(book.digest()),
        }
    }

    fn is_discarded(&self, layer: usize) -> bool {
        match self {
            Self::Run(run) => run.is_discarded(layer),
            Self::Book(_) => false,
        }
    }

    /// The layers that are here, by number.
    pub(crate) fn layers(&self) -> impl Iterator<Item = LayerSummary> {
        (0..self.n_layers()).filter_map(|layer| self.finished(layer)).filter(|layer| !self.is_discarded(layer.layer))
    }

    pub(crate) fn layer_file(&self, layer: usize) -> Result<Arc<LayerFile>, StoreError> {
        match self {
            Self::Run(run) => run.layer_file(layer),
            Self::Book(book) => book.layer_file(layer),
        }
    }

    fn scores(&self) -> &dyn ScoreRead {
        match self {
            Self::Run(run) => run,
            Self::Book(book) => book,
        }
    }
}

impl ScoreRead for Files {
    fn read_slab(&self, layer: usize, slab: usize, shape: SlabShape<'_>) -> Result<Scores, StoreError> {
        self.scores().read_slab(layer, slab, shape)
    }

    fn read_slab_into(
        &self,
        layer: usize,
        slab: usize,
        shape: SlabShape<'_>,
        used: Buffer,
    ) -> Result<Scores, StoreError> {
        self.scores().read_slab_into(layer, slab, shape, used)
    }

    fn read_score(
        &self,
        layer: usize,
        slab: usize,
        shape: SlabShape<'_>,
        row: usize,
        col: usize,
    ) -> Result<i8, StoreError> {
        self.scores().read_score(layer, slab, shape, row, col)
    }

    fn read_scores(
        &self,
        layer: usize,
        slab: usize,
        shape: SlabShape<'_>,
        places: &[usize],
    ) -> Result<Vec<i8>, StoreError> {
        self.scores().read_scores(layer, slab, shape, places)
    }

    fn finished(&self, layer: usize) -> Option<LayerSummary> {
        self.scores().finished(layer)
    }
}

/// Opened files that were written for exactly this index.
pub(crate) struct Run {
    pub(crate) files: Files,
    pub(crate) space: Space,
    pub(crate) rules: Rules,
}

impl Run {
    /// Opens a run or a book for reading and builds the index from what it says of itself.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        Self::of(Files::open(path)?)
    }

    /// Builds the index of opened files.
    pub(crate) fn of(files: Files) -> anyhow::Result<Self> {
        let (game, path) = (files.game(), files.path().display());
        let wrong = |error: String| {
            anyhow!(
                "{path}: it describes no game that this program knows: {error}; use the version of dab that wrote it"
            )
        };
        let start = boards::start(&game.start, game.graph.as_deref(), &path.to_string())
            .map_err(|error| wrong(error.to_string()))?;
        let space = Space::new(start, game.space.parse().map_err(wrong)?).map_err(|error| wrong(error.to_string()))?;
        let rules = Rules::new(&space, game.penalty.into()).map_err(|error| wrong(error.to_string()))?;
        if Game::of(&space, rules) != *game || space.n_layers() != files.n_layers() {
            bail!(
                "{path}: its positions are not ordered as this program orders them; use the version of dab that wrote \
                 it, or solve {} again into another directory",
                game.start
            );
        }
        Ok(Self { files, space, rules })
    }

    /// Bytes for slabs, when the program may use `setting.memory` in all.
    pub(crate) fn slab_budget(&self, setting: &Setting) -> u64 {
        self.plan().slab_budget(setting.memory, setting.threads)
    }

    /// What it took to solve it.
    pub(crate) fn plan(&self) -> Plan {
        Plan::new(self.space.layout())
    }

    /// Fails if another last-move penalty was asked for than the scores have.
    pub(crate) fn require_penalty(&self, asked: Option<i32>) -> Result<(), Usage> {
        let (from, penalty) = (self.files.path().display(), self.rules.penalty);
        match asked {
            Some(asked) if asked != i32::from(penalty) => Err(Usage(format!(
                "{from} was solved with last-move penalty {penalty}, not {asked}: leave out --penalty, ask a run solved \
                 with --penalty {asked}, or leave out --from to solve on the spot"
            ))),
            _ => Ok(()),
        }
    }

    /// Fails unless every layer of a run is solved, whether its scores were kept or not.
    pub(crate) fn require_finished(&self) -> anyhow::Result<()> {
        let (path, n_layers) = (self.files.path().display(), self.files.n_layers());
        let solved = (0..n_layers).filter(|&layer| self.files.is_finished(layer)).count();
        if matches!(self.files, Files::Run(_)) && solved < n_layers {
            bail!("{path}: only {solved} of {n_layers} layers are solved; finish the run with the same solve command");
        }
        Ok(())
    }

    /// Fails unless every layer is here.
    pub(crate) fn require_all(&self) -> anyhow::Result<()> {
        self.require_finished()?;
        let (path, n_layers, held) = (self.files.path().display(), self.files.n_layers(), self.files.layers().count());
        match &self.files {
            _ if held == n_layers => Ok(()),
            Files::Run(_) => {
                bail!("{path} kept only {held} of {n_layers} layers; solve the board again without --keep")
            }
            Files::Book(_) => bail!("{path} holds only {held} of {n_layers} layers; use the run it was made from"),
        }
    }
}
