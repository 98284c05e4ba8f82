//! The front of a record: which slab it has, and where the next record begins.
//!
//! ```text
//!  0       4      8      12     16            24       56      60
//!  | magic | slab | rows | cols | byte length | digest | crc32 |
//!    "slab"   u32    u32    u32    u64
//! ```
//!
//! A record is found by its front alone: in a file that is still written, or that has lost its directory. The checksum covers the
//! layer (u32) and the bytes before it. Nothing in it says that the rest of the record is intact: that has checksums of its own.

use super::header::Header;
use super::record_layout::RecordLayout;
use crate::bytes::{array_at, check_magic, u32_at, u64_at};
use crate::digest::SlabDigest;
use crate::{Damage, Digest};

const MAGIC: [u8; 4] = *b"slab";
const SLAB_AT: usize = MAGIC.len();
const ROWS_AT: usize = SLAB_AT + 4;
const COLS_AT: usize = ROWS_AT + 4;
const BYTE_LEN_AT: usize = COLS_AT + 4;
const DIGEST_AT: usize = BYTE_LEN_AT + 8;
const CRC_AT: usize = DIGEST_AT + Digest::LEN;

/// The first bytes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Front {
    pub(super) slab: u32,
    /// Shape of the slab, and digest of its scores.
    pub(super) digest: SlabDigest,
    /// Bytes of the whole record.
    pub(super) byte_len: u64,
}

impl Front {
    /// Length in bytes.
    pub(super) const LEN: usize = CRC_AT + 4;

    pub(super) fn to_bytes(self, header: &Header) -> [u8; Self::LEN] {
        let SlabDigest { rows, cols, digest } = self.digest;
        let mut bytes = [0; Self::LEN];
        bytes[..SLAB_AT].copy_from_slice(&MAGIC);
        bytes[SLAB_AT..ROWS_AT].copy_from_slice(&self.slab.to_le_bytes());
        bytes[ROWS_AT..COLS_AT].copy_from_slice(&rows.to_le_bytes());
        bytes[COLS_AT..BYTE_LEN_AT].copy_from_slice(&cols.to_le_bytes());
        bytes[BYTE_LEN_AT..DIGEST_AT].copy_from_slice(&self.byte_len.to_le_bytes());
        bytes[DIGEST_AT..CRC_AT].copy_from_slice(&digest.0);
        let crc = crc(header, &bytes[..CRC_AT]);
        bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The front of a record of a file with this header, which `bytes` begin with.
    ///
    /// # Errors
    /// It is too short or damaged, there is no such slab in the layer, or the record is too short for its own tables.
    pub(super) fn parse(header: &Header, bytes: &[u8]) -> Result<Self, Damage> {
        Damage::check_len("the front of a record", Self::LEN as u64, bytes.len() as u64)?;
        check_magic("record magic", &MAGIC, &bytes[..SLAB_AT])?;
        Damage::check_crc("the front of a record", u32_at(bytes, CRC_AT), crc(header, &bytes[..CRC_AT]))?;
        let (rows, cols) = (u32_at(bytes, ROWS_AT), u32_at(bytes, COLS_AT));
        let digest = SlabDigest { rows, cols, digest: Digest(array_at(bytes, DIGEST_AT)) };
        let front = Self { slab: u32_at(bytes, SLAB_AT), digest, byte_len: u64_at(bytes, BYTE_LEN_AT) };
        front.check(header)?;
        Ok(front)
    }

    /// `Ok` when there may be such a record in a file with this header.
    pub(super) fn check(&self, header: &Header) -> Result<(), Damage> {
        if u64::from(self.slab) >= header.n_slabs {
            let expected = format!("less than {}", header.n_slabs);
            return Err(Damage::Field { what: "slab number", expected, got: self.slab.to_string() });
        }
        let SlabDigest { rows, cols, .. } = self.digest;
        let least = RecordLayout::new(header, self.slab as usize, rows, cols)?.head_len() as u64;
        if self.byte_len < least {
            let expected = format!("at least {least} bytes for {rows} x {cols} positions");
            return Err(Damage::Field { what: "length of a record", expected, got: self.byte_len.to_string() });
        }
        Ok(())
    }
}

/// The checksum of the bytes before it, which does not fit another layer.
fn crc(header: &Header, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header.layer.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunId;

    #[test]
    fn just_what_was_written_is_believed() {
        let run = RunId([5; RunId::LEN]);
        let header = Header { layer: 7, n_slabs: 9, block_positions: 16, is_odd: false, run };
        let digest = SlabDigest { rows: 3, cols: 40, digest: Digest([7; Digest::LEN]) };
        let front = Front { slab: 8, digest, byte_len: 300 };
        let bytes = front.to_bytes(&header);
        assert_eq!(Front::parse(&header, &bytes), Ok(front));
        for bit in 0..8 * Front::LEN {
            let mut bytes = bytes;
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Front::parse(&header, &bytes).is_err(), "bit {bit}");
        }
        assert!((0..Front::LEN).all(|len| Front::parse(&header, &bytes[..len]).is_err()));
        assert!(Front::parse(&Header { layer: 6, ..header }, &bytes).is_err());
        assert!(Front::parse(&Header { n_slabs: 8, ..header }, &bytes).is_err());
        for byte_len in [0, 60, 173] {
            assert!(Front::parse(&header, &Front { byte_len, ..front }.to_bytes(&header)).is_err(), "{byte_len}");
        }
    }
}
