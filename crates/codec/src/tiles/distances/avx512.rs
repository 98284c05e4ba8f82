//! Eight items at a time.
#![allow(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::*;

use dab_isa::Avx512;

use super::{AT_ONCE, FIRST_GROUPS, Group, JOINED, NUMBER};

/// Adds the distances of an item from block number `block` of the others, as far as `groups` tell them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn add(mut sums: __m512i, groups: &[Group], stride: usize, place: usize, block: usize) -> __m512i {
    for group in groups.chunks_exact(stride) {
        let others = &group[AT_ONCE * block..][..AT_ONCE];
        // SAFETY: eight items of eight bytes have the size of a vector.
        let others = unsafe { _mm512_loadu_si512(others.as_ptr().cast()) };
        let mine = _mm512_set1_epi64(i64::from_le_bytes(group[place]));
        sums = _mm512_add_epi64(sums, _mm512_sad_epu8(mine, others));
    }
    sums
}

/// As [`super::distances`].
pub(super) fn distances(_: Avx512, groups: &[Group], stride: usize, place: usize, distances: &mut [u32]) {
    // SAFETY: the proof was made on a machine with these instructions.
    unsafe { all_distances(groups, stride, place, distances) }
}

/// As [`super::join`].
pub(super) fn join(_: Avx512, groups: &[Group], stride: usize, joined: (usize, usize), records: &mut [u64]) -> u64 {
    // SAFETY: the proof was made on a machine with these instructions.
    unsafe { join_all(groups, stride, joined, records) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn all_distances(groups: &[Group], stride: usize, place: usize, distances: &mut [u32]) {
    for (block, distances) in distances.as_chunks_mut::<AT_ONCE>().0.iter_mut().enumerate() {
        let sums = add(_mm512_setzero_si512(), groups, stride, place, block);
        // SAFETY: eight distances have the size of half a vector.
        unsafe { _mm256_storeu_si256(distances.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(sums)) };
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn join_all(groups: &[Group], stride: usize, (item, place): (usize, usize), records: &mut [u64]) -> u64 {
    let joined = _mm512_set1_epi64(JOINED as i64);
    let (number, item) = (_mm512_set1_epi64(NUMBER as i64), _mm512_set1_epi64((item << 16) as i64));
    let (first, others) = groups.split_at(groups.len().min(FIRST_GROUPS * stride));
    let mut least = joined;
    for (block, records) in records.as_chunks_mut::<AT_ONCE>().0.iter_mut().enumerate() {
        // SAFETY: eight records have the size of a vector.
        let before = unsafe { _mm512_loadu_si512(records.as_ptr().cast()) };
        let is_outside = _mm512_cmpneq_epu64_mask(before, joined);
        let mut sums = add(_mm512_setzero_si512(), first, stride, place, block);
        let is_far = || _mm512_mask_cmple_epu64_mask(is_outside, sums, _mm512_srli_epi64::<32>(before)) == 0;
        if !others.is_empty() {
            if is_far() {
                least = _mm512_min_epu64(least, before);
                continue;
            }
            sums = add(sums, others, stride, place, block);
        }
        let lower = _mm512_or_si512(_mm512_and_si512(before, number), item);
        let record = _mm512_or_si512(_mm512_slli_epi64::<32>(sums), lower);
        let after = _mm512_mask_min_epu64(before, is_outside, before, record);
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(records.as_mut_ptr().cast(), after) };
        least = _mm512_min_epu64(least, after);
    }
    _mm512_reduce_min_epu64(least)
}
