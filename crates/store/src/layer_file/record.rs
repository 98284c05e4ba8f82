//! Reading the record of a slab: first its head, which says where the blocks are, then block by block.
//!
//! [`RecordHead`] and [`Record`] borrow bytes of memory; [`read_at`] reads a record of unknown length from a file.
//! [`RecordLayout`] draws the bytes.

use std::ops::Range;

use dab_space::SlabShape;

use super::header::Header;
use super::record_layout::{
    BlockEntry, Blocking, COLS_AT, DIGEST_AT, EncodedSlab, MAGIC, ROW_BITS_AT, ROWS_AT, RecordLayout, SLAB_AT,
};
use crate::block::BlockId;
use crate::bytes::{array_at, u32_at, u64_at};
use crate::damage::ReadError;
use crate::digest::SlabDigest;
use crate::matrix::{KeyPart, Seals, Tile, Tiling};
use crate::parity::{self, Parities};
use crate::section::Section;
use crate::{Damage, Digest};

/// Bytes of a key that one read costs less for than reads of its parts.
const KEY_AT_ONCE: usize = 1 << 13;

/// The intact head of a record: shape, digest, parity and block table.
pub(crate) struct RecordHead<'a> {
    layer: u32,
    slab: u64,
    pub(crate) layout: RecordLayout,
    bytes: &'a [u8],
}

impl<'a> RecordHead<'a> {
    /// The head of the record of a slab that `bytes` begin with; they may go on after it.
    ///
    /// # Errors
    /// The head is too short, damaged, or that of another slab or shape.
    pub(crate) fn parse(layer: u32, slab: usize, layout: RecordLayout, bytes: &'a [u8]) -> Result<Self, Damage> {
        let slab = slab as u64;
        Damage::check_len("the record", layout.head_len as u64, bytes.len() as u64)?;
        let bytes = &bytes[..layout.head_len];
        let crc = crc32fast::hash(&bytes[..layout.crc_at]);
        Damage::check_crc("the slab record", u32_at(bytes, layout.crc_at), crc)?;
        Damage::check("record magic", u32::from_le_bytes(MAGIC), u32_at(bytes, 0))?;
        Damage::check("slab number", slab, u64_at(bytes, SLAB_AT))?;
        Damage::check("rows", layout.rows, u32_at(bytes, ROWS_AT))?;
        Damage::check("columns", layout.cols, u32_at(bytes, COLS_AT))?;
        Ok(Self { layer, slab, layout, bytes })
    }

    /// Digest of the scores, as stored.
    pub(crate) fn digest(&self) -> SlabDigest {
        SlabDigest { rows: self.layout.rows, cols: self.layout.cols, digest: Digest(array_at(self.bytes, DIGEST_AT)) }
    }

    /// Whether the stored parity is that of `shape`.
    pub(crate) fn has_parity_of(&self, shape: SlabShape<'_>) -> bool {
        let mut bits = Vec::with_capacity(self.layout.key_at - ROW_BITS_AT);
        parity::pack(shape.row_parity, &mut bits);
        parity::pack(shape.col_parity, &mut bits);
        bits == self.parity_bits()
    }

    /// The stored parity as it is packed.
    pub(crate) fn parity_bits(&self) -> &'a [u8] {
        &self.bytes[ROW_BITS_AT..self.layout.key_at]
    }

    /// The stored parity.
    pub(crate) fn parities(&self, is_odd: bool) -> Parities {
        let RecordLayout { rows, cols, col_bits_at, key_at, .. } = self.layout;
        let (row_bits, col_bits) = (&self.bytes[ROW_BITS_AT..col_bits_at], &self.bytes[col_bits_at..key_at]);
        Parities::unpack(row_bits, rows as usize, col_bits, cols as usize, is_odd)
    }

    /// The key of a slab in tiles; empty without tiles.
    pub(crate) fn key(&self) -> &'a [u8] {
        &self.bytes[self.layout.key_range()]
    }

    /// Length of the blocks together, as the table says.
    fn body_len(&self) -> Result<u64, Damage> {
        let last = self.layout.n_blocks().checked_sub(1);
        last.map_or(Ok(0), |block| Ok(self.entry(block, u64::MAX)?.range.end))
    }

    /// Length of the record in bytes, as the table says.
    pub(crate) fn byte_len(&self) -> Result<u64, Damage> {
        Ok((self.layout.head_len as u64).saturating_add(self.body_len()?))
    }

    fn entry(&self, block: usize, body_len: u64) -> Result<BlockEntry, Damage> {
        BlockEntry::parse(&self.bytes[self.layout.entry_range(block)], body_len)
    }
}

