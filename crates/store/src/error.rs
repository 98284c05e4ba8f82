//! Errors of runs, score files and books.
//!
//! Two tiers: a [`Damage`] is a fault of some bytes, a [`StoreError`] adds the file. Every text names the file and the
//! fault, with expected and got where there are such. Remedies are left to the caller, who knows what its user can do.

use std::io;
use std::path::{Path, PathBuf};

use dab_space::Layer;
use thiserror::Error;

use crate::Damage;

/// Whether the process, or the system, has no more open files to give.
pub fn is_out_of_files(error: &io::Error) -> bool {
    // EMFILE and ENFILE, on every Unix.
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

/// The kind of a damaged file, on which it depends how it can be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The score file of a layer of a run; can be repaired or solved again.
    ScoreFile,
    /// A book; can be made again from its run.
    Book,
}

/// An error of a run directory, a score file or a book.
#[derive(Debug, Error)]
#[allow(missing_docs)] // The text of a variant explains its fields.
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {action} {path}")]
    Io { path: PathBuf, action: &'static str, source: io::Error },
    /// Damaged bytes of a score file or a book; `place` is the file, and layer, slab and block if known.
    #[error("{place} is damaged: {damage}")]
    Damaged { kind: FileKind, place: String, damage: Damage },
    /// A damaged layer that, recomputed, is not the one that was lost.
    #[error("{path} cannot be repaired: recomputed, it is not the layer that the manifest lists: {damage}")]
    Unrepairable { path: PathBuf, damage: Damage },
    /// A file of another format version.
    #[error("{path} has another format version: expected {expected}, got {got}")]
    Version { path: PathBuf, expected: u32, got: u32 },
    /// A score file of another run.
    #[error("{path} belongs to run {got}, not to run {expected}")]
    ForeignFile { path: PathBuf, expected: String, got: String },
    /// A layer that the manifest lists and the directory does not hold.
    #[error("{path} is missing although the manifest lists layer {layer}")]
    MissingLayer { path: PathBuf, layer: Layer },
    /// Score files that would outgrow their limit, which is in bytes.
    #[error("{path} would outgrow its limit of {disk} bytes in layer {layer}")]
    DiskSpent { path: PathBuf, layer: Layer, disk: u64 },
    /// A layer whose scores were not to be kept.
    #[error("{path} did not keep layer {layer}")]
    Discarded { path: PathBuf, layer: Layer },
    /// A slab whose room was given back while the run is solved.
    #[error("{path}: slab {slab} was released, because every slab that reads it is solved")]
    Released { path: PathBuf, slab: usize },
    /// A layer that is not solved yet.
    #[error("layer {layer} of {path} is not solved yet")]
    Unfinished { path: PathBuf, layer: Layer },
    /// A layer to be written that is already there.
    #[error("layer {layer} of {path} is already finished")]
    AlreadyFinished { path: PathBuf, layer: Layer },
    /// A layer that the run does not have.
    #[error("{path} has {n_layers} layers and no layer {layer}")]
    NoSuchLayer { path: PathBuf, layer: Layer, n_layers: usize },
    /// A slab that the layer does not have.
    #[error("{path} has {n_slabs} slabs and no slab {slab}")]
    NoSuchSlab { path: PathBuf, slab: usize, n_slabs: usize },
    /// A slab of another shape than the index says.
    #[error("{path}, slab {slab}: expected {expected}, got {got}")]
    Shape { path: PathBuf, slab: usize, expected: String, got: String },
    /// A file that must not be overwritten.
    #[error("{path} is already there")]
    Exists { path: PathBuf },
    /// A layer that a book leaves out.
    #[error("{path} holds layers 0 to {last} and not layer {layer}")]
    BeyondBook { path: PathBuf, layer: Layer, last: Layer },
    /// Another process writes this run.
    #[error("{path} is being written by another process")]
    Locked { path: PathBuf },
    /// A run opened for reading only.
    #[error("{path} was opened for reading only")]
    ReadOnly { path: PathBuf },
    /// A directory that is no run.
    #[error("{path} is not a run: {found}")]
    NotARun { path: PathBuf, found: String },
    /// A file of another kind, where a book was expected.
    #[error("{path} is not a book: it does not begin as one")]
    NotABook { path: PathBuf },
    /// A directory with other things, where a run was to be made.
    #[error("there can be no run in {path}: {found}")]
    NoPlaceForRun { path: PathBuf, found: String },
    /// A directory with the run of another game.
    #[error("{path} holds another run: {field}: expected {expected}, got {got}")]
    OtherGame { path: PathBuf, field: &'static str, expected: String, got: String },
    /// A damaged manifest.
    #[error("{path} is damaged: {damage}")]
    Manifest { path: PathBuf, damage: Damage },
}

impl StoreError {
    /// Adds path and action to an error of the operating system.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_path_buf(), action, source }
    }

    /// Whether bytes of a file are not what they must be, although it could be read and is of this run and format.
    pub(crate) fn is_fault_of_bytes(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Shape { .. } | Self::NoSuchSlab { .. })
    }

    /// Faults of slabs in their order, each told once.
    pub fn told_once(mut faults: Vec<Self>) -> Vec<Self> {
        faults.dedup_by_key(|fault| fault.to_string());
        faults
    }

    /// Whether a file could not be opened because too many are open.
    pub fn is_out_of_files(&self) -> bool {
        matches!(self, Self::Io { source, .. } if is_out_of_files(source))
    }

    /// Whether a file or its directory was not there.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
