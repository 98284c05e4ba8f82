//! The disk of this machine, and the threads that a piece of work runs on. In a browser there is no disk.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::Error;

/// Bytes that the files of a run can take, those that are already in its directory included.
pub(crate) fn room_for(dir: &Path) -> u128 {
    let taken = fs::read_dir(dir).into_iter().flatten().flatten().filter_map(|entry| entry.metadata().ok());
    let taken: u128 = taken.map(|file| u128::from(file.len())).sum();
    let dir = if dir.is_absolute() { dir.to_path_buf() } else { Path::new(".").join(dir) };
    let free = dir.ancestors().find_map(|there| available_space(there).ok());
    // If the system does not say, or has no disk at all, writing will fail with the reason.
    free.filter(|&free| free > 0).map_or(u128::MAX, |free| taken + u128::from(free))
}

/// Bytes that are free on the disk of a directory.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn available_space(dir: &Path) -> io::Result<u64> {
    fs4::available_space(dir)
}

/// Bytes that are free on the disk of a directory.
#[cfg(target_family = "wasm")]
pub(crate) fn available_space(_dir: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The directory for temporary files, if there can be any.
pub(crate) fn temporary_dir() -> Option<PathBuf> {
    cfg!(not(target_family = "wasm")).then(std::env::temp_dir)
}

/// Runs work on `n_threads`: in the current pool if it has as many, else in a pool of its own.
pub(crate) fn on_threads<T: Send>(
    n_threads: usize,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    if rayon::current_num_threads() == n_threads {
        return work();
    }
    on_pool(n_threads, work)
}

/// Runs work on a pool of its own with `n_threads`.
pub(crate) fn on_pool<T: Send>(n_threads: usize, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build();
    pool.map_err(|why| Error::no_threads(n_threads, &why))?.install(work)
}
