//! The key of a slab: its frequencies and references, which every tile is decoded by.
//!
//! ```text
//!  0             848, with marks 976         848 + 2 * rows
//!  | frequencies | references of the rows   | references of the columns |
//!                  u16 each                   u16 each
//! ```
//! The key lies in the head of the record. So that a tile can be trusted without the rest of the head, its checksum
//! covers its seal: the checksums of the three parts of the key that it is decoded by.

use std::ops::Range;

use super::frequencies::Frequencies;
#[cfg(feature = "encode")]
use super::references::References;
use super::tiling::{Tile, Tiling, n_bands};

/// Checksums of frequencies, of the references of a window of rows, and of those of a strip.
type Seal = [u8; 12];

/// The seals of the tiles of a slab with this key, one after the other.
pub(super) fn seals(tiling: Tiling, key: &[u8]) -> Vec<u8> {
    let crc = |range| crc32fast::hash(&key[range]);
    let frequencies = crc(0..Frequencies::byte_len(tiling.marks));
    let of_strip = |strip: Range<usize>| crc(tiling.tile(0, strip.start).key_ranges(tiling)[2].clone());
    let cols: Vec<u32> = tiling.strips().map(of_strip).collect();
    let mut seals = Vec::with_capacity(tiling.n_tiles() * size_of::<Seal>());
    for window in tiling.windows() {
        let rows = crc(tiling.tile(window.start, 0).key_ranges(tiling)[1].clone());
        for _ in 0..n_bands(&window) {
            cols.iter().for_each(|&cols| seals.extend_from_slice(&seal(frequencies, rows, cols)));
        }
    }
    seals
}

fn seal(frequencies: u32, rows: u32, cols: u32) -> Seal {
    let mut seal = [0; 12];
    seal[..4].copy_from_slice(&frequencies.to_le_bytes());
    seal[4..8].copy_from_slice(&rows.to_le_bytes());
    seal[8..].copy_from_slice(&cols.to_le_bytes());
    seal
}

/// The parts of a key that one tile is decoded by.
pub(super) struct KeyPart<'a> {
    pub(super) frequencies: &'a [u8],
    pub(super) rows: &'a [u8],
    pub(super) cols: &'a [u8],
}

impl<'a> KeyPart<'a> {
    /// The part of a key that a tile is decoded by; the key may end behind that part.
    pub(super) fn of(key: &'a [u8], tile: &Tile, tiling: Tiling) -> Self {
        let [frequencies, rows, cols] = tile.key_ranges(tiling).map(|range| &key[range]);
        Self { frequencies, rows, cols }
    }

    /// The same from its ranges, read one after the other.
    pub(super) fn of_ranges(bytes: &'a [u8], ranges: &[Range<usize>; 3]) -> Self {
        let (frequencies, rest) = bytes.split_at(ranges[0].len());
        let (rows, cols) = rest.split_at(ranges[1].len());
        Self { frequencies, rows, cols }
    }

    /// The seal of the tile.
    pub(super) fn seal(&self) -> Seal {
        seal(crc32fast::hash(self.frequencies), crc32fast::hash(self.rows), crc32fast::hash(self.cols))
    }
}

/// Writes a key.
#[cfg(feature = "encode")]
pub(super) fn write(key: &mut [u8], frequencies: &Frequencies, references: &References) {
    let frequencies = frequencies.to_bytes();
    let (head, rest) = key.split_at_mut(frequencies.len());
    head.copy_from_slice(&frequencies);
    let all = references.rows.iter().chain(&references.cols);
    rest.as_chunks_mut::<2>().0.iter_mut().zip(all).for_each(|(bytes, reference)| *bytes = reference.to_le_bytes());
}

/// References as they are in a key.
pub(super) fn references(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect()
}
