//! Fetching memory ahead: a look-up in a large table waits for memory, unless that was asked for before.
#![allow(unsafe_code)]

/// Asks for the memory of a value, which is needed soon. Nothing else happens, and on other processors nothing at all.
#[inline]
pub(crate) fn fetch<T>(value: &T) {
    // SAFETY: every processor with this instruction set has the instruction. It reads nothing that the program could see.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
