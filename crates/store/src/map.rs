//! Files as memory: the only unsafe code of this crate.
#![allow(unsafe_code)]

use std::fs::File;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use crate::StoreError;

/// Some bytes of a mapped file.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    map: Arc<Mmap>,
    range: Range<usize>,
}

impl Section {
    /// A whole file.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(StoreError::io("open", path))?;
        let map = map(&file, path)?;
        Ok(Self { range: 0..map.len(), map: Arc::new(map) })
    }

    /// A range of a section; it must lie within.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len());
        let start = self.range.start;
        Self { map: self.map.clone(), range: start + range.start..start + range.end }
    }
}

impl Deref for Section {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map[self.range.clone()]
    }
}

/// Maps a whole file for reading.
pub(crate) fn map(file: &File, path: &Path) -> Result<Mmap, StoreError> {
    // SAFETY: a map is sound as long as nobody changes or truncates the file below it. Files of a run are only ever
    // replaced, by renaming a new file over them, which leaves the mapped one as it was; the one file that is
    // truncated, a `.part` on resume, is unmapped before. Whoever else writes into a run breaks this contract.
    unsafe { Mmap::map(file) }.map_err(StoreError::io("map", path))
}
