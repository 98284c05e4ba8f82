//! The record of a slab: its head, which is checked as a whole, and its payload, whose blocks have checksums of their own.
//!
//! ```text
//!  0       60, with marks 92
//!  | front | row bits | col bits | key, block table | crc32 | blocks
//!  |<-                      head                         ->|
//!                                |<- payload
//! ```
//!
//! Row and column bits are the parity of the slab, eight bits to a byte, the first in the lowest, so a file can be checked without
//! its index. The payload is what a compression made of the scores ([`dab_codec`]). The checksum covers all before it, so the head
//! of the payload, too. Equal arguments make equal bytes, so the record of a recomputed slab is the one that was lost.

use std::ops::Range;

use bitvec::prelude::*;
#[cfg(feature = "encode")]
use dab_codec::{Crew, Effort};
use dab_codec::{Fault, Payload};
use dab_space::{Parity, SlabShape};

use super::entry::Entry;
use super::header::Header;
use super::record_layout::RecordLayout;
use crate::Damage;
use crate::bytes::{CRC_LEN, check_seal};
use crate::digest::SlabDigest;

/// A record whose head is in memory and intact.
pub(super) struct Record<'a> {
    entry: Entry,
    layout: RecordLayout,
    /// The head, and perhaps more.
    bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record that `bytes` are, in a file with this header.
    ///
    /// # Errors
    /// As [`Record::of_head`], or the record has another length than its head says.
    pub(super) fn new(header: &Header, listed: &Entry, bytes: &'a [u8]) -> Result<Self, Damage> {
        let record = Self::of_head(header, listed, bytes)?;
        Damage::check("end of the record", record.entry.byte_len, bytes.len() as u64)?;
        Ok(record)
    }

    /// The record whose head these bytes begin with.
    ///
    /// # Errors
    /// The head is damaged, or that of another record.
    pub(super) fn of_head(header: &Header, listed: &Entry, bytes: &'a [u8]) -> Result<Self, Damage> {
        let entry = Entry::parse_front(header, bytes, listed.offset)?;
        let SlabDigest { rows, cols, .. } = entry.digest;
        let layout = RecordLayout::new(header, entry.slab, (rows, cols))?;
        Damage::check_len("the head of the record", layout.head_len() as u64, bytes.len() as u64)?;
        Damage::check("length of the record", listed.byte_len, entry.byte_len)?;
        check_seal("the slab record", &bytes[..layout.head_len()])?;
        let byte_len = (layout.payload_at as u64).saturating_add(layout.payload.byte_len(&bytes[layout.payload_at..])?);
        Damage::check("end of the last block", entry.byte_len, byte_len)?;
        Damage::check("slab number", listed.slab, entry.slab)?;
        Damage::check("rows", listed.digest.rows, rows)?;
        Damage::check("columns", listed.digest.cols, cols)?;
        let names = ["digest in the directory", "digest of the marks in the directory"];
        listed.digest.digests.check(&entry.digest.digests, names)?;
        Ok(Self { entry, layout, bytes })
    }

    /// Whether the stored parity is that of `shape`.
    pub(super) fn has_parity_of(&self, shape: SlabShape<'_>) -> bool {
        parity_bits(shape) == self.bytes[self.layout.row_bits_at..self.layout.payload_at]
    }

    /// The stored parity of rows and of columns.
    pub(super) fn parities(&self) -> (BitVec, BitVec) {
        let RecordLayout { row_bits_at, col_bits_at, payload_at, .. } = self.layout;
        let SlabDigest { rows, cols, .. } = self.entry.digest;
        let (rows_at, cols_at) = (&self.bytes[row_bits_at..col_bits_at], &self.bytes[col_bits_at..payload_at]);
        (unpacked(rows_at, rows), unpacked(cols_at, cols))
    }

    /// The payload that a compression made of the scores, and its head.
    pub(super) fn payload(&self) -> (Payload, &'a [u8]) {
        (self.layout.payload, &self.bytes[self.layout.payload_at..self.layout.head_len()])
    }

    /// The blocks of a record that is in memory as a whole.
    pub(super) fn blocks(&self) -> &'a [u8] {
        &self.bytes[self.layout.head_len()..]
    }

    /// Where the blocks are in the file.
    pub(super) fn blocks_at(&self) -> Range<u64> {
        self.entry.offset + self.layout.head_len() as u64..self.entry.range().end
    }

    /// `Ok` when every block is intact, and the parity is that of the slab of this shape.
    pub(super) fn check(&self, shape: SlabShape<'_>) -> Result<(), Fault> {
        Damage::check("rows", shape.rows(), self.entry.digest.rows as usize)?;
        Damage::check("columns", shape.cols(), self.entry.digest.cols as usize)?;
        Damage::check("parity of the index", true, self.has_parity_of(shape))?;
        let (payload, head) = self.payload();
        payload.faults((head, self.blocks())).next().map_or(Ok(()), Err)
    }
}

