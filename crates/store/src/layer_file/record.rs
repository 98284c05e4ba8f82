//! The record of one slab within a score file.
//!
//! ```text
//!  0       4       12     16     20       52
//!  | magic | slab  | rows | cols | digest | row bits | col bits | block table | crc32 | block 0 | block 1 | ...
//!    "slab"                                                     |             |
//!                                    for each block:  | end u64 | crc32 | mode |    13 bytes
//! ```
//!
//! Row and column bits are the packed parity of the slab ([`crate::parity`]), so a file can be checked without its
//! index. `end` counts from the first byte of block 0, so one table entry and the one before it find a block. The
//! checksum covers everything before it. The number of blocks follows from rows, columns and block size.

use std::ops::Range;

use dab_space::SlabShape;

use super::Header;
use crate::block::{self, BlockId};
use crate::bytes::{array_at, u32_at, u64_at};
use crate::digest::SlabDigest;
use crate::parity::{self, Parities};
use crate::{Damage, Digest};

const MAGIC: [u8; 4] = *b"slab";
const SLAB_AT: usize = MAGIC.len();
const ROWS_AT: usize = SLAB_AT + 8;
const COLS_AT: usize = ROWS_AT + 4;
const DIGEST_AT: usize = COLS_AT + 4;
const ROW_BITS_AT: usize = DIGEST_AT + Digest::LEN;

const ENTRY_CRC_AT: usize = 8;
const ENTRY_MODE_AT: usize = ENTRY_CRC_AT + 4;
const ENTRY_LEN: usize = ENTRY_MODE_AT + 1;

/// Where the parts of a record lie and which positions its blocks hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordLayout {
    rows: u32,
    cols: u32,
    positions: usize,
    block_positions: usize,
    col_bits_at: usize,
    table_at: usize,
    crc_at: usize,
    body_at: usize,
}

impl RecordLayout {
    /// The layout of a record of this shape.
    pub(crate) fn new(rows: u32, cols: u32, block_positions: u32) -> Result<Self, Damage> {
        let col_bits_at = ROW_BITS_AT + parity::packed_len(rows as usize);
        let table_at = col_bits_at + parity::packed_len(cols as usize);
        let block_positions = block_positions as usize;
        let lengths = || {
            let positions = (rows as usize).checked_mul(cols as usize)?;
            let crc_at = positions.div_ceil(block_positions).checked_mul(ENTRY_LEN)?.checked_add(table_at)?;
            Some((positions, crc_at, crc_at.checked_add(4)?))
        };
        let Some((positions, crc_at, body_at)) = lengths() else {
            let expected = "a slab that memory can address".into();
            return Err(Damage::Field { what: "shape", expected, got: format!("{rows} x {cols}") });
        };
        Ok(Self { rows, cols, positions, block_positions, col_bits_at, table_at, crc_at, body_at })
    }

    /// Bytes before the first block.
    pub(crate) fn body_at(&self) -> usize {
        self.body_at
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.positions.div_ceil(self.block_positions)
    }

    /// The block that holds a position.
    pub(crate) fn block_of(&self, position: usize) -> usize {
        position / self.block_positions
    }

    /// Positions of a block.
    pub(crate) fn block_range(&self, block: usize) -> Range<usize> {
        let start = block * self.block_positions;
        start..self.positions.min(start + self.block_positions)
    }
}

/// A slab ready to be written.
#[derive(Debug)]
pub(crate) struct EncodedSlab {
    /// The whole record.
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: SlabDigest,
}

/// The record of a slab in a file with this header; depends on nothing but its arguments.
pub(crate) fn encode(header: &Header, slab: usize, shape: SlabShape<'_>, scores: &[i8]) -> EncodedSlab {
    let mut bytes = Vec::with_capacity(scores.len() / 3);
    let digest = append(&mut bytes, header, slab, shape, scores);
    EncodedSlab { bytes, digest }
}

