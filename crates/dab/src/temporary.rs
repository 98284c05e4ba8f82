//! Directories for temporary score files.
//!
//! ```text
//! dab-temporary-….      made for one solve
//!     lock              held until the run has its own lock
//!     run/              the run; its lock is held as long as its process lives
//! ```
//! The files of a solve have names while it writes them. On Unix they lose them as soon as it is done: they stay open, and
//! the system frees them with the process, however that ends. A process that is killed in the middle of a solve leaves a
//! directory whose locks nobody holds; the next one that needs such a directory removes it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dab_store::RunDir;
use tempfile::TempDir;

/// The beginning of the names of the directories; `dab solve` gives its own runs no such names.
const PREFIX: &str = "dab-temporary-";
/// A directory without a lock that is younger may be one whose owner has yet to make it.
const YOUNG: Duration = Duration::from_secs(60);

/// A directory that nobody sweeps, because it is locked.
pub(crate) struct Place {
    dir: TempDir,
    _lock: File,
}

impl Place {
    /// Makes a directory in `parent`, which is made if it is not there; removes those that dead processes left there.
    pub(crate) fn new_in(parent: &Path) -> io::Result<Self> {
        fs::create_dir_all(parent)?;
        sweep(parent);
        loop {
            let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
            let lock = File::create_new(own_lock(dir.path()))?;
            lock.lock()?;
            // Somebody who sweeps may have taken the directory before it was locked.
            if own_lock(dir.path()).exists() {
                return Ok(Self { dir, _lock: lock });
            }
        }
    }

    /// The place of the run.
    pub(crate) fn run(&self) -> PathBuf {
        run_in(self.dir.path())
    }

    /// Removes it.
    pub(crate) fn close(self) -> io::Result<()> {
        self.dir.close()
    }

    /// The directory, once the files of the run are written and open: they lose their names.
    pub(crate) fn into_open_files(self) -> TempDir {
        let mut dir = self.dir;
        // Elsewhere open files cannot be removed: they go when the directory is dropped.
        if cfg!(unix) && fs::remove_dir_all(dir.path()).is_ok() {
            dir.disable_cleanup(true);
        }
        dir
    }
}

fn run_in(dir: &Path) -> PathBuf {
    dir.join("run")
}

fn own_lock(dir: &Path) -> PathBuf {
    dir.join("lock")
}

/// Removes directories whose owners are dead; those that cannot be removed stay.
fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // A link is no directory here, wherever it leads.
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(dir: &Path) {
    // Both locks are held while the files are removed.
    let (own, of_run) = (Lock::new(&own_lock(dir)), Lock::new(&RunDir::lock_of(&run_in(dir))));
    let is_old = || {
        let made = dir.symlink_metadata().and_then(|found| found.modified());
        made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > YOUNG))
    };
    let is_abandoned = match (&own, &of_run) {
        (Lock::Held, _) | (_, Lock::Held) => false,
        (Lock::Taken(_), _) => true,
        (Lock::Absent, _) => is_old(),
    };
    if is_abandoned {
        let _ = fs::remove_dir_all(dir);
    }
}

/// A lock that somebody may have left.
enum Lock {
    /// A process holds it, or it cannot be told.
    Held,
    /// Nobody held it; now we do.
    Taken(#[allow(dead_code, reason = "held until it is dropped")] File),
    Absent,
}

impl Lock {
    fn new(path: &Path) -> Self {
        match File::options().read(true).write(true).open(path) {
            Ok(file) => match file.try_lock() {
                Ok(()) => Self::Taken(file),
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => Self::Held,
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::Absent,
            Err(_) => Self::Held,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn only_directories_of_dead_processes_are_swept() {
        let parent = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - 2 * YOUNG;
        let made = |name: &str, locks: &[fn(&Path) -> PathBuf]| {
            let dir = parent.path().join(name);
            fs::create_dir_all(run_in(&dir)).unwrap();
            locks.iter().map(|lock| File::create(lock(&dir)).unwrap()).collect::<Vec<File>>()
        };
        let of_run: fn(&Path) -> PathBuf = |dir| RunDir::lock_of(&run_in(dir));
        // Dead: with its own lock only, with both, without one for a long time.
        made("dab-temporary-1", &[own_lock]);
        made("dab-temporary-2", &[own_lock, of_run]);
        made("dab-temporary-3", &[]);
        File::open(parent.path().join("dab-temporary-3")).unwrap().set_modified(old).unwrap();
        let alive = [made("dab-temporary-4", &[own_lock]), made("dab-temporary-5", &[own_lock, of_run])];
        alive.iter().for_each(|locks| locks.last().unwrap().lock().unwrap());
        made("dab-temporary-6", &[]);
        made("dab-mine", &[own_lock, of_run]);
        let place = Place::new_in(parent.path()).unwrap();
        let mut left: Vec<_> = fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        left.retain(|path| path != place.dir.path());
        left.sort();
        let expected = ["dab-mine", "dab-temporary-4", "dab-temporary-5", "dab-temporary-6"];
        assert_eq!(left, expected.map(|name| parent.path().join(name)));
    }
}