/// A slab ready to be written.
#[derive(Clone, Debug)]
pub(crate) struct EncodedSlab {
    pub(crate) slab: usize,
    /// The whole record.
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: SlabDigest,
}

/// The record of a slab in a file with this header.
///
/// # Panics
/// When the number of scores is not that of the shape.
#[cfg(feature = "encode")]
pub(crate) fn encode(header: &Header, slab: usize, shape: SlabShape<'_>, scores: &[i8]) -> EncodedSlab {
    assert_eq!(scores.len(), shape.positions(), "slab {slab} of layer {} has another size", header.layer);
    let digest = SlabDigest::of(shape, scores, header.marks, Crew::Together);
    encode_as(header, (slab, digest), shape, scores, (Effort::Run, Crew::Together))
}

/// As [`encode`], with this digest, effort and crew.
#[cfg(feature = "encode")]
pub(super) fn encode_as(
    header: &Header,
    (slab, digest): (usize, SlabDigest),
    shape: SlabShape<'_>,
    scores: &[i8],
    (effort, crew): (Effort, Crew),
) -> EncodedSlab {
    let layout = RecordLayout::new(header, slab, (digest.rows, digest.cols));
    let layout = layout.expect("a slab in memory can be addressed");
    let mut bytes = Vec::with_capacity(scores.len() / 3);
    bytes.resize(layout.row_bits_at, 0);
    bytes.extend(parity_bits(shape));
    layout.payload.encode(header.shape(shape), scores, effort, crew, &mut bytes);
    let front = Entry { slab, offset: 0, byte_len: bytes.len() as u64, digest }.front(header);
    bytes[..front.len()].copy_from_slice(&front);
    let (sealed, rest) = bytes.split_at_mut(layout.head_len() - CRC_LEN);
    rest[..CRC_LEN].copy_from_slice(&crc32fast::hash(sealed).to_le_bytes());
    EncodedSlab { slab, bytes, digest }
}

/// The parity of a slab as it is in a record: that of its rows, then that of its columns.
fn parity_bits(shape: SlabShape<'_>) -> Vec<u8> {
    let pack = |bits: &Parity| bits.chunks(8).map(|byte| byte.load_le::<u8>()).collect::<Vec<u8>>();
    [pack(shape.row_parity), pack(shape.col_parity)].concat()
}

/// The first `len` bits of some bytes.
fn unpacked(bytes: &[u8], len: u32) -> BitVec {
    bytes.view_bits::<Lsb0>()[..len as usize].iter().by_vals().collect()
}

#[cfg(all(test, feature = "encode"))]
mod tests {
    use super::*;
    use crate::RunId;

    #[test]
    fn encoded_records_are_found_again() {
        let (rows, cols) = (bitvec![0, 1, 1], bitvec![1, 0, 0, 1, 0]);
        let shape = SlabShape { row_parity: &rows, col_parity: &cols };
        let scores: Vec<i8> = (0..15).map(|i| 2 * (i % 7) as i8 - i8::from(shape.is_odd(i / 5, i % 5))).collect();
        let run = RunId([0; RunId::LEN]);
        let header = Header { layer: 4, n_slabs: 10, block_positions: 4, is_odd: false, marks: false, run };
        let EncodedSlab { bytes, digest, .. } = encode(&header, 9, shape, &scores);
        let entry = Entry { slab: 9, offset: 52, byte_len: bytes.len() as u64, digest };
        let record = Record::new(&header, &entry, &bytes).unwrap();
        assert_eq!(record.parities(), (rows.clone(), cols.clone()));
        record.check(shape).unwrap();
        assert!(record.check(SlabShape { row_parity: &cols[..3], ..shape }).is_err());
        assert!(record.check(SlabShape { col_parity: &cols[..4], ..shape }).is_err());
        assert!(Record::new(&header, &Entry { slab: 8, ..entry }, &bytes).is_err());
        assert!(Record::new(&Header { layer: 5, ..header }, &entry, &bytes).is_err());
        assert!(Record::new(&header, &entry, &bytes[..bytes.len() - 1]).is_err());
        assert!(Record::new(&header, &entry, &[&bytes[..], b"more"].concat()).is_err());
        let mut flipped = bytes.clone();
        *flipped.last_mut().unwrap() ^= 1;
        assert_eq!(Record::new(&header, &entry, &flipped).unwrap().check(shape).unwrap_err().block, Some(3));
    }

    #[test]
    fn parity_is_found_again() {
        let rows = bitvec![0, 1, 1, 0, 1];
        let cols: BitVec = (0..19).map(|i| i * i % 7 > 2).collect();
        let bits = parity_bits(SlabShape { row_parity: &rows, col_parity: &cols });
        assert_eq!((bits.len(), bits[0]), (1 + 3, 0b10110));
        assert_eq!((unpacked(&bits[..1], 5), unpacked(&bits[1..], 19)), (rows, cols));
    }
}
