//! Shared memory, and bytes as scores: the only unsafe code of this crate.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::Range;

use memmap2::Mmap;

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
