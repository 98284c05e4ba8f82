//! Scores of one game: a run directory, a book, or the result of a solve that is gone when it is dropped.

use std::fmt::{self, Debug, Display};
use std::path::Path;
use std::sync::Arc;

use dab_space::{Layer, serialize_fields};
use dab_store::{
    Access, BookFile, Checks, Digest, Game, LayerSummary, MemoryStore, RunDir, ScoreRead, StoreError, StoredLayer,
};

use crate::figures::{Bytes, Count};

/// A run or a book in numbers.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its path; bytes that are no text are replaced.
    pub path: String,
    /// The bytes of a path that is no text, in hexadecimal.
    pub path_bytes: Option<String>,
    /// Its kind, as [`Files::kind`].
    pub kind: &'static str,
    /// The board.
    pub board: String,
    /// The position from which all others arise.
    pub start: String,
    /// The space of positions that are stored.
    pub space: String,
    /// The last-move penalty, in boxes.
    pub penalty: i8,
    /// Whether scores have loony marks.
    pub marks: bool,
    /// Layers of the game; those that are here are listed in `layers`.
    pub n_layers: usize,
    /// Positions of the layers that are here.
    pub positions: u64,
    /// Bytes: of a book the length of its file; of a run the sum over its layers below, the score files without the manifest.
    /// Holes of released slabs count.
    pub bytes: u64,
    /// Slabs of these layers that were released; their positions and bytes are still counted above.
    pub released_slabs: usize,
    /// Bytes that they gave back.
    pub released_bytes: u64,
    /// Digest of the run, once it is finished.
    pub digest: Option<String>,
    /// The same of the marks, if there are any.
    pub marks_digest: Option<String>,
    /// Scores that were derived again before they were written.
    pub checks: Option<Checks>,
    /// The layers that are here.
    pub layers: Vec<LayerSummary>,
}

serialize_fields!(Summary {
    path,
    path_bytes unless Option::is_none,
    kind,
    board,
    start,
    space,
    penalty,
    marks unless is_zero,
    n_layers,
    positions,
    bytes,
    released_slabs unless is_zero,
    released_bytes unless is_zero,
    digest,
    marks_digest unless Option::is_none,
    checks unless Option::is_none,
    layers,
});

impl Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, kind, board, start, space, penalty, n_layers, positions, bytes, digest, layers, .. } = self;
        let digest = digest.as_deref().unwrap_or("none until all layers are solved");
        writeln!(f, "{kind:<9}  {path}")?;
        writeln!(f, "board      {board}")?;
        writeln!(f, "start      {start}")?;
        writeln!(f, "space      {space}")?;
        writeln!(f, "penalty    {penalty}")?;
        writeln!(f, "layers     {} of {n_layers}", layers.len())?;
        writeln!(f, "positions  {}", Count((*positions).into()))?;
        writeln!(f, "bytes      {}", Bytes((*bytes).into()))?;
        if self.released_slabs > 0 {
            let (slabs, bytes) = (Count(self.released_slabs as u128), Bytes(self.released_bytes.into()));
            writeln!(f, "released   {slabs} slabs, {bytes}: nothing unsolved reads them")?;
        }
        if let Some(checks) = &self.checks {
            let scores = Count(checks.layers.iter().map(|layer| u128::from(layer.scores)).sum());
            writeln!(f, "checked    {scores} scores, derived again before they were written")?;
        }
        writeln!(f, "digest     {digest}")?;
        if let Some(digest) = &self.marks_digest {
            writeln!(f, "marks      {digest}")?;
        }
        write!(f, "\nlayer       slabs          positions           bytes  digest")?;
        for LayerSummary { layer, slabs, positions, bytes, digest, .. } in layers {
            let [slabs, positions, bytes] = [*slabs as u128, (*positions).into(), (*bytes).into()].map(Count);
            write!(f, "\n{layer:>5}  {slabs:>10}  {positions:>17}  {bytes:>14}  {digest}")?;
        }
        Ok(())
    }
}

fn is_zero<T: Default + PartialEq>(n: &T) -> bool {
    *n == T::default()
}