/// Appends the record of a slab to what is there.
pub(crate) fn append(
    bytes: &mut Vec<u8>,
    header: &Header,
    slab: usize,
    shape: SlabShape<'_>,
    scores: &[i8],
) -> SlabDigest {
    let Header { layer, block_positions, is_odd, .. } = *header;
    assert_eq!(scores.len(), shape.positions(), "slab {slab} of layer {layer} has another size");
    let digest = SlabDigest::of(shape, scores);
    let layout =
        RecordLayout::new(digest.rows, digest.cols, block_positions).expect("a slab in memory can be addressed");
    let at = bytes.len();
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&(slab as u64).to_le_bytes());
    bytes.extend_from_slice(&digest.rows.to_le_bytes());
    bytes.extend_from_slice(&digest.cols.to_le_bytes());
    bytes.extend_from_slice(&digest.digest.0);
    parity::pack(shape.row_parity, bytes);
    parity::pack(shape.col_parity, bytes);
    bytes.resize(at + layout.body_at, 0);

    let parities = Parities::of(shape, is_odd);
    for block in 0..layout.n_blocks() {
        let (start, positions) = (bytes.len(), layout.block_range(block));
        let mode = block::encode(&scores[positions.clone()], &parities, positions.start, bytes);
        let crc = BlockId { layer, slab: slab as u64, block: block as u64 }.crc(mode, &bytes[start..]);
        let end = (bytes.len() - at - layout.body_at) as u64;
        let entry = &mut bytes[at + layout.table_at + block * ENTRY_LEN..][..ENTRY_LEN];
        entry[..ENTRY_CRC_AT].copy_from_slice(&end.to_le_bytes());
        entry[ENTRY_CRC_AT..ENTRY_MODE_AT].copy_from_slice(&crc.to_le_bytes());
        entry[ENTRY_MODE_AT] = mode;
    }
    let crc = crc32fast::hash(&bytes[at..][..layout.crc_at]);
    bytes[at..][layout.crc_at..layout.body_at].copy_from_slice(&crc.to_le_bytes());
    digest
}

/// The record of a slab whose scores are 0 in all blocks but the last one, and 4 there: as it would be encoded, but for
/// the digest, without having the scores.
#[cfg(test)]
pub(crate) fn hollow(header: &Header, slab: usize, shape: SlabShape<'_>, digest: SlabDigest) -> Vec<u8> {
    let layout = RecordLayout::new(digest.rows, digest.cols, header.block_positions).unwrap();
    let parities = Parities::of(shape, header.is_odd);
    let block_of = |score: i8, len: usize| {
        let mut bytes = Vec::new();
        (block::encode(&vec![score; len], &parities, 0, &mut bytes), bytes)
    };
    let n = layout.n_blocks();
    let (other, last) = (block_of(0, header.block_positions as usize), block_of(4, layout.block_range(n - 1).len()));
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&(slab as u64).to_le_bytes());
    bytes.extend_from_slice(&digest.rows.to_le_bytes());
    bytes.extend_from_slice(&digest.cols.to_le_bytes());
    bytes.extend_from_slice(&digest.digest.0);
    parity::pack(shape.row_parity, &mut bytes);
    parity::pack(shape.col_parity, &mut bytes);
    let mut end = 0;
    for block in 0..n {
        let (mode, body) = if block == n - 1 { &last } else { &other };
        end += body.len() as u64;
        bytes.extend_from_slice(&end.to_le_bytes());
        let place = BlockId { layer: header.layer, slab: slab as u64, block: block as u64 };
        bytes.extend_from_slice(&place.crc(*mode, body).to_le_bytes());
        bytes.push(*mode);
    }
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    for block in 0..n {
        bytes.extend_from_slice(if block == n - 1 { &last.1 } else { &other.1 });
    }
    bytes
}

/// A record in a file.
pub(crate) struct Record<'a> {
    layer: u32,
    slab: usize,
    pub(crate) layout: RecordLayout,
    bytes: &'a [u8],
}

/// An intact block.
pub(crate) struct Block<'a> {
    pub(crate) mode: u8,
    pub(crate) bytes: &'a [u8],
    /// Where it ends within the record.
    pub(crate) end: usize,
}

impl<'a> Record<'a> {
    /// The record that `bytes` begin with; they may go on after it.
    pub(crate) fn new(layer: u32, slab: usize, layout: RecordLayout, bytes: &'a [u8]) -> Result<Self, Damage> {
        let (expected, got) = (layout.body_at as u64, bytes.len() as u64);
        if got < expected {
            return Err(Damage::Short { what: "the record", expected, got });
        }
        Ok(Self { layer, slab, layout, bytes })
    }

    /// The record of a slab whose shape only the record tells.
    pub(crate) fn find(layer: u32, slab: usize, block_positions: u32, bytes: &'a [u8]) -> Result<Self, Damage> {
        let (expected, got) = (ROW_BITS_AT as u64, bytes.len() as u64);
        if got < expected {
            return Err(Damage::Short { what: "the record", expected, got });
        }
        let layout = RecordLayout::new(u32_at(bytes, ROWS_AT), u32_at(bytes, COLS_AT), block_positions)?;
        let record = Self::new(layer, slab, layout, bytes)?;
        record.check_header()?;
        Ok(record)
    }

    /// Length of the record, as its block table tells.
    pub(crate) fn byte_len(&self) -> Result<usize, Damage> {
        let last = self.layout.n_blocks().checked_sub(1);
        let body = last.map_or(0, |block| u64_at(self.bytes, self.layout.table_at + block * ENTRY_LEN));
        let rest = (self.bytes.len() - self.layout.body_at) as u64;
        if body > rest {
            return Err(Damage::Short { what: "the record", expected: body, got: rest });
        }
        Ok(self.layout.body_at + body as usize)
    }

