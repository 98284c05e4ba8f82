//! Errors of runs, score files and books.
//!
//! Two tiers: a [`Damage`] is a fault of some bytes, a [`StoreError`] adds the file. Every text names the file and the
//! fault, with expected and got where there are such. Remedies are left to the caller, who knows what its user can do.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use dab_board::errors;
use dab_space::Layer;

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

errors! {
    /// An error of a run directory, a score file or a book.
    #[derive(Debug)]
    pub enum StoreError {
        /// The operating system refused.
        Io { path: PathBuf, action: &'static str, source: io::Error } => "cannot {action} {}", path.display();
        /// Damaged bytes of a score file or a book; `place` is the file, and layer, slab and block if known.
        Damaged { kind: FileKind, place: String, damage: Damage } => "{place} is damaged: {damage}";
        /// A damaged layer that, recomputed, is not the one that was lost.
        Unrepairable { path: PathBuf, damage: Damage } =>
            "{} cannot be repaired: recomputed, it is not the layer that the manifest lists: {damage}", path.display();
        /// A file of another format version.
        Version { path: PathBuf, expected: u32, got: u32 } =>
            "{} has another format version: expected {expected}, got {got}", path.display();
        /// A score file of another run.
        ForeignFile { path: PathBuf, expected: String, got: String } =>
            "{} belongs to run {got}, not to run {expected}", path.display();
        /// A layer that the manifest lists and the directory does not hold.
        MissingLayer { path: PathBuf, layer: Layer } =>
            "{} is missing although the manifest lists layer {layer}", path.display();
        /// Score files that would outgrow their limit, which is in bytes.
        DiskSpent { path: PathBuf, layer: Layer, disk: u64 } =>
            "{} would outgrow its limit of {disk} bytes in layer {layer}", path.display();
        /// A layer whose scores were not to be kept.
        Discarded { path: PathBuf, layer: Layer } => "{} did not keep layer {layer}", path.display();
        /// A slab whose room was given back while the run is solved.
        Released { path: PathBuf, slab: usize } =>
            "{}: slab {slab} was released, because every slab that reads it is solved", path.display();
        /// A layer that is not solved yet.
        Unfinished { path: PathBuf, layer: Layer } => "layer {layer} of {} is not solved yet", path.display();
        /// A layer to be written that is already there.
        AlreadyFinished { path: PathBuf, layer: Layer } => "layer {layer} of {} is already finished", path.display();
        /// A layer that the run does not have.
        NoSuchLayer { path: PathBuf, layer: Layer, n_layers: usize } =>
            "{} has {n_layers} layers and no layer {layer}", path.display();
        /// A slab that the layer does not have.
        NoSuchSlab { path: PathBuf, slab: usize, n_slabs: usize } =>
            "{} has {n_slabs} slabs and no slab {slab}", path.display();
        /// A slab of another shape than the index says.
        Shape { path: PathBuf, slab: usize, expected: String, got: String } =>
            "{}, slab {slab}: expected {expected}, got {got}", path.display();
        /// A file that must not be overwritten.
        Exists { path: PathBuf } => "{} is already there", path.display();
        /// A layer that a book leaves out.
        BeyondBook { path: PathBuf, layer: Layer, last: Layer } =>
            "{} holds layers 0 to {last} and not layer {layer}", path.display();
        /// Another process writes this run.
        Locked { path: PathBuf } => "{} is being written by another process", path.display();
        /// A run opened for reading only.
        ReadOnly { path: PathBuf } => "{} was opened for reading only", path.display();
        /// A directory that is no run.
        NotARun { path: PathBuf, found: String } => "{} is not a run: {found}", path.display();
        /// A file of another kind, where a book was expected.
        NotABook { path: PathBuf } => "{} is not a book: it does not begin as one", path.display();
        /// A directory with other things, where a run was to be made.
        NoPlaceForRun { path: PathBuf, found: String } => "there can be no run in {}: {found}", path.display();
        /// A directory with the run of another game.
        OtherGame { path: PathBuf, field: &'static str, expected: String, got: String } =>
            "{} holds another run: {field}: expected {expected}, got {got}", path.display();
        /// A damaged manifest.
        Manifest { path: PathBuf, damage: Damage } => "{} is damaged: {damage}", path.display();
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
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
