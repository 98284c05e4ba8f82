//! Where the parts of a record lie: known from the shape of its slab.

use dab_codec::Payload;

use super::header::Header;
use crate::Damage;
use crate::bytes::CRC_LEN;
use crate::digest::Digests;

/// First bytes of a record.
pub(super) const FRONT_MAGIC: [u8; 4] = *b"slab";

/// Length in bytes of a record's entry in front and directory, with marks or without.
pub(crate) const fn entry_len(marks: bool) -> usize {
    3 * 4 + 8 + Digests::byte_len(marks)
}

/// Length of a front in bytes.
pub(super) const fn front_len(marks: bool) -> usize {
    FRONT_MAGIC.len() + entry_len(marks) + CRC_LEN
}

/// Byte offsets within the record of a slab.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordLayout {
    pub(super) payload: Payload,
    pub(super) row_bits_at: usize,
    pub(super) col_bits_at: usize,
    pub(super) payload_at: usize,
}

impl RecordLayout {
    /// The layout of the record of a slab of so many rows and columns in a file with this header.
    ///
    /// # Errors
    /// The slab is larger than memory can address.
    pub(super) fn new(header: &Header, slab: usize, (rows, cols): (u32, u32)) -> Result<Self, Damage> {
        let (block_positions, marks) = (header.block_positions as usize, header.marks);
        let payload = Payload::new((header.layer, slab as u64), (rows, cols), block_positions, marks)?;
        let row_bits_at = front_len(marks);
        let col_bits_at = row_bits_at + (rows as usize).div_ceil(8);
        Ok(Self { payload, row_bits_at, col_bits_at, payload_at: col_bits_at + (cols as usize).div_ceil(8) })
    }

    /// Length of the head: everything before the first block.
    pub(super) fn head_len(&self) -> usize {
        self.payload_at + self.payload.head_len()
    }
}
