//! Reading the record of a slab: first its head, which says how long it is, then the payload.
//!
//! [`RecordHead`] and [`Record`] borrow bytes of memory; [`read_at`] reads a record of unknown length from a file.
//! [`RecordLayout`] draws the bytes.

use bitvec::vec::BitVec;
use dab_codec::{Fault, Payload, ReadError};
use dab_space::SlabShape;

use super::header::Header;
use super::record_layout::{
    COLS_AT, DIGEST_AT, EncodedSlab, MAGIC, ROW_BITS_AT, ROWS_AT, RecordLayout, SLAB_AT, parity_bits, unpacked,
};
use crate::bytes::{array_at, u32_at, u64_at};
use crate::digest::SlabDigest;
use crate::section::Section;
use crate::{Damage, Digest};

/// The intact head of a record: shape, digest, parity and the head of the payload.
pub(super) struct RecordHead<'a> {
    layout: RecordLayout,
    bytes: &'a [u8],
}

impl<'a> RecordHead<'a> {
    /// The head of the record of a slab that `bytes` begin with; they may go on after it.
    ///
    /// # Errors
    /// The head is too short, damaged, or that of another slab or shape.
    pub(super) fn parse(layout: RecordLayout, bytes: &'a [u8]) -> Result<Self, Damage> {
        Damage::check_len("the record", layout.head_len() as u64, bytes.len() as u64)?;
        let bytes = &bytes[..layout.head_len()];
        let crc = crc32fast::hash(&bytes[..layout.crc_at()]);
        Damage::check_crc("the slab record", u32_at(bytes, layout.crc_at()), crc)?;
        Damage::check("record magic", u32::from_le_bytes(MAGIC), u32_at(bytes, 0))?;
        Damage::check("slab number", layout.slab, u64_at(bytes, SLAB_AT))?;
        Damage::check("rows", layout.rows, u32_at(bytes, ROWS_AT))?;
        Damage::check("columns", layout.cols, u32_at(bytes, COLS_AT))?;
        Ok(Self { layout, bytes })
    }

    /// Digest of the scores, as stored.
    pub(super) fn digest(&self) -> SlabDigest {
        SlabDigest { rows: self.layout.rows, cols: self.layout.cols, digest: Digest(array_at(self.bytes, DIGEST_AT)) }
    }

    /// Whether the stored parity is that of `shape`.
    pub(super) fn has_parity_of(&self, shape: SlabShape<'_>) -> bool {
        parity_bits(shape) == self.parity_bits()
    }

    /// The stored parity as it is packed.
    pub(super) fn parity_bits(&self) -> &'a [u8] {
        &self.bytes[ROW_BITS_AT..self.layout.payload_at]
    }

    /// The stored parity of rows and of columns.
    pub(super) fn parities(&self) -> (BitVec, BitVec) {
        let RecordLayout { rows, cols, col_bits_at, payload_at, .. } = self.layout;
        (unpacked(&self.bytes[ROW_BITS_AT..col_bits_at], rows), unpacked(&self.bytes[col_bits_at..payload_at], cols))
    }

    /// Length of the record in bytes.
    pub(super) fn byte_len(&self) -> Result<u64, Damage> {
        let payload_at = self.layout.payload_at;
        Ok((payload_at as u64).saturating_add(self.layout.payload.byte_len(&self.bytes[payload_at..])?))
    }
}

/// A whole record in memory, its head intact.
pub(super) struct Record<'a> {
    pub(super) head: RecordHead<'a>,
    bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record of a slab that `bytes` are.
    ///
    /// # Errors
    /// The head is damaged, or the record has another length than its head says.
    pub(super) fn new(layout: RecordLayout, bytes: &'a [u8]) -> Result<Self, Damage> {
        let head = RecordHead::parse(layout, bytes)?;
        Damage::check("end of the record", head.byte_len()?, bytes.len() as u64)?;
        Ok(Self { head, bytes })
    }

    /// What a compression made of the scores, and its bytes.
    pub(super) fn payload(&self) -> (Payload, &'a [u8]) {
        (self.head.layout.payload, &self.bytes[self.head.layout.payload_at..])
    }
}

/// The record of a slab of this shape that `bytes` are, every block of it intact.
pub(super) fn check(header: &Header, slab: usize, shape: SlabShape<'_>, bytes: Vec<u8>) -> Result<EncodedSlab, Fault> {
    let record = Record::new(RecordLayout::of(header, slab, shape)?, &bytes)?;
    Damage::check("parity", true, record.head.has_parity_of(shape))?;
    let (payload, blocks) = record.payload();
    if let Some(fault) = payload.faults(blocks).next() {
        return Err(fault);
    }
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
) -> Result<EncodedSlab, Fault> {
    let (layout, mut bytes) = (RecordLayout::of(header, slab, shape)?, Vec::new());
    let end = read_head_at(file, at, layout, &mut bytes)?.byte_len()?.saturating_add(at);
    file.append(at + layout.head_len() as u64..end, &mut bytes)?;
    check(header, slab, shape, bytes)
}

/// Reads the head of the record of a slab that begins at offset `at` of a file into `bytes`, in place of what they held.
pub(super) fn read_head_at<'a>(
    file: &Section,
    at: u64,
    layout: RecordLayout,
    bytes: &'a mut Vec<u8>,
) -> Result<RecordHead<'a>, ReadError> {
    bytes.clear();
    file.append(at..at.saturating_add(layout.head_len() as u64), bytes)?;
    Ok(RecordHead::parse(layout, bytes)?)
}

/// The layout of the record at offset `at` of a file, as its own rows and columns say; neither is checked yet.
pub(super) fn layout_at(file: &Section, at: u64, header: &Header, slab: usize) -> Result<RecordLayout, ReadError> {
    let mut bytes = [0; ROW_BITS_AT];
    file.fill(at, &mut bytes)?;
    Ok(RecordLayout::new(header, slab, u32_at(&bytes, ROWS_AT), u32_at(&bytes, COLS_AT))?)
}

#[cfg(all(test, feature = "encode"))]
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
        let new = |header: &Header, slab: usize, bytes: &[u8]| {
            let record = Record::new(RecordLayout::new(header, slab, 3, 5)?, bytes)?;
            let (payload, blocks) = record.payload();
            Ok::<_, Damage>((record.head.digest(), record.head.parities(), payload.faults(blocks).count()))
        };
        let whole = &encoded.bytes[..];
        assert_eq!(new(&header, 9, whole), Ok((encoded.digest, (rows.clone(), cols.clone()), 0)));
        assert!(new(&header, 8, whole).is_err());
        assert_eq!(new(&Header { layer: 5, ..header }, 9, whole).unwrap().2, 4);
        assert!(new(&header, 9, &whole[..whole.len() - 1]).is_err());

        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &[b"before", whole, b"behind"].concat()).unwrap();
        let file = Section::of(file).unwrap();
        let found = layout_at(&file, 6, &header, 9).unwrap();
        assert_eq!((found.rows, found.cols), (3, 5));
        assert_eq!(read_at(&file, 6, &header, 9, shape).unwrap().bytes, encoded.bytes);
        assert!(read_at(&file, 5, &header, 9, shape).is_err());
        assert!(read_at(&file, 6, &header, 9, SlabShape { row_parity: &cols[..3], ..shape }).is_err());
    }
}
