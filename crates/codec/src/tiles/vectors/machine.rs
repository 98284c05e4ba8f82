//! The abilities of a machine's vectors.

use fearless_simd::Simd;

/// Whether the machine permutes 64 bytes as they come, and compresses and expands vectors. Elsewhere these are many instructions.
#[inline(always)]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "only x86-64 has such machines"))]
pub(super) fn permutes<S: Simd>(simd: S) -> bool {
    #[cfg(target_arch = "x86_64")]
    let permutes = simd.level().as_avx512().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    let permutes = false;
    permutes
}

/// Whether the machine shuffles bytes, by an index for each.
#[inline(always)]
pub(super) fn shuffles<S: Simd>(simd: S) -> bool {
    #[cfg(target_arch = "x86_64")]
    let shuffles = simd.level().as_sse4_2().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    let shuffles = !simd.level().is_fallback();
    shuffles
}
