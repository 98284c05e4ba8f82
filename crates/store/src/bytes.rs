//! Little-endian fields in byte slices. The caller has checked that the slice is long enough.

use crate::Damage;

/// `Ok` when some bytes are the magic ones.
pub(crate) fn check_magic(what: &'static str, expected: &[u8], got: &[u8]) -> Result<(), Damage> {
    Damage::check(what, expected.escape_ascii().to_string(), got.escape_ascii().to_string())
}

pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, offset))
}

pub(crate) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, offset))
}

pub(crate) fn array_at<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[offset..offset + N]);
    array
}
