//! Files as memory: the only unsafe code of this crate.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use crate::StoreError;

/// Some bytes of a mapped file.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    file: Arc<(File, Mmap)>,
    range: Range<usize>,
}

impl Section {
    /// A whole file.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(StoreError::io("open", path))?;
        let map = map(&file, path)?;
        Ok(Self { range: 0..map.len(), file: Arc::new((file, map)) })
    }

    /// A range of a section; it must lie within.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        Self { file: self.file.clone(), range: self.within(range) }
    }

    /// A copy of a range, read past the map: what is read through the map stays resident, and who reads whole slabs
    /// reads more than memory holds.
    pub(crate) fn copy(&self, range: Range<usize>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.copy_to(range, &mut bytes)?;
        Ok(bytes)
    }

    /// As [`Section::copy`], in place of what `bytes` held.
    pub(crate) fn copy_to(&self, range: Range<usize>, bytes: &mut Vec<u8>) -> io::Result<()> {
        let range = self.within(range);
        bytes.resize(range.len(), 0);
        #[cfg(unix)]
        std::os::unix::fs::FileExt::read_exact_at(&self.file.0, bytes, range.start as u64)?;
        #[cfg(not(unix))]
        bytes.copy_from_slice(&self.file.1[range]);
        Ok(())
    }

    /// The same range, counted from the beginning of the file.
    fn within(&self, range: Range<usize>) -> Range<usize> {
        assert!(range.start <= range.end && range.end <= self.len());
        self.range.start + range.start..self.range.start + range.end
    }
}

impl Deref for Section {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.file.1[self.range.clone()]
    }
}

/// A mapped file that several processes fill, each byte once.
#[derive(Debug)]
pub(crate) struct Filling(Mmap);

impl Filling {
    /// The whole of a file.
    pub(crate) fn new(file: &File) -> io::Result<Self> {
        // SAFETY: the file has no name, and who holds it never truncates it. It is written while it is mapped, so no
        // reference is made but to ranges that are written already: see `Filling::scores`.
        unsafe { Mmap::map(file) }.map(Self)
    }

    /// Scores that are written, and will not be written again but by the same bytes.
    pub(crate) fn scores(&self, range: Range<usize>) -> &[i8] {
        assert!(range.start <= range.end && range.end <= self.0.len());
        // SAFETY: the range lies within the map, any byte is a score, and nothing changes these bytes any more.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().add(range.start).cast(), range.len()) }
    }
}

/// Scores as the bytes that they are.
pub(crate) fn bytes_of(scores: &[i8]) -> &[u8] {
    // SAFETY: the types have the same size, the same alignment, and no bytes that mean nothing.
    unsafe { std::slice::from_raw_parts(scores.as_ptr().cast(), scores.len()) }
}

/// Bytes as scores, which any byte is.
pub(crate) fn scores_of(bytes: &[u8]) -> &[i8] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// As [`scores_of`], to be written.
pub(crate) fn scores_of_mut(bytes: &mut [u8]) -> &mut [i8] {
    // SAFETY: as above, and nobody else holds the bytes.
    unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Maps a whole file for reading.
pub(crate) fn map(file: &File, path: &Path) -> Result<Mmap, StoreError> {
    // SAFETY: a map is sound as long as nobody changes or truncates the file below it. Files of a run are only ever
    // replaced, by renaming a new file over them, which leaves the mapped one as it was; the one file that is
    // truncated, a `.part` on resume, is unmapped before. Whoever else writes into a run breaks this contract.
    unsafe { Mmap::map(file) }.map_err(StoreError::io("map", path))
}
