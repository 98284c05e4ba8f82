//! What can go wrong between a score and the disk.
//!
//! Two tiers: a [`Damage`] says what is wrong with some bytes, a [`StoreError`] adds the place and the remedy. The
//! place comes from the [`Origin`](crate::origin::Origin) of the bytes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// What is wrong with some bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Damage {
    /// Fewer bytes than something needs.
    #[error("{what} ends early: expected {expected} bytes, got {got}")]
    Short {
        /// What is too short.
        what: &'static str,
        /// Bytes needed.
        expected: u64,
        /// Bytes there.
        got: u64,
    },
    /// A field holds another number than it must.
    #[error("{what}: expected {expected}, got {got}")]
    Field {
        /// Name of the field.
        what: &'static str,
        /// What it must be.
        expected: String,
        /// What it is.
        got: String,
    },
    /// Bytes that do not match their checksum.
    #[error("checksum of {what}: expected {expected:08x}, got {got:08x}")]
    Checksum {
        /// What the checksum covers.
        what: &'static str,
        /// As stored.
        expected: u32,
        /// As computed from the bytes.
        got: u32,
    },
    /// A compressed block that does not decompress.
    #[error("does not decompress: {0}")]
    Compression(String),
    /// A manifest that is no JSON or not of this shape.
    #[error("{0}")]
    Json(String),
}

impl Damage {
    /// `Ok` when a field is what it must be.
    pub(crate) fn check<T: PartialEq + fmt::Display>(what: &'static str, expected: T, got: T) -> Result<(), Self> {
        if expected == got {
            return Ok(());
        }
        Err(Self::Field { what, expected: expected.to_string(), got: got.to_string() })
    }

    /// `Ok` when some bytes are the magic ones.
    pub(crate) fn check_magic(what: &'static str, expected: &[u8], got: &[u8]) -> Result<(), Self> {
        Self::check(what, expected.escape_ascii().to_string(), got.escape_ascii().to_string())
    }

    /// `Ok` when a checksum agrees.
    pub(crate) fn check_crc(what: &'static str, expected: u32, got: u32) -> Result<(), Self> {
        if expected == got { Ok(()) } else { Err(Self::Checksum { what, expected, got }) }
    }

    /// `Ok` when `got` bytes are at least `expected`.
    pub(crate) fn check_len(what: &'static str, expected: u64, got: u64) -> Result<(), Self> {
        if got >= expected { Ok(()) } else { Err(Self::Short { what, expected, got }) }
    }
}

/// Bytes that could not be read or cannot be believed; a [`StoreError`] adds the file.
#[derive(Debug)]
pub(crate) enum ReadError {
    Damage(Damage),
    Io(io::Error),
}

