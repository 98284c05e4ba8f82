//! The block table of a payload: the places, modes and checksums of its blocks.
//!
//! ```text
//!  | key | block table | crc32 | block 0 | block 1 | ...
//!        |             |
//!        |             4 bytes left to the owner: a checksum of all of its record up to here
//!        for each block:  | end u64 | crc32 | mode |    13 bytes
//! ```
//!
//! `end` counts from the first byte of block 0, so one table entry and the one before it find a block. The mode says how the
//! compression coded the block. The checksum of a block covers layer, slab, block, mode, seal and its bytes: an intact block in the
//! wrong place is an error too.

use std::ops::Range;

use crate::Damage;

const ENTRY_CRC_AT: usize = 8;
const ENTRY_MODE_AT: usize = ENTRY_CRC_AT + 4;
const ENTRY_LEN: usize = ENTRY_MODE_AT + 1;
const CRC_LEN: usize = 4;

/// Rows and columns of a matrix, the positions of a block that is a run of neighbouring positions, and whether scores have marks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) block_positions: usize,
    pub(crate) marks: bool,
}

impl Size {
    /// Number of scores.
    pub(crate) fn positions(&self) -> usize {
        self.rows * self.cols
    }
}

/// The layout of a payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockTable {
    pub(crate) size: Size,
    layer: u32,
    slab: u64,
    pub(crate) key_len: usize,
    pub(crate) n_blocks: usize,
    /// Bytes of key, table and checksum.
    pub(crate) head_len: usize,
}

impl BlockTable {
    /// The table of a slab of a layer whose key has `key_len` bytes; `None` if it is larger than memory can address.
    pub(crate) fn new((layer, slab): (u32, u64), size: Size, key_len: usize, n_blocks: usize) -> Option<Self> {
        let head_len = n_blocks.checked_mul(ENTRY_LEN)?.checked_add(key_len + CRC_LEN)?;
        (head_len <= isize::MAX as usize).then_some(Self { size, layer, slab, key_len, n_blocks, head_len })
    }

    /// Bytes of key and table.
    pub(crate) fn len(&self) -> usize {
        self.head_len - CRC_LEN
    }

    /// Bytes of the head that tell where a block lies: its table entry and the one before, if there is one.
    pub(crate) fn entry(&self, block: usize) -> Range<usize> {
        self.key_len + block.saturating_sub(1) * ENTRY_LEN..self.key_len + (block + 1) * ENTRY_LEN
    }

    /// The seal of a block among those of all blocks.
    pub(crate) fn seal<'a>(&self, seals: &'a [u8], block: usize) -> &'a [u8] {
        let len = seals.len() / self.n_blocks;
        &seals[block * len..][..len]
    }

    /// Checksum of a block.
    pub(crate) fn crc(self, block: usize, mode: u8, seal: &[u8], bytes: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.layer.to_le_bytes());
        hasher.update(&self.slab.to_le_bytes());
        hasher.update(&(block as u64).to_le_bytes());
        hasher.update(&[mode]);
        hasher.update(seal);
        hasher.update(bytes);
        hasher.finalize()
    }

    /// `Ok` when `bytes` are the block of this table entry.
    pub(crate) fn check(self, block: usize, entry: &Entry, seal: &[u8], bytes: &[u8]) -> Result<(), Damage> {
        Damage::check_crc("the block", entry.crc, self.crc(block, entry.mode, seal, bytes))
    }
}

/// An entry of the block table.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Bytes of the block, counted from the first byte of block 0.
    pub(crate) range: Range<u64>,
    crc: u32,
    pub(crate) mode: u8,
}

impl Entry {
    /// The entry of a block in its [`BlockTable::entry`].
    ///
    /// # Errors
    /// The block does not lie within the `body_len` bytes after the head.
    pub(crate) fn parse(bytes: &[u8], body_len: u64) -> Result<Self, Damage> {
        let (before, entry) = bytes.split_at(bytes.len() - ENTRY_LEN);
        let end_in = |entry: &[u8]| entry.first_chunk().map_or(0, |&end| u64::from_le_bytes(end));
        let (start, end) = (end_in(before), end_in(entry));
        let crc = entry[ENTRY_CRC_AT..].first_chunk().map_or(0, |&crc| u32::from_le_bytes(crc));
        let found = Self { range: start..end, crc, mode: entry[ENTRY_MODE_AT] };
        if start <= end && end <= body_len { Ok(found) } else { Err(found.misplaced(&(0..body_len))) }
    }

    /// Writes the entry of a block that ends at `end` to the last bytes of `table`.
    #[cfg(feature = "encode")]
    pub(crate) fn write(table: &mut [u8], end: u64, crc: u32, mode: u8) {
        let at = table.len() - ENTRY_LEN;
        let to = &mut table[at..];
        to[..ENTRY_CRC_AT].copy_from_slice(&end.to_le_bytes());
        to[ENTRY_CRC_AT..ENTRY_MODE_AT].copy_from_slice(&crc.to_le_bytes());
        to[ENTRY_MODE_AT] = mode;
    }

    /// The block does not lie within these bytes.
    pub(crate) fn misplaced(&self, bytes: &Range<u64>) -> Damage {
        let [expected, got] = [bytes, &self.range].map(|Range { start, end }| format!("{start} to {end}"));
        Damage::Field { what: "place of the block", expected: format!("bytes within {expected}"), got }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { rows: 3, cols: 5, block_positions: 4, marks: false };

    #[test]
    fn entries_of_a_table() {
        let table = BlockTable::new((1, 2), SIZE, 7, 4).unwrap();
        assert_eq!((table.entry(0), table.entry(3)), (7..7 + ENTRY_LEN, 7 + 2 * ENTRY_LEN..table.head_len - CRC_LEN));
        assert_eq!(table.entry(3).end, table.len());
    }

    #[test]
    fn place_and_mode_are_in_the_checksum() {
        let place = BlockTable::new((1, 2), SIZE, 0, 4).unwrap();
        let crc = place.crc(3, 0, &[], b"scores");
        assert_ne!(crc, BlockTable { layer: 2, ..place }.crc(3, 0, &[], b"scores"));
        assert_ne!(crc, BlockTable { slab: 3, ..place }.crc(3, 0, &[], b"scores"));
        assert_ne!(crc, place.crc(2, 0, &[], b"scores"));
        assert_ne!(crc, place.crc(3, 1, &[], b"scores"));
        assert_ne!(crc, place.crc(3, 0, &[1], b"scores"));
    }
}
