//! The layout of a slab record: byte offsets of its parts, and the positions of its blocks.
//!
//! ```text
//!  0       4       12     16     20       52
//!  | magic | slab  | rows | cols | digest | row bits | col bits | key | block table | crc32 | block 0 | ...
//!    "slab"                                                           |             |
//!                                          for each block:  | end u64 | crc32 | mode |    13 bytes
//! ```
//!
//! Blocks are runs of positions or, in large slabs, tiles; only slabs in tiles have a key ([`crate::matrix`]).
//! Row and column bits are the packed parity of the slab ([`crate::parity`]), so a file can be checked without its
//! index. `end` counts from the first byte of block 0, so one table entry and the one before it find a block. The
//! checksum of the head covers everything before it. The number of blocks follows from rows, columns and block size.

use std::ops::Range;

use dab_space::SlabShape;

use super::BLOCK_POSITIONS;
use crate::block::BlockId;
use crate::bytes::{u32_at, u64_at};
use crate::digest::SlabDigest;
use crate::matrix::Tiling;
use crate::{Damage, Digest, parity};

pub(super) const MAGIC: [u8; 4] = *b"slab";
pub(super) const SLAB_AT: usize = MAGIC.len();
pub(super) const ROWS_AT: usize = SLAB_AT + 8;
pub(super) const COLS_AT: usize = ROWS_AT + 4;
pub(super) const DIGEST_AT: usize = COLS_AT + 4;
pub(super) const ROW_BITS_AT: usize = DIGEST_AT + Digest::LEN;

const ENTRY_CRC_AT: usize = 8;
const ENTRY_MODE_AT: usize = ENTRY_CRC_AT + 4;
const ENTRY_LEN: usize = ENTRY_MODE_AT + 1;

/// A slab ready to be written.
#[derive(Debug)]
pub(crate) struct EncodedSlab {
    /// The whole record.
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: SlabDigest,
}

/// The cut of the slabs of a file into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocking {
    /// Positions of a block that is a run of positions, all but the last of a slab.
    pub(super) positions: usize,
    /// Whether slabs of more than one block are cut into tiles, if they suit them.
    pub(super) has_tiles: bool,
}

/// Bytes that tell where blocks lie and what tiles are decoded by, if a slab of this shape is in tiles in files of the
/// newest format; `None` if it is in runs.
pub fn tiled_overhead(rows: u64, cols: u64) -> Option<u64> {
    let (rows, cols) = (u32::try_from(rows).ok()?, u32::try_from(cols).ok()?);
    let tiling = Tiling::of(rows, cols, BLOCK_POSITIONS as usize)?;
    Some((tiling.key_len() + tiling.n_tiles() * ENTRY_LEN) as u64)
}

/// Byte offsets within the record of a slab.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordLayout {
    pub(super) rows: u32,
    pub(super) cols: u32,
    positions: usize,
    block_positions: usize,
    /// The tiles, if the blocks are tiles.
    pub(crate) tiling: Option<Tiling>,
    pub(super) col_bits_at: usize,
    /// Offset of the key, which is empty without tiles.
    pub(super) key_at: usize,
    pub(super) table_at: usize,
    /// Offset of the checksum of the head.
    pub(super) crc_at: usize,
    /// Length of the head: everything before the first block.
    pub(super) head_len: usize,
}

impl RecordLayout {
    /// The layout of the record of a slab of this shape; errors as [`RecordLayout::new`].
    pub(super) fn of(shape: SlabShape<'_>, blocking: Blocking) -> Result<Self, Damage> {
        Self::new(shape.rows() as u32, shape.cols() as u32, blocking)
    }

    /// The layout of a record of this shape.
    ///
    /// # Errors
    /// The slab is larger than memory can address.
    pub(crate) fn new(rows: u32, cols: u32, blocking: Blocking) -> Result<Self, Damage> {
        let Blocking { positions: block_positions, has_tiles } = blocking;
        let tiling = Tiling::of(rows, cols, block_positions).filter(|_| has_tiles);
        let col_bits_at = ROW_BITS_AT + parity::packed_len(rows as usize);
        let key_at = col_bits_at + parity::packed_len(cols as usize);
        let table_at = key_at + tiling.map_or(0, Tiling::key_len);
        let lengths = || {
            let positions = (rows as usize).checked_mul(cols as usize)?;
            let n_blocks = tiling.map_or_else(|| positions.div_ceil(block_positions), Tiling::n_tiles);
            let crc_at = n_blocks.checked_mul(ENTRY_LEN)?.checked_add(table_at)?;
            Some((positions, crc_at, crc_at.checked_add(4)?))
        };
        let Some((positions, crc_at, head_len)) = lengths() else {
            let expected = "a slab that memory can address".into();
            return Err(Damage::Field { what: "shape", expected, got: format!("{rows} x {cols}") });
        };
        Ok(Self { rows, cols, positions, block_positions, tiling, col_bits_at, key_at, table_at, crc_at, head_len })
    }