impl From<Damage> for ReadError {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Errors of run directories and score files.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error(
        "cannot {action} {}: {source}; check free space, permissions and the disk, then run the same command again",
        path.display()
    )]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
    /// Damaged bytes of a score file or a book.
    #[error("{place} is damaged: {damage}; {remedy}")]
    Damaged {
        /// The file, and as far as they are known layer, slab and block.
        place: String,
        /// What is wrong.
        damage: Damage,
        /// What to do.
        remedy: &'static str,
    },
    /// A damaged layer that, recomputed, is not the one that was lost.
    #[error(
        "{} cannot be repaired: recomputed, it is not the layer that the manifest lists: {damage}; \
         solve the board again into another directory",
        path.display()
    )]
    Unrepairable {
        /// The score file.
        path: PathBuf,
        /// The first difference.
        damage: Damage,
    },
    /// A file of another format version.
    #[error(
        "{} has format version {got}, this program reads version {expected}; use the version of dab that wrote it",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version this program reads.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// A score file of another run.
    #[error(
        "{} belongs to run {got}, not to run {expected}; move it away and run the same command again",
        path.display()
    )]
    ForeignFile {
        /// The score file.
        path: PathBuf,
        /// Id of the run that was asked for.
        expected: String,
        /// Id of the run in the file.
        got: String,
    },
    /// A layer that the manifest lists and the directory does not hold.
    #[error(
        "{} is missing although the manifest lists layer {layer}; \
         repair the run with 'dab verify DIR --repair', or run the same solve again",
        path.display()
    )]
    MissingLayer {
        /// The score file.
        path: PathBuf,
        /// The layer.
        layer: usize,
    },
    /// Score files that would outgrow what they may take.
    #[error(
        "{} would outgrow the {disk} bytes that it may take in layer {layer}; what is finished stays, go on with a \
         larger --disk",
        path.display()
    )]
    DiskSpent {
        /// The run directory.
        path: PathBuf,
        /// The layer that was being written.
        layer: usize,
        /// Bytes that score files may take.
        disk: u64,
    },
    /// A layer whose scores were not to be kept.
    #[error(
        "{} did not keep layer {layer}; solve the board again into another directory without --keep",
        path.display()
    )]
    Discarded {
        /// The run directory.
        path: PathBuf,
        /// The layer.
        layer: usize,
    },
    /// A layer that is not solved yet.
    #[error("{} holds no finished layer {layer}; finish the run with the same solve command", path.display())]
    Unfinished {
        /// The run directory.
        path: PathBuf,
        /// The layer.
        layer: usize,
    },
    /// A layer to be written that is already there.
    #[error("layer {layer} of {} is already finished; read it instead of writing it", path.display())]
    AlreadyFinished {
        /// The run directory.
        path: PathBuf,
        /// The layer.
        layer: usize,
    },
    /// A layer that the run does not have.
    #[error("{} has {n_layers} layers and no layer {layer}; check that board and run belong together", path.display())]
    NoSuchLayer {
        /// The run directory.
        path: PathBuf,
        /// The layer asked for.
        layer: usize,
        /// Layers of the run.
        n_layers: usize,
    },
    /// A slab that the layer does not have.
    #[error("{} has {n_slabs} slabs and no slab {slab}; check that board and run belong together", path.display())]
    NoSuchSlab {
        /// The score file.
        path: PathBuf,
        /// The slab asked for.
        slab: usize,
        /// Slabs of the layer.
        n_slabs: usize,
    },
    /// A slab of another shape than asked for.
    #[error(
        "{}, slab {slab}: expected {expected}, got {got}; \
         the index of this program is not the one that wrote the run: use the version of dab that wrote it",
        path.display()
    )]
    Shape {
        /// The score file.
        path: PathBuf,
        /// The slab.
        slab: usize,
        /// The shape asked for.
        expected: String,
        /// The shape in the file.
        got: String,
    },
    /// A file that must not be overwritten.
    #[error("{} is already there; remove it or choose another name", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A layer that a book leaves out.
    #[error(
        "{} holds layers 0 to {last} and not layer {layer}; ask the run it was made from, or make a book with more layers",
        path.display()
    )]
    BeyondBook {
        /// The book.
        path: PathBuf,
        /// The layer asked for.
        layer: usize,
        /// The last layer of the book.
        last: usize,
    },
    /// Another process writes this run.
    #[error("{} is being written by another process; wait for it or choose another directory", path.display())]
    Locked {
        /// The run directory.
        path: PathBuf,
    },
    /// A run opened for reading only.
    #[error("{} was opened for reading only; open it with the solve command to write", path.display())]
    ReadOnly {
        /// The run directory.
        path: PathBuf,
    },
    /// A directory that is no run.
    #[error("{} is not a run: {found}; choose an empty or new directory, or one that holds a run", path.display())]
    NotARun {
        /// The directory.
        path: PathBuf,
        /// What is there instead.
        found: String,
    },
    /// A directory with the run of another game.
    #[error(
        "{} holds another run: {field}: expected {expected}, got {got}; \
         choose another directory, or solve what it holds",
        path.display()
    )]
    OtherGame {
        /// The run directory.
        path: PathBuf,
        /// The first field of the game that differs.
        field: &'static str,
        /// What was asked for.
        expected: String,
        /// What the directory holds.
        got: String,
    },
    /// A damaged manifest.
    #[error(
        "{} is damaged: {damage}; delete it and run the same solve again: the manifest is rebuilt from the score \
         files",
        path.display()
    )]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
}

impl StoreError {
    /// What is wrong with which file, without the remedy, for those who apply it.
    pub fn fault(&self) -> String {
        match self {
            Self::Damaged { place, damage, .. } => format!("{place} is damaged: {damage}"),
            Self::ForeignFile { path, got, .. } => format!("{} belongs to run {got}", path.display()),
            Self::MissingLayer { path, .. } => format!("{} is missing", path.display()),
            error => error.to_string(),
        }
    }

    /// Adds path and action to an error of the operating system.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_path_buf(), action, source }
    }
}