fn hex(path: &Path) -> String {
    path.as_os_str().as_encoded_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Scores without the index of their positions.
#[derive(Debug)]
pub enum Files {
    /// A run directory.
    Run(Box<RunDir>),
    /// A book.
    Book(Box<BookFile>),
    /// A run in temporary files, and what removes them when it is dropped. Fields are dropped in order: the files are closed, then
    /// removed.
    Temporary(Box<RunDir>, Box<dyn Debug + Send + Sync>),
    /// Scores in memory.
    Memory(MemoryStore, Game),
}

impl Files {
    /// Opens a run directory or a book for reading.
    ///
    /// # Errors
    /// If there is no such thing, or its head is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_with(path, Access::BY_POSITION)
    }

    /// As [`Files::open`], read in this way. [`Tablebase::from_files`](crate::Tablebase::from_files) makes the index.
    ///
    /// # Errors
    /// As [`Files::open`], or a file cannot be mapped.
    pub fn open_with(path: impl AsRef<Path>, access: Access) -> Result<Self, StoreError> {
        let path = path.as_ref();
        Ok(match path.is_file() {
            true => Self::Book(BookFile::open_with(path, access)?.into()),
            false => Self::Run(RunDir::open_with(path, access)?.into()),
        })
    }

    /// Opens a run directory or a book for a check of every byte: damaged and missing score files are no error yet.
    ///
    /// # Errors
    /// If there is no such thing, or its head is damaged.
    pub fn open_to_verify(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        if path.is_file() { Self::open(path) } else { Ok(Self::Run(RunDir::open_to_verify(path)?.into())) }
    }

    /// `run`, `book`, or `solved` for scores that are gone when they are dropped.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Book(_) => "book",
            Self::Temporary(..) | Self::Memory(..) => "solved",
        }
    }

    /// The path of a run or a book; words for scores without one.
    pub fn name(&self) -> String {
        match self {
            Self::Run(run) => run.path().display().to_string(),
            Self::Book(book) => book.path().display().to_string(),
            Self::Temporary(..) => "temporary files".to_owned(),
            Self::Memory(..) => "memory".to_owned(),
        }
    }

    /// The path of a run or a book.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Run(run) => Some(run.path()),
            Self::Book(book) => Some(book.path()),
            Self::Temporary(..) | Self::Memory(..) => None,
        }
    }

    /// The identity of the game.
    pub fn game(&self) -> &Game {
        match self {
            Self::Run(run) | Self::Temporary(run, _) => run.game(),
            Self::Book(book) => book.game(),
            Self::Memory(_, game) => game,
        }
    }

    /// The number of layers of the game, whether their scores are here or not.
    pub fn n_layers(&self) -> usize {
        match self {
            Self::Run(run) | Self::Temporary(run, _) => run.n_layers(),
            Self::Book(book) => book.n_layers(),
            Self::Memory(scores, _) => scores.n_layers(),
        }
    }

    /// The digest of a finished run; none for scores in memory.
    pub fn digest(&self) -> Option<Digest> {
        match self {
            Self::Run(run) | Self::Temporary(run, _) => run.digest(),
            Self::Book(book) => Some(book.digest()),
            Self::Memory(..) => None,
        }
    }

    /// The digest of the marks of a finished run, if there are any; none for those in memory.
    pub(crate) fn marks_digest(&self) -> Option<Digest> {
        match self {
            Self::Run(run) | Self::Temporary(run, _) => run.marks_digest(),
            Self::Book(book) => book.marks_digest(),
            Self::Memory(..) => None,
        }
    }

    /// The layers whose scores are here, ascending.
    pub fn layers(&self) -> impl Iterator<Item = LayerSummary> {
        let is_discarded = |layer| matches!(self, Self::Run(run) if run.is_discarded(layer));
        (0..self.n_layers())
            .map(Layer)
            .filter_map(|layer| self.scores().finished(layer))
            .filter(move |layer| !is_discarded(layer.layer))
    }

    /// Slabs of these layers that were released while the run was solved.
    pub fn released_slabs(&self) -> usize {
        match self {
            Self::Run(run) => (0..run.n_layers()).map(Layer).map(|layer| run.released(layer).len()).sum(),
            _ => 0,
        }
    }

    /// The score file of a layer, or its part of a book; `None` for scores in memory.
    ///
    /// # Errors
    /// If the layer is not here, or its head is damaged.
    pub fn stored_layer(&self, layer: Layer) -> Result<Option<Arc<StoredLayer>>, StoreError> {
        match self {
            Self::Run(run) | Self::Temporary(run, _) => run.stored_layer(layer).map(Some),
            Self::Book(book) => book.stored_layer(layer).map(Some),
            Self::Memory(..) => Ok(None),
        }
    }

    /// The game, the layers that are here, and their sizes.
    pub fn summary(&self) -> Summary {
        let (game, layers) = (self.game().clone(), self.layers().collect::<Vec<_>>());
        Summary {
            path: self.name(),
            path_bytes: self.path().filter(|path| path.to_str().is_none()).map(hex),
            kind: self.kind(),
            board: game.board,
            start: game.start,
            space: game.space,
            penalty: game.penalty,
            marks: game.marks,
            n_layers: self.n_layers(),
            positions: layers.iter().map(|layer| layer.positions).sum(),
            bytes: match self {
                // A book has a header, a directory and a footer beside its layers.
                Self::Book(book) => book.file_len(),
                _ => layers.iter().map(|layer| layer.bytes).sum(),
            },
            released_slabs: self.released_slabs(),
            released_bytes: match self {
                Self::Run(run) => run.released_bytes(),
                _ => 0,
            },
            checks: match self {
                Self::Run(run) => run.checks(),
                _ => None,
            },
            digest: self.digest().map(|digest| digest.to_string()),
            marks_digest: self.marks_digest().map(|digest| digest.to_string()),
            layers,
        }
    }

    /// The scores as they are read.
    pub fn scores(&self) -> &dyn ScoreRead {
        match self {
            Self::Run(run) | Self::Temporary(run, _) => run.as_ref(),
            Self::Book(book) => book.as_ref(),
            Self::Memory(scores, _) => scores,
        }
    }
}
