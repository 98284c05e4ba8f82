//! Starting or taking up a run: what may be in the directory, who may write, which layers are believed.

use std::fmt;
use std::fs::{self, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use super::seconds::SECONDS;
use super::{MANIFEST, layer_name, slabs_name};
use crate::files::Files;
use crate::layer_file::LayerFile;
use crate::manifest::Manifest;
use crate::storage::Output;
use crate::{Game, RunId, StoreError};

const LOCK: &str = "lock";

/// Makes the directory, or checks that it is empty or holds a run.
pub(super) fn prepare(files: &Files, path: &Path) -> Result<(), StoreError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return files.create_dir(path);
        }
        entries => entries.map_err(StoreError::io("list", path))?,
    };
    let mut foreign = None;
    for entry in entries {
        let name = entry.map_err(StoreError::io("list", path))?.file_name();
        let name = name.to_string_lossy();
        if name == MANIFEST {
            return Ok(());
        }
        if !is_ours(&name) {
            foreign = Some(format!("it has no {MANIFEST} but holds {name}"));
        }
    }
    foreign.map_or(Ok(()), |found| Err(StoreError::NotARun { path: path.to_path_buf(), found }))
}

/// Whether a run may have made a file of this name before its manifest, or kept it when the manifest was deleted.
fn is_ours(name: &str) -> bool {
    let name = [".part", ".early"].into_iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
    let is_layer = name.strip_prefix("layer-").is_some_and(|rest| rest.ends_with(".score") || rest.ends_with(".slabs"));
    name == LOCK || name == MANIFEST || name == SECONDS || is_layer
}

/// Removes a file, if there is one.
pub(super) fn remove_if_there(files: &Files, path: &Path) -> Result<(), StoreError> {
    if path.exists() { files.remove(path) } else { Ok(()) }
}

/// Removes the slab files of a layer that no longer needs them.
pub(super) fn remove_slabs(files: &Files, path: &Path, layer: usize) -> Result<(), StoreError> {
    let path = path.join(slabs_name(layer));
    if !path.exists() {
        return Ok(());
    }
    match files.remove_dir(&path) {
        // Somebody who does not know yet that the layer is finished writes there; the next solve removes it.
        Err(StoreError::Io { source, .. })
            if matches!(source.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) =>
        {
            Ok(())
        }
        removed => removed,
    }
}

/// Locks the run for this process until the file is closed, by whatever end.
pub(super) fn lock(files: &Files, path: &Path) -> Result<Output, StoreError> {
    let lock = files.open(&path.join(LOCK))?;
    match lock.file.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path: path.to_path_buf() }),
        Err(TryLockError::Error(source)) => Err(StoreError::Io { path: lock.path, action: "lock", source }),
    }
}

/// The manifest, if there is one.
pub(super) fn find_manifest(path: &Path) -> Result<Option<Manifest>, StoreError> {
    match Manifest::read(path) {
        Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// The manifest of a directory that must be a run.
pub(super) fn read_manifest(path: &Path) -> Result<Manifest, StoreError> {
    find_manifest(&path.join(MANIFEST))?.ok_or_else(|| {
        let found = if path.is_dir() { "it has no manifest.json" } else { "there is no such directory" };
        StoreError::NotARun { path: path.to_path_buf(), found: found.into() }
    })
}

/// `Ok` when game and number of layers asked for are those of the directory.
pub(super) fn check_same(path: &Path, asked: (&Game, usize), found: (&Game, usize)) -> Result<(), StoreError> {
    let layers = || (asked.1 != found.1).then(|| ("layers", asked.1.to_string(), found.1.to_string()));
    match asked.0.difference(found.0).or_else(layers) {
        None => Ok(()),
        Some((field, expected, got)) => Err(StoreError::OtherGame { path: path.to_path_buf(), field, expected, got }),
    }
}

/// A layer that was there but cannot be believed.
#[derive(Debug)]
pub struct Dropped {
    /// The layer.
    pub layer: usize,
    /// The fault of its file.
    pub error: StoreError,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; layer {} is solved again", self.error, self.layer)
    }
}

/// What is there of a layer.
pub(super) enum Found {
    Nothing,
    Trusted(LayerFile),
    /// Something that will be replaced.
    Dropped(StoreError),
}

/// The score file of a layer if it can be believed.
///
/// # Errors
/// What only looks wrong from here is not dropped: an error of the disk, a file of a newer format, and, in a directory
/// without a manifest, a file of another run.
pub(super) fn find_layer(
    path: &Path,
    layer: usize,
    run: RunId,
    manifest: Option<&Manifest>,
) -> Result<Found, StoreError> {
    let path = path.join(layer_name(layer));
    let listed = manifest.and_then(|manifest| manifest.finished.get(&layer));
    let file = LayerFile::open(&path, layer, run).and_then(|file| match listed {
        Some(listed) => file.check(listed),
        None => file.verify().map(|()| file),
    });
    match file {
        Ok(file) => Ok(Found::Trusted(file)),
        Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(match listed {
            Some(_) => Found::Dropped(StoreError::MissingLayer { path, layer }),
            None => Found::Nothing,
        }),
        Err(error @ (StoreError::Io { .. } | StoreError::Version { .. })) => Err(error),
        Err(error @ StoreError::ForeignFile { .. }) if manifest.is_none() => Err(error),
        Err(error) => Ok(Found::Dropped(error)),
    }
}