    /// Length of the head: everything before the first block.
    pub(crate) fn head_len(&self) -> usize {
        self.head_len
    }

    pub(crate) fn n_blocks(&self) -> usize {
        (self.crc_at - self.table_at) / ENTRY_LEN
    }

    /// Number of positions.
    pub(crate) fn positions(&self) -> usize {
        self.positions
    }

    /// Bytes of the head that hold the key.
    pub(crate) fn key_range(&self) -> Range<usize> {
        self.key_at..self.table_at
    }

    /// Most bytes of a block.
    pub(super) fn most_bytes(&self, block: usize) -> u64 {
        self.tiling.map_or_else(|| self.block_range(block).len() as u64, Tiling::most_bytes)
    }

    /// The block that holds a position; without tiles.
    pub(crate) fn block_of(&self, position: usize) -> usize {
        position / self.block_positions
    }

    /// Positions of a block; without tiles.
    pub(crate) fn block_range(&self, block: usize) -> Range<usize> {
        let start = block * self.block_positions;
        start..self.positions.min(start + self.block_positions)
    }

    /// Bytes of the head that tell where a block lies: its table entry and the one before, if there is one.
    pub(super) fn entry_range(&self, block: usize) -> Range<usize> {
        self.table_at + block.saturating_sub(1) * ENTRY_LEN..self.table_at + (block + 1) * ENTRY_LEN
    }
}

/// An entry of the block table.
#[derive(Clone, Debug)]
pub(super) struct BlockEntry {
    /// Bytes of the block, counted from the first byte of block 0.
    pub(super) range: Range<u64>,
    pub(super) crc: u32,
    pub(super) mode: u8,
}

impl BlockEntry {
    /// Most bytes of [`RecordLayout::entry_range`].
    pub(super) const MOST_BYTES: usize = 2 * ENTRY_LEN;

    /// The entry of a block in its [`RecordLayout::entry_range`].
    ///
    /// # Errors
    /// The block does not lie within the `body_len` bytes after the head.
    pub(super) fn parse(bytes: &[u8], body_len: u64) -> Result<Self, Damage> {
        let at = bytes.len() - ENTRY_LEN;
        let start = if at == 0 { 0 } else { u64_at(bytes, 0) };
        let end = u64_at(bytes, at);
        if !(start <= end && end <= body_len) {
            let expected = format!("bytes within 0 to {body_len}");
            return Err(Damage::Field { what: "place of the block", expected, got: format!("{start} to {end}") });
        }
        Ok(Self { range: start..end, crc: u32_at(bytes, at + ENTRY_CRC_AT), mode: bytes[at + ENTRY_MODE_AT] })
    }

    /// Writes the entry of a block into the head of its record.
    pub(super) fn write(&self, layout: &RecordLayout, block: usize, head: &mut [u8]) {
        let entry = &mut head[layout.table_at + block * ENTRY_LEN..][..ENTRY_LEN];
        entry[..ENTRY_CRC_AT].copy_from_slice(&self.range.end.to_le_bytes());
        entry[ENTRY_CRC_AT..ENTRY_MODE_AT].copy_from_slice(&self.crc.to_le_bytes());
        entry[ENTRY_MODE_AT] = self.mode;
    }

    /// `Ok` when `bytes` are the block of this entry.
    pub(super) fn check(&self, block: BlockId, seal: &[u8], bytes: &[u8]) -> Result<(), Damage> {
        Damage::check_crc("the block", self.crc, block.crc(self.mode, seal, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_shapes_have_no_layout() {
        let plain = |positions| Blocking { positions, has_tiles: false };
        assert!(RecordLayout::new(u32::MAX, u32::MAX, plain(1)).is_err());
        assert!(RecordLayout::new(u32::MAX, u32::MAX, plain(16384)).is_ok());
        assert!(RecordLayout::new(u32::MAX, u32::MAX, Blocking { positions: 1, has_tiles: true }).is_ok());
        assert_eq!(RecordLayout::new(0, 5, plain(16384)).unwrap().n_blocks(), 0);
    }

    #[test]
    fn blocks_of_a_slab() {
        let layout = RecordLayout::new(3, 5, Blocking { positions: 4, has_tiles: true }).unwrap();
        assert_eq!((layout.n_blocks(), layout.block_of(11), layout.block_range(3)), (4, 2, 12..15));
        assert_eq!(layout.entry_range(0), layout.table_at..layout.table_at + ENTRY_LEN);
        assert_eq!(layout.entry_range(3), layout.table_at + 2 * ENTRY_LEN..layout.crc_at);
    }
}
