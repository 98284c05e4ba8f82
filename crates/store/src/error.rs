//! Errors of runs, score files and books.
//!
//! Two tiers: a [`Damage`] is a fault of some bytes, a [`StoreError`] adds the file. Every text names the file and the
//! fault, with expected and got where there are such. Remedies are left to the caller, who knows what its user can do.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::Damage;

/// The kind of a damaged file, on which it depends how it can be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// The score file of a layer of a run; can be repaired or solved again.
    ScoreFile,
    /// Slabs of an unfinished layer; can be solved again.
    SlabFile,
    /// A book; can be made again from its run.
    Book,
}

/// An error of a run directory, a score file or a book.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The refused operation, a verb.
        action: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Damaged bytes of a score file, a slab file or a book.
    #[error("{place} is damaged: {damage}")]
    Damaged {
        /// The kind of the file.
        kind: FileKind,
        /// The file, and layer, slab and block as far as they are known.
        place: String,
        /// The fault.
        damage: Damage,
    },
    /// A damaged layer that, recomputed, is not the one that was lost.
    #[error(
        "{} cannot be repaired: recomputed, it is not the layer that the manifest lists: {damage}",
        path.display()
    )]
    Unrepairable {
        /// The score file.
        path: PathBuf,
        /// The first difference.
        damage: Damage,
    },
    /// A file of another format version.
    #[error("{} has another format version: expected {expected}, got {got}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version that this library reads.
        expected: u32,
        /// The version of the file.
        got: u32,
    },
    /// A score file of another run.
    #[error("{} belongs to run {got}, not to run {expected}", path.display())]
    ForeignFile {
        /// The score file.
        path: PathBuf,
        /// Id of the run that was asked for.
        expected: String,
        /// Id of the run in the file.
        got: String,
    },
    /// A layer that the manifest lists and the directory does not hold.
    #[error("{} is missing although the manifest lists layer {layer}", path.display())]
    MissingLayer {
        /// The score file.
        path: PathBuf,
        /// The layer.
        layer: usize,
    },
    /// Score files that would outgrow their limit.
    #[error("{} would outgrow its limit of {disk} bytes in layer {layer}", path.display())]
    DiskSpent {
        /// The run directory.
        path: PathBuf,
        /// The layer that was being written.
        layer: usize,
        /// Bytes that score files may take.
        disk: u64,
    },
    /// A layer whose scores were not to be kept.
    #[error("{} did not keep layer {layer}", path.display())]
    Discarded {
        /// The run directory.
        path: PathBuf,
        /// The layer.
        layer: usize,
    },
    /// A layer that is not solved yet.
    #[error("{} holds no finished layer {layer}", path.display())]
    Unfinished {
        /// The run directory.
        path: PathBuf,
        /// The layer.
        layer: usize,
    },
    /// A layer to be written that is already there.
    #[error("layer {layer} of {} is already finished", path.display())]
    AlreadyFinished {
        /// The run directory.
        path: PathBuf,
        /// The layer.
        layer: usize,
    },
    /// A layer that the run does not have.
    #[error("{} has {n_layers} layers and no layer {layer}", path.display())]
    NoSuchLayer {
        /// The run directory.
        path: PathBuf,
        /// The layer asked for.
        layer: usize,
        /// Layers of the run.
        n_layers: usize,
    },
    /// A slab that the layer does not have.
    #[error("{} has {n_slabs} slabs and no slab {slab}", path.display())]
    NoSuchSlab {
        /// The score file.
        path: PathBuf,
        /// The slab asked for.
        slab: usize,
        /// Slabs of the layer.
        n_slabs: usize,
    },
    /// A slab of another shape than the index says.
    #[error("{}, slab {slab}: expected {expected}, got {got}", path.display())]
    Shape {
        /// The score file.
        path: PathBuf,
        /// The slab.
        slab: usize,
        /// The shape in the index.
        expected: String,
        /// The shape in the file.
        got: String,
    },
    /// A file that must not be overwritten.
    #[error("{} is already there", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A layer that a book leaves out.
    #[error("{} holds layers 0 to {last} and not layer {layer}", path.display())]
    BeyondBook {
        /// The book.
        path: PathBuf,
        /// The layer asked for.
        layer: usize,
        /// The last layer of the book.
        last: usize,
    },
    /// Another process writes this run.
    #[error("{} is being written by another process", path.display())]
    Locked {
        /// The run directory.
        path: PathBuf,
    },
    /// A run opened for reading only.
    #[error("{} was opened for reading only", path.display())]
    ReadOnly {
        /// The run directory.
        path: PathBuf,
    },
    /// A directory that is no run.
    #[error("{} is not a run: {found}", path.display())]
    NotARun {
        /// The directory.
        path: PathBuf,
        /// The contents that are no run.
        found: String,
    },
    /// A directory with the run of another game.
    #[error("{} holds another run: {field}: expected {expected}, got {got}", path.display())]
    OtherGame {
        /// The run directory.
        path: PathBuf,
        /// The first field of the game that differs.
        field: &'static str,
        /// The value asked for.
        expected: String,
        /// The value in the directory.
        got: String,
    },
    /// A damaged manifest.
    #[error("{} is damaged: {damage}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The fault.
        damage: Damage,
    },
}

impl StoreError {
    /// Adds path and action to an error of the operating system.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_path_buf(), action, source }
    }
}
