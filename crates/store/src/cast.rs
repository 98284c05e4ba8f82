//! Scores as bytes and bytes as scores, without a copy.
#![allow(unsafe_code)]

/// Scores as the bytes that they are.
pub(crate) fn bytes_of(scores: &[i8]) -> &[u8] {
    // SAFETY: the types have the same size and alignment, and every byte is a valid value of both.
    unsafe { std::slice::from_raw_parts(scores.as_ptr().cast(), scores.len()) }
}

/// Bytes as scores.
pub(crate) fn scores_of(bytes: &[u8]) -> &[i8] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// As [`scores_of`], to be written.
pub(crate) fn scores_of_mut(bytes: &mut [u8]) -> &mut [i8] {
    // SAFETY: as above, and the borrow is unique.
    unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}
