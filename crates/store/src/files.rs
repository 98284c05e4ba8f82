//! Durable steps on files: whole files that appear at once, and synced directories.

use std::hash::{BuildHasher, RandomState};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::StoreError;
use crate::storage::{Disk, Output, Storage};

/// The name under which a file is written before it is complete: the final name and `.part`.
pub(crate) fn part_of(path: &Path) -> PathBuf {
    with_suffix(path, ".part")
}

/// The name of a file with something added.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// A storage whose errors name the file and the operation.
#[derive(Clone, Debug)]
pub(crate) struct Files(Arc<dyn Storage>);

impl Files {
    pub(crate) fn new(storage: Arc<dyn Storage>) -> Self {
        Self(storage)
    }

    /// The files of the operating system.
    pub(crate) fn of_disk() -> Self {
        Self(Arc::new(Disk))
    }

    pub(crate) fn create_dir(&self, path: &Path) -> Result<(), StoreError> {
        self.0.create_dir(path).map_err(StoreError::io("create", path))?;
        self.sync_parent(path)
    }

    pub(crate) fn open(&self, path: &Path) -> Result<Output, StoreError> {
        self.0.open(path).map_err(StoreError::io("create", path))
    }

    pub(crate) fn write_at(&self, output: &Output, offset: u64, bytes: &[u8]) -> Result<(), StoreError> {
        self.0.write_at(output, offset, bytes).map_err(StoreError::io("write", &output.path))
    }

    pub(crate) fn truncate(&self, output: &Output, byte_len: u64) -> Result<(), StoreError> {
        self.0.truncate(output, byte_len).map_err(StoreError::io("truncate", &output.path))
    }

    /// Gives back the room of a range; `false` where the file system cannot do that.
    pub(crate) fn punch(&self, output: &Output, range: Range<u64>) -> Result<bool, StoreError> {
        match self.0.punch(output, range) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::Unsupported => Ok(false),
            Err(error) => Err(StoreError::io("release slabs of", &output.path)(error)),
        }
    }

    pub(crate) fn sync(&self, output: &Output) -> Result<(), StoreError> {
        self.0.sync(output).map_err(StoreError::io("sync", &output.path))
    }

    pub(crate) fn byte_len(&self, output: &Output) -> Result<u64, StoreError> {
        Ok(output.file.metadata().map_err(StoreError::io("examine", &output.path))?.len())
    }

    pub(crate) fn remove(&self, path: &Path) -> Result<(), StoreError> {
        self.0.remove(path).map_err(StoreError::io("remove", path))
    }

    pub(crate) fn remove_dir(&self, path: &Path) -> Result<(), StoreError> {
        self.0.remove_dir(path).map_err(StoreError::io("remove", path))
    }

    /// Writes a file that several processes may write at the same time: each writes under a name of its own, then renames.
    /// After a power cut the file may be missing, but it is never there in part.
    pub(crate) fn write_alone(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        static WRITTEN: AtomicU64 = AtomicU64::new(0);
        let nonce = RandomState::new().hash_one((std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed)));
        let part = self.open(&with_suffix(path, &format!(".{nonce:016x}.part")))?;
        self.write_at(&part, 0, bytes)?;
        self.sync(&part)?;
        self.0.rename(&part.path, path).map_err(StoreError::io("rename to its final name", &part.path))
    }

    /// Writes a file in pieces: after a crash `path` is the old file or the whole new one, never a mixture.
    pub(crate) fn replace(
        &self,
        path: &Path,
        pieces: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), StoreError>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let part = self.open(&part_of(path))?;
        if self.byte_len(&part)? > 0 {
            self.truncate(&part, 0)?;
        }
        let mut end = 0;
        pieces(&mut |bytes| {
            self.write_at(&part, end, bytes)?;
            end += bytes.len() as u64;
            Ok(())
        })?;
        self.publish(&part, path)
    }

    /// Gives the complete `.part` file its final name, for good.
    pub(crate) fn publish(&self, part: &Output, path: &Path) -> Result<(), StoreError> {
        self.sync(part)?;
        self.0.rename(&part.path, path).map_err(StoreError::io("rename to its final name", &part.path))?;
        self.sync_parent(path)
    }

    /// Makes the entry of a file or directory in its parent directory durable.
    fn sync_parent(&self, path: &Path) -> Result<(), StoreError> {
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        self.0.sync_dir(parent).map_err(StoreError::io("sync", parent))
    }
}
