//! Heads of fixed layout: little-endian fields one after another, sealed by the crc32 of the bytes before it.
//!
//! They are written by `concat` of the bytes of their fields, and read field by field in the same order.

use crate::Damage;

/// Bytes of a checksum.
pub(crate) const CRC_LEN: usize = 4;

/// The fields of a head from the first on. The caller has checked that there are bytes for those it takes.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl Fields<'_> {
    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.0.split_at(N);
        self.0 = rest;
        let mut array = [0; N];
        array.copy_from_slice(field);
        array
    }

    /// `Ok` when the next bytes are the magic ones.
    pub(crate) fn magic(&mut self, what: &'static str, expected: &[u8]) -> Result<(), Damage> {
        let (got, rest) = self.0.split_at(expected.len());
        self.0 = rest;
        Damage::check(what, expected.escape_ascii().to_string(), got.escape_ascii().to_string())
    }
}

/// Some bytes, and behind them their checksum.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// `Ok` when the last of some bytes are the checksum of the others.
pub(crate) fn check_seal(what: &'static str, bytes: &[u8]) -> Result<(), Damage> {
    let (sealed, crc) = bytes.split_at(bytes.len() - CRC_LEN);
    Damage::check_crc(what, Fields(crc).u32(), crc32fast::hash(sealed))
}
