//! Files as memory: the only unsafe code of this crate.
#![allow(unsafe_code)]

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use crate::StoreError;

/// Maps a whole file for reading.
pub(crate) fn map(file: &File, path: &Path) -> Result<Mmap, StoreError> {
    // SAFETY: a map is sound as long as nobody changes or truncates the file below it. Files of a run are only ever
    // replaced, by renaming a new file over them, which leaves the mapped one as it was; the one file that is
    // truncated, a `.part` on resume, is unmapped before. Whoever else writes into a run breaks this contract.
    unsafe { Mmap::map(file) }.map_err(StoreError::io("map", path))
}
