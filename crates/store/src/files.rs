//! Durable steps on files: whole-file replacement and synced directories.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::StoreError;

/// The name under which a file is written before it is complete: the final name and `.part`.
pub(crate) fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".part");
    name.into()
}

/// Replaces a file: after a crash it is the old or the new one, never a mixture.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let part = part_of(path);
    let mut file = File::create(&part).map_err(StoreError::io("create", &part))?;
    file.write_all(bytes).map_err(StoreError::io("write", &part))?;
    publish(&file, path)
}

/// Gives the complete `.part` file its final name, for good.
pub(crate) fn publish(part_file: &File, path: &Path) -> Result<(), StoreError> {
    let part = part_of(path);
    part_file.sync_all().map_err(StoreError::io("sync", &part))?;
    fs::rename(&part, path).map_err(StoreError::io("rename to its final name", &part))?;
    sync_parent(path)
}

/// Makes the entry of a file or directory in its parent directory durable.
pub(crate) fn sync_parent(path: &Path) -> Result<(), StoreError> {
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let directory = File::open(parent).map_err(StoreError::io("open", parent))?;
    directory.sync_all().map_err(StoreError::io("sync", parent))
}