/// A whole record in memory, its head intact.
pub(crate) struct Record<'a> {
    pub(crate) head: RecordHead<'a>,
    seals: Option<Seals>,
    body: &'a [u8],
}

/// An intact block.
pub(crate) struct Block<'a> {
    pub(crate) mode: u8,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record of a slab that `bytes` are.
    ///
    /// # Errors
    /// The head is damaged, or the record has another length than its head says.
    pub(crate) fn new(layer: u32, slab: usize, layout: RecordLayout, bytes: &'a [u8]) -> Result<Self, Damage> {
        let head = RecordHead::parse(layer, slab, layout, bytes)?;
        Damage::check("end of the record", head.byte_len()?, bytes.len() as u64)?;
        let seals = layout.tiling.map(|tiling| Seals::new(tiling, head.key()));
        Ok(Self { head, seals, body: &bytes[layout.head_len..] })
    }

    /// Number of blocks.
    pub(crate) fn n_blocks(&self) -> usize {
        self.head.layout.n_blocks()
    }

    /// One block, its checksum verified.
    pub(crate) fn block(&self, block: usize) -> Result<Block<'a>, Damage> {
        let entry = self.head.entry(block, self.body.len() as u64)?;
        let bytes = &self.body[entry.range.start as usize..entry.range.end as usize];
        let id = BlockId { layer: self.head.layer, slab: self.head.slab, block: block as u64 };
        let seal = self.seals.as_ref().map(|seals| seals.of(block));
        entry.check(id, seal.as_ref().map_or(&[], |seal| &seal[..]), bytes)?;
        Ok(Block { mode: entry.mode, bytes })
    }
}

/// The record of a slab of this shape that `bytes` are, every block of it intact.
pub(super) fn check(header: &Header, slab: usize, shape: SlabShape<'_>, bytes: Vec<u8>) -> Result<EncodedSlab, Damage> {
    let layout = RecordLayout::of(shape, header.blocking())?;
    let record = Record::new(header.layer, slab, layout, &bytes)?;
    Damage::check("parity", true, record.head.has_parity_of(shape))?;
    (0..record.n_blocks()).try_for_each(|block| record.block(block).map(drop))?;
    let digest = record.head.digest();
    Ok(EncodedSlab { bytes, digest })
}

/// Reads the record of a slab of this shape that begins at offset `at` of a file, and checks every block.
///
/// # Errors
/// The file is too short, or the record is damaged.
pub(super) fn read_at(
    file: &Section,
    at: u64,
    header: &Header,
    slab: usize,
    shape: SlabShape<'_>,
) -> Result<EncodedSlab, ReadError> {
    let (layout, mut bytes) = (RecordLayout::of(shape, header.blocking())?, Vec::new());
    let end = read_head_at(file, at, header, slab, layout, &mut bytes)?.byte_len()?.saturating_add(at);
    file.append(at + layout.head_len as u64..end, &mut bytes)?;
    Ok(check(header, slab, shape, bytes)?)
}

/// Reads the head of the record of a slab that begins at offset `at` of a file into `bytes`, in place of what they held.
pub(super) fn read_head_at<'a>(
    file: &Section,
    at: u64,
    header: &Header,
    slab: usize,
    layout: RecordLayout,
    bytes: &'a mut Vec<u8>,
) -> Result<RecordHead<'a>, ReadError> {
    bytes.clear();
    file.append(at..at.saturating_add(layout.head_len as u64), bytes)?;
    Ok(RecordHead::parse(header.layer, slab, layout, bytes)?)
}

/// The layout of the record at offset `at` of a file, as its own rows and columns say; neither is checked yet.
pub(super) fn layout_at(file: &Section, at: u64, blocking: Blocking) -> Result<RecordLayout, ReadError> {
    let mut bytes = [0; ROW_BITS_AT];
    file.fill(at, &mut bytes)?;
    Ok(RecordLayout::new(u32_at(&bytes, ROWS_AT), u32_at(&bytes, COLS_AT), blocking)?)
}

