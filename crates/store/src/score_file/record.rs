//! A record in memory: its head, which is checked as a whole, and its payload, whose blocks have checksums of their own.
//!
//! [`RecordLayout`] draws the bytes.

use bitvec::vec::BitVec;
use dab_codec::{Fault, Payload};
use dab_space::SlabShape;

use super::front::Front;
use super::header::Header;
use super::record_layout::{RecordLayout, parity_bits, unpacked};
use crate::Damage;
use crate::bytes::u32_at;
use crate::digest::SlabDigest;

/// A whole record in memory, its head intact.
pub(super) struct Record<'a> {
    front: Front,
    layout: RecordLayout,
    bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record that `bytes` are, in a file with this header.
    ///
    /// # Errors
    /// The head is damaged, or the record has another length than its head says.
    pub(super) fn new(header: &Header, bytes: &'a [u8]) -> Result<Self, Damage> {
        let front = Front::parse(header, bytes)?;
        let SlabDigest { rows, cols, .. } = front.digest;
        let layout = RecordLayout::new(header, front.slab as usize, rows, cols)?;
        Damage::check("end of the record", front.byte_len, bytes.len() as u64)?;
        let crc = crc32fast::hash(&bytes[..layout.crc_at()]);
        Damage::check_crc("the slab record", u32_at(bytes, layout.crc_at()), crc)?;
        let byte_len = (layout.payload_at as u64).saturating_add(layout.payload.byte_len(&bytes[layout.payload_at..])?);
        Damage::check("end of the last block", front.byte_len, byte_len)?;
        Ok(Self { front, layout, bytes })
    }

    /// As [`Record::new`], of a slab with this number and digest.
    pub(super) fn of(header: &Header, slab: usize, digest: SlabDigest, bytes: &'a [u8]) -> Result<Self, Damage> {
        let record = Self::new(header, bytes)?;
        Damage::check("slab number", slab as u32, record.front.slab)?;
        Damage::check("rows", digest.rows, record.front.digest.rows)?;
        Damage::check("columns", digest.cols, record.front.digest.cols)?;
        Damage::check("digest in the directory", digest.digest, record.front.digest.digest)?;
        Ok(record)
    }

    /// Whether the stored parity is that of `shape`.
    pub(super) fn has_parity_of(&self, shape: SlabShape<'_>) -> bool {
        parity_bits(shape) == self.parity_bits()
    }

    /// The stored parity as it is packed.
    pub(super) fn parity_bits(&self) -> &'a [u8] {
        &self.bytes[Front::LEN..self.layout.payload_at]
    }

    /// The stored parity of rows and of columns.
    pub(super) fn parities(&self) -> (BitVec, BitVec) {
        let RecordLayout { rows, cols, col_bits_at, payload_at, .. } = self.layout;
        let (rows_at, cols_at) = (&self.bytes[Front::LEN..col_bits_at], &self.bytes[col_bits_at..payload_at]);
        (unpacked(rows_at, rows), unpacked(cols_at, cols))
    }

    /// What a compression made of the scores, and its bytes.
    pub(super) fn payload(&self) -> (Payload, &'a [u8]) {
        (self.layout.payload, &self.bytes[self.layout.payload_at..])
    }

    /// `Ok` when every block is intact, and the parity is that of the slab of this shape.
    pub(super) fn check(&self, shape: SlabShape<'_>) -> Result<(), Fault> {
        let SlabDigest { rows, cols, .. } = self.front.digest;
        Damage::check("rows", shape.rows(), rows as usize)?;
        Damage::check("columns", shape.cols(), cols as usize)?;
        Damage::check("parity of the index", true, self.has_parity_of(shape))?;
        let (payload, blocks) = self.payload();
        payload.faults(blocks).next().map_or(Ok(()), Err)
    }
}

#[cfg(all(test, feature = "encode"))]
mod tests {
    use bitvec::prelude::*;

    use super::super::record_encoder::encode;
    use super::*;
    use crate::RunId;

    #[test]
    fn encoded_records_are_found_again() {
        let (rows, cols) = (bitvec![0, 1, 1], bitvec![1, 0, 0, 1, 0]);
        let shape = SlabShape { row_parity: &rows, col_parity: &cols };
        let scores: Vec<i8> = (0..15).map(|i| 2 * (i % 7) as i8 - i8::from(shape.is_odd(i / 5, i % 5))).collect();
        let run = RunId([0; RunId::LEN]);
        let header = Header { layer: 4, n_slabs: 10, block_positions: 4, is_odd: false, run };
        let encoded = encode(&header, 9, shape, &scores);
        let whole = &encoded.bytes[..];
        let record = Record::of(&header, 9, encoded.digest, whole).unwrap();
        assert_eq!(record.parities(), (rows.clone(), cols.clone()));
        record.check(shape).unwrap();
        assert!(record.check(SlabShape { row_parity: &cols[..3], ..shape }).is_err());
        assert!(record.check(SlabShape { col_parity: &cols[..4], ..shape }).is_err());
        assert!(Record::of(&header, 8, encoded.digest, whole).is_err());
        assert!(Record::new(&Header { layer: 5, ..header }, whole).is_err());
        assert!(Record::new(&header, &whole[..whole.len() - 1]).is_err());
        assert!(Record::new(&header, &[whole, b"more"].concat()).is_err());
        let mut flipped = whole.to_vec();
        *flipped.last_mut().unwrap() ^= 1;
        assert_eq!(Record::new(&header, &flipped).unwrap().check(shape).unwrap_err().block, Some(3));
    }
}
