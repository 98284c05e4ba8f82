//! Starting or taking up a run: what may be in the directory, who may write, which layers are believed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use super::{MANIFEST, layer_name};
use crate::files::sync_parent;
use crate::layer_file::LayerFile;
use crate::manifest::Manifest;
use crate::{Game, RunId, StoreError};

const LOCK: &str = "lock";

/// Makes the directory, or checks that it is empty or holds a run.
pub(super) fn prepare(path: &Path) -> Result<(), StoreError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(path).map_err(StoreError::io("create", path))?;
            return sync_parent(path);
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
    let name = name.strip_suffix(".part").unwrap_or(name);
    let is_layer = name.strip_prefix("layer-").is_some_and(|rest| rest.ends_with(".score"));
    name == LOCK || name == MANIFEST || is_layer
}

/// Locks the run for this process until the file is closed, by whatever end.
pub(super) fn lock(path: &Path) -> Result<File, StoreError> {
    let lock_path = path.join(LOCK);
    let options = OpenOptions::new().write(true).create(true).truncate(false).open(&lock_path);
    let file = options.map_err(StoreError::io("create", &lock_path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path: path.to_path_buf() }),
        Err(TryLockError::Error(source)) => Err(StoreError::Io { path: lock_path, action: "lock", source }),
    }
}

/// The manifest, if there is one.
pub(super) fn find_manifest(path: &Path) -> Result<Option<Manifest>, StoreError> {
    match Manifest::read(path) {
        Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// `Ok` when game and number of layers asked for are those of the directory.
pub(super) fn check_same(path: &Path, asked: (&Game, usize), found: (&Game, usize)) -> Result<(), StoreError> {
    let layers = || (asked.1 != found.1).then(|| ("layers", asked.1.to_string(), found.1.to_string()));
    match asked.0.difference(found.0).or_else(layers) {
        None => Ok(()),
        Some((field, expected, got)) => Err(StoreError::OtherGame { path: path.to_path_buf(), field, expected, got }),
    }
}

/// The score file of a layer if it can be believed.
///
/// What cannot is `None` and will be replaced, except what only looks wrong from here: an error of the disk, a file
/// of a newer format, and, in a directory without a manifest, a file of another run.
pub(super) fn trusted(
    path: &Path,
    layer: usize,
    run: RunId,
    manifest: Option<&Manifest>,
) -> Result<Option<LayerFile>, StoreError> {
    let file = match LayerFile::open(&path.join(layer_name(layer)), layer, run) {
        Ok(file) => file,
        Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error @ (StoreError::Io { .. } | StoreError::Version { .. })) => return Err(error),
        Err(error @ StoreError::ForeignFile { .. }) if manifest.is_none() => return Err(error),
        Err(_) => return Ok(None),
    };
    let is_trusted = match manifest.and_then(|manifest| manifest.finished.get(&layer)) {
        Some(listed) => listed.digest == file.summary().digest,
        None => file.verify().is_ok(),
    };
    Ok(is_trusted.then_some(file))
}
