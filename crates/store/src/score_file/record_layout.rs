//! The layout of a slab record: byte offsets of its parts.
//!
//! ```text
//!  0       60
//!  | front | row bits | col bits | key, block table | crc32 | blocks
//!                                |<- payload
//! ```
//!
//! Row and column bits are the parity of the slab, eight bits to a byte, the first in the lowest, so a file can be checked without
//! its index. The payload is what a compression made of the scores ([`dab_codec`]). The checksum covers all before it, so the head
//! of the payload, too; with the head of the record this is the head.

use bitvec::prelude::*;
use dab_codec::Payload;
use dab_space::{Parity, SlabShape};

use super::front::Front;
use super::header::Header;
use crate::Damage;
use crate::digest::SlabDigest;

const CRC_LEN: usize = 4;

/// A slab ready to be written.
#[derive(Clone, Debug)]
pub(crate) struct EncodedSlab {
    /// The whole record.
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: SlabDigest,
}

/// Byte offsets within the record of a slab.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordLayout {
    pub(super) rows: u32,
    pub(super) cols: u32,
    pub(super) slab: u32,
    pub(super) payload: Payload,
    pub(super) col_bits_at: usize,
    pub(super) payload_at: usize,
}

impl RecordLayout {
    /// The layout of the record of a slab of this shape; errors as [`RecordLayout::new`].
    pub(super) fn of(header: &Header, slab: usize, shape: SlabShape<'_>) -> Result<Self, Damage> {
        Self::new(header, slab, shape.rows() as u32, shape.cols() as u32)
    }

    /// The layout of the record of a slab in a file with this header.
    ///
    /// # Errors
    /// The slab is larger than memory can address.
    pub(super) fn new(header: &Header, slab: usize, rows: u32, cols: u32) -> Result<Self, Damage> {
        let slab = slab as u32;
        let payload = Payload::new((header.layer, slab.into()), (rows, cols), header.block_positions as usize)?;
        let col_bits_at = Front::LEN + (rows as usize).div_ceil(8);
        let payload_at = col_bits_at + (cols as usize).div_ceil(8);
        Ok(Self { rows, cols, slab, payload, col_bits_at, payload_at })
    }

    /// Length of the head: everything before the first block.
    pub(super) fn head_len(&self) -> usize {
        self.payload_at + self.payload.head_len()
    }

    /// Offset of the checksum of the head.
    pub(super) fn crc_at(&self) -> usize {
        self.head_len() - CRC_LEN
    }
}

/// The parity of a slab as it is in a record: that of its rows, then that of its columns.
pub(super) fn parity_bits(shape: SlabShape<'_>) -> Vec<u8> {
    let pack = |bits: &Parity| bits.chunks(8).map(|byte| byte.load_le::<u8>()).collect::<Vec<u8>>();
    [pack(shape.row_parity), pack(shape.col_parity)].concat()
}

/// The first `len` bits of some bytes.
pub(super) fn unpacked(bytes: &[u8], len: u32) -> BitVec {
    bytes.view_bits::<Lsb0>()[..len as usize].iter().by_vals().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_is_found_again() {
        let rows = bitvec![0, 1, 1, 0, 1];
        let cols: BitVec = (0..19).map(|i| i * i % 7 > 2).collect();
        let bits = parity_bits(SlabShape { row_parity: &rows, col_parity: &cols });
        assert_eq!((bits.len(), bits[0]), (1 + 3, 0b10110));
        assert_eq!((unpacked(&bits[..1], 5), unpacked(&bits[1..], 19)), (rows, cols));
    }
}
