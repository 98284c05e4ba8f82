//! Durable steps on files: whole files that appear at once, and synced directories.

use std::ffi::OsStr;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::StoreError;
use crate::storage::{Disk, Output, Storage};

/// Writes the next piece of a file.
pub(crate) type Write<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), StoreError>;

/// The name under which a file is written before it is complete: the final name and `.part`.
pub(crate) fn part_of(path: &Path) -> PathBuf {
    with_suffix(path, ".part")
}

/// The directory of a file.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
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

    /// Makes a directory and those above it, each durable.
    pub(crate) fn create_dir(&self, path: &Path) -> Result<(), StoreError> {
        let is_made = |dir: &&Path| *dir == path || !(dir.as_os_str().is_empty() || dir.exists());
        let made: Vec<&Path> = path.ancestors().take_while(is_made).collect();
        self.0.create_dir(path).map_err(StoreError::io("create", path))?;
        made.into_iter().rev().try_for_each(|dir| self.sync_parent(dir))
    }

    pub(crate) fn open(&self, path: &Path) -> Result<Output, StoreError> {
        self.0.open(path).map_err(StoreError::io("open for writing", path))
    }

    /// Makes a file; `None` where anything has its name.
    pub(crate) fn create(&self, path: &Path) -> Result<Option<Output>, StoreError> {
        match self.0.create(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
            created => created.map(Some).map_err(StoreError::io("create", path)),
        }
    }

    /// Makes a file beside `path` under a name that nobody else uses.
    fn create_part(&self, path: &Path) -> Result<Output, StoreError> {
        static CREATED: AtomicU64 = AtomicU64::new(0);
        let nonce = RandomState::new().hash_one((std::process::id(), CREATED.fetch_add(1, Ordering::Relaxed)));
        let part = with_suffix(path, &format!(".{nonce:016x}.part"));
        self.0.create(&part).map_err(StoreError::io("create", &part))
    }

    /// As [`Files::create_part`], and locks it: nobody takes it for a leftover as long as it is open.
    fn create_locked_part(&self, path: &Path) -> Result<Output, StoreError> {
        let mut part = self.create_part(path)?;
        for _ in 0..8 {
            // Where there are no locks, nobody can tell leftovers, and all stay.
            let _ = part.file.lock();
            // Until it was locked it looked like one.
            if part.path.exists() {
                break;
            }
            part = self.create_part(path)?;
        }
        Ok(part)
    }

    /// Removes what processes that were killed left of `path`: parts that nobody has locked. What cannot be removed stays.
    fn remove_leftovers(&self, path: &Path) {
        let (dir, Some(name)) = (parent(path), path.file_name()) else { return };
        let is_part = |found: &OsStr| {
            let rest = found.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
            let nonce = rest.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".part"));
            nonce.is_some_and(|nonce| nonce.len() == 16 && nonce.iter().all(u8::is_ascii_hexdigit))
        };
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if !is_file || !is_part(&entry.file_name()) {
                continue;
            }
            // The lock is held while it is removed.
            if let Ok(part) = File::options().read(true).write(true).open(entry.path())
                && part.try_lock().is_ok()
            {
                let _ = self.0.remove(&entry.path());
            }
        }
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

    pub(crate) fn remove(&self, path: &Path) -> Result<(), StoreError> {
        self.0.remove(path).map_err(StoreError::io("remove", path))
    }

    /// Writes a new file in pieces, under a name of its own until it is whole: after a crash `path` is the whole file or not
    /// there. Of several writers one succeeds. Parts that writers left when they were killed are removed.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if there is a file `path`, whoever made it and when; or it cannot be written.
    pub(crate) fn write_new(
        &self,
        path: &Path,
        pieces: impl FnOnce(Write<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.remove_leftovers(path);
        let (part, mut end) = (self.create_locked_part(path)?, 0);
        let mut write = |bytes: &[u8]| {
            self.write_at(&part, end, bytes)?;
            end += bytes.len() as u64;
            Ok(())
        };
        let written = pieces(&mut write).and_then(|()| self.sync(&part)).and_then(|()| {
            self.0.rename_new(&part.path, path).map_err(|source| match source.kind() {
                ErrorKind::AlreadyExists => StoreError::Exists { path: path.to_path_buf() },
                _ => StoreError::io("rename to its final name", &part.path)(source),
            })
        });
        if written.is_err() {
            // The first error says more than a second one would.
            let _ = self.0.remove(&part.path);
        }
        written.and_then(|()| self.sync_parent(path))
    }

    /// Writes a file: after a crash `path` is the old file or the whole new one, never a mixture.
    pub(crate) fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let part = self.open(&part_of(path))?;
        if part.file.metadata().map_err(StoreError::io("examine", &part.path))?.len() > 0 {
            self.truncate(&part, 0)?;
        }
        self.write_at(&part, 0, bytes)?;
        self.sync(&part)?;
        self.rename(&part.path, path)?;
        self.sync_parent(path)
    }

    /// Gives a file another name, replacing the file that had it.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> Result<(), StoreError> {
        self.0.rename(from, to).map_err(StoreError::io("rename", from))
    }

    /// Makes the entry of a file or directory in its parent directory durable.
    pub(crate) fn sync_parent(&self, path: &Path) -> Result<(), StoreError> {
        self.sync_dir(parent(path))
    }

    /// Makes the entries of a directory durable.
    pub(crate) fn sync_dir(&self, path: &Path) -> Result<(), StoreError> {
        self.0.sync_dir(path).map_err(StoreError::io("sync", path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_nobody_writes_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let locked = File::create(at("b.book.0123456789abcdef.part")).unwrap();
        locked.lock().unwrap();
        let names = ["b.book.fedcba9876543210.part", "b.book.123.part", "c.book.0123456789abcdef.part", "b.book.part"];
        names.iter().for_each(|name| drop(File::create(at(name)).unwrap()));
        Files::of_disk().write_new(&at("b.book"), |write| write(b"book")).unwrap();
        let entries =
            std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut left: Vec<String> = entries.collect();
        left.sort();
        let expected = [
            "b.book",
            "b.book.0123456789abcdef.part",
            "b.book.123.part",
            "b.book.part",
            "c.book.0123456789abcdef.part",
        ];
        assert_eq!(left, expected);
    }
}