/// Reads one block of the record at these offsets of a file into `bytes`, in place of what they held; returns its mode.
/// Two reads, whatever the length of the record. Of a tile the checksum covers its seal, too.
///
/// # Errors
/// The file is too short, or the block is damaged.
pub(super) fn read_block_at(
    file: &Section,
    record: Range<u64>,
    layout: &RecordLayout,
    id: BlockId,
    seal: &[u8],
    bytes: &mut Vec<u8>,
) -> Result<u8, ReadError> {
    let block = id.block as usize;
    let mut entry_bytes = [0; BlockEntry::MOST_BYTES];
    let entry_range = layout.entry_range(block);
    let entry_bytes = &mut entry_bytes[..entry_range.len()];
    let body_at = record.start + layout.head_len as u64;
    Damage::check_len("the record", body_at, record.end)?;
    file.fill(record.start + entry_range.start as u64, entry_bytes)?;
    let entry = BlockEntry::parse(entry_bytes, record.end - body_at)?;
    // The table is not checked here, so a wrong entry must not make a reader allocate more than a block may take.
    let most = layout.most_bytes(block);
    if entry.range.end - entry.range.start > most {
        let (expected, got) = (format!("at most {most}"), (entry.range.end - entry.range.start).to_string());
        return Err(Damage::Field { what: "length of the block", expected, got }.into());
    }
    bytes.clear();
    file.append(body_at + entry.range.start..body_at + entry.range.end, bytes)?;
    entry.check(id, seal, bytes)?;
    Ok(entry.mode)
}

/// Reads the part of the key of a record that a tile is decoded by into `bytes`, in place of what they held.
pub(super) fn read_key_at<'a>(
    file: &Section,
    record_at: u64,
    layout: &RecordLayout,
    (tiling, tile): (Tiling, &Tile),
    bytes: &'a mut Vec<u8>,
) -> Result<KeyPart<'a>, ReadError> {
    let key_at = record_at + layout.key_at as u64;
    bytes.clear();
    let ranges = tile.key_ranges(tiling);
    if ranges[2].end <= KEY_AT_ONCE {
        file.append(key_at..key_at + ranges[2].end as u64, bytes)?;
        return Ok(KeyPart::of(bytes, tile, tiling));
    }
    for range in &ranges {
        file.append(key_at + range.start as u64..key_at + range.end as u64, bytes)?;
    }
    Ok(KeyPart::of_ranges(bytes, &ranges))
}

#[cfg(test)]
mod tests {
    use bitvec::prelude::*;

    use super::super::header::FORMAT;
    use super::super::record_encoder::encode;
    use super::*;
    use crate::RunId;

    #[test]
    fn encoded_records_are_found_again() {
        let (rows, cols) = (bitvec![0, 1, 1], bitvec![1, 0, 0, 1, 0]);
        let shape = SlabShape { row_parity: &rows, col_parity: &cols };
        let scores: Vec<i8> = (0..15).map(|i| 2 * (i % 7) as i8 - i8::from(shape.is_odd(i / 5, i % 5))).collect();
        let header = Header {
            format: FORMAT,
            layer: 4,
            n_slabs: 10,
            block_positions: 4,
            is_odd: false,
            run: RunId([0; RunId::LEN]),
        };
        let encoded = encode(&header, 9, shape, &scores);
        let layout = RecordLayout::new(3, 5, header.blocking()).unwrap();
        let record = Record::new(4, 9, layout, &encoded.bytes).unwrap();
        assert!(record.head.has_parity_of(shape));
        assert!(!record.head.has_parity_of(SlabShape { row_parity: &cols[..3], ..shape }));
        assert_eq!(record.head.digest(), encoded.digest);
        assert_eq!(record.head.parities(false), Parities::of(shape, false));
        assert!((0..4).all(|block| record.block(block).is_ok()));
        assert!(Record::new(4, 8, layout, &encoded.bytes).is_err());
        assert!(Record::new(5, 9, layout, &encoded.bytes).unwrap().block(0).is_err());
        assert!(Record::new(4, 9, layout, &encoded.bytes[..encoded.bytes.len() - 1]).is_err());

        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &[b"before", &encoded.bytes[..], b"behind"].concat()).unwrap();
        let file = Section::of(file).unwrap();
        let mut bytes = vec![3];
        let found = layout_at(&file, 6, header.blocking()).unwrap();
        assert_eq!((found.rows, found.cols), (3, 5));
        assert_eq!(read_at(&file, 6, &header, 9, shape).unwrap().bytes, encoded.bytes);
        assert!(read_at(&file, 5, &header, 9, shape).is_err());
        let range = 6..6 + encoded.bytes.len() as u64;
        for block in 0..4 {
            let id = BlockId { layer: 4, slab: 9, block };
            let mode = read_block_at(&file, range.clone(), &layout, id, &[], &mut bytes).unwrap();
            let expected = record.block(block as usize).unwrap();
            assert_eq!((mode, &bytes[..]), (expected.mode, expected.bytes));
            assert!(read_block_at(&file, range.clone(), &layout, BlockId { slab: 8, ..id }, &[], &mut bytes).is_err());
        }
    }
}