    /// Checks everything before the blocks.
    pub(crate) fn check_header(&self) -> Result<(), Damage> {
        let crc_at = self.layout.crc_at;
        let got = crc32fast::hash(&self.bytes[..crc_at]);
        Damage::check_crc("the slab record", u32_at(self.bytes, crc_at), got)?;
        Damage::check("record magic", u32::from_le_bytes(MAGIC), u32_at(self.bytes, 0))?;
        Damage::check("slab number", self.slab as u64, u64_at(self.bytes, SLAB_AT))?;
        Damage::check("rows", self.layout.rows, u32_at(self.bytes, ROWS_AT))?;
        Damage::check("columns", self.layout.cols, u32_at(self.bytes, COLS_AT))
    }

    /// Digest of the scores, as stored.
    pub(crate) fn digest(&self) -> SlabDigest {
        SlabDigest { rows: self.layout.rows, cols: self.layout.cols, digest: Digest(array_at(self.bytes, DIGEST_AT)) }
    }

    /// Whether the stored parity is that of `shape`.
    pub(crate) fn has_parity_of(&self, shape: SlabShape<'_>) -> bool {
        let mut bits = Vec::with_capacity(self.layout.table_at - ROW_BITS_AT);
        parity::pack(shape.row_parity, &mut bits);
        parity::pack(shape.col_parity, &mut bits);
        bits == self.bytes[ROW_BITS_AT..self.layout.table_at]
    }

    /// The stored parity.
    pub(crate) fn parities(&self, is_odd: bool) -> Parities {
        let RecordLayout { rows, cols, col_bits_at, table_at, .. } = self.layout;
        let (row_bits, col_bits) = (&self.bytes[ROW_BITS_AT..col_bits_at], &self.bytes[col_bits_at..table_at]);
        Parities::unpack(row_bits, rows as usize, col_bits, cols as usize, is_odd)
    }

    /// One block, its checksum verified.
    pub(crate) fn block(&self, block: usize) -> Result<Block<'a>, Damage> {
        let at = self.layout.table_at + block * ENTRY_LEN;
        let start = if block == 0 { 0 } else { u64_at(self.bytes, at - ENTRY_LEN) };
        let end = u64_at(self.bytes, at);
        let body = &self.bytes[self.layout.body_at..];
        if !(start <= end && end <= body.len() as u64) {
            let expected = format!("bytes within 0 to {}", body.len());
            return Err(Damage::Field { what: "place of the block", expected, got: format!("{start} to {end}") });
        }
        let bytes = &body[start as usize..end as usize];
        let mode = self.bytes[at + ENTRY_MODE_AT];
        let place = BlockId { layer: self.layer, slab: self.slab as u64, block: block as u64 };
        Damage::check_crc("the block", u32_at(self.bytes, at + ENTRY_CRC_AT), place.crc(mode, bytes))?;
        Ok(Block { mode, bytes, end: self.layout.body_at + end as usize })
    }
}

#[cfg(test)]
mod tests {
    use bitvec::prelude::*;

    use super::*;
    use crate::RunId;

    #[test]
    fn what_is_encoded_is_found_again() {
        let (rows, cols) = (bitvec![u64, Lsb0; 0, 1, 1], bitvec![u64, Lsb0; 1, 0, 0, 1, 0]);
        let shape = SlabShape { row_parity: &rows, col_parity: &cols };
        let scores: Vec<i8> = (0..15).map(|i| 2 * (i % 7) as i8 - i8::from(shape.is_odd(i / 5, i % 5))).collect();
        let header = Header { layer: 4, n_slabs: 10, block_positions: 4, is_odd: false, run: RunId([0; RunId::LEN]) };
        let encoded = encode(&header, 9, shape, &scores);
        let layout = RecordLayout::new(3, 5, 4).unwrap();
        let record = Record::new(4, 9, layout, &encoded.bytes).unwrap();
        record.check_header().unwrap();
        assert!(record.has_parity_of(shape));
        assert!(!record.has_parity_of(SlabShape { row_parity: &cols[..3], ..shape }));
        assert_eq!(record.digest(), encoded.digest);
        assert_eq!(record.parities(false), Parities::of(shape, false));
        assert_eq!((layout.n_blocks(), layout.block_of(11), layout.block_range(3)), (4, 2, 12..15));
        let last = (0..4).map(|block| record.block(block).unwrap().end).max();
        assert_eq!(last, Some(encoded.bytes.len()));
        assert!(Record::new(4, 8, layout, &encoded.bytes).unwrap().block(0).is_err());
    }

    #[test]
    fn absurd_shapes_have_no_layout() {
        assert!(RecordLayout::new(u32::MAX, u32::MAX, 1).is_err());
        assert!(RecordLayout::new(u32::MAX, u32::MAX, 16384).is_ok());
        assert_eq!(RecordLayout::new(0, 5, 16384).unwrap().n_blocks(), 0);
    }
}
