//! Distances of samples: sums of absolute differences of bytes, many items at a time.
#![allow(unsafe_code, reason = "vector instructions")]

/// Items that a vector compares at a time.
const AT_ONCE: usize = 8;

/// The distances of an item from the first items, as many as `distances` holds, a multiple of eight. Eight samples of an
/// item are a group; `stride` items lie between groups.
pub(super) fn distances(groups: &[[u8; 8]], stride: usize, item: usize, distances: &mut [u32]) {
    assert!(distances.len().is_multiple_of(AT_ONCE) && distances.len() <= stride && item < stride);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
    {
        // SAFETY: the machine has these instructions.
        unsafe { x86_64::distances(groups, stride, item, distances) };
        return;
    }
    one_by_one(groups, stride, item, distances);
}

/// Record of an item outside a tree, without its own number: no distance from the tree is known yet.
pub(super) const UNKNOWN: u64 = (u32::MAX as u64) << 32;
/// In the place of a record: of an item in the tree, or of none.
pub(super) const JOINED: u64 = u64::MAX;
/// The own number in a record.
const NUMBER: u64 = 0xffff;

/// Adds an item to a tree, given by its number and its place, and returns the least record of those outside. The record of
/// an item outside is its distance from the tree, the item of the tree that it is closest to, and its own number: bits 32
/// to 63, 16 to 31, and 0 to 15.
pub(super) fn join(groups: &[[u8; 8]], stride: usize, (item, place): (usize, usize), records: &mut [u64]) -> u64 {
    assert!(records.len().is_multiple_of(AT_ONCE) && records.len() <= stride && place < stride && item < 1 << 16);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
    {
        // SAFETY: the machine has these instructions.
        return unsafe { x86_64::join(groups, stride, (item, place), records) };
    }
    join_one_by_one(groups, stride, (item, place), records)
}

fn join_one_by_one(groups: &[[u8; 8]], stride: usize, (item, place): (usize, usize), records: &mut [u64]) -> u64 {
    let mut distances = vec![0; records.len()];
    one_by_one(groups, stride, place, &mut distances);
    for (record, distance) in records.iter_mut().zip(distances).filter(|(record, _)| **record != JOINED) {
        *record = (u64::from(distance) << 32 | (item as u64) << 16 | *record & NUMBER).min(*record);
    }
    records.iter().copied().min().unwrap_or(JOINED)
}

fn one_by_one(groups: &[[u8; 8]], stride: usize, item: usize, distances: &mut [u32]) {
    distances.fill(0);
    for group in groups.chunks_exact(stride) {
        for (distance, other) in distances.iter_mut().zip(group) {
            *distance += group[item].iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use super::{AT_ONCE, JOINED, NUMBER};

    /// Groups that tell most items apart: the others are left out if no item of a block gets closer to the tree anyway.
    const FIRST_GROUPS: usize = 4;

    /// Adds the distances of an item from block number `block` of the others, as far as `groups` tell them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn add(mut sums: __m512i, groups: &[[u8; 8]], stride: usize, place: usize, block: usize) -> __m512i {
        for group in groups.chunks_exact(stride) {
            let others = &group[AT_ONCE * block..][..AT_ONCE];
            // SAFETY: eight items of eight bytes have the size of a vector.
            let others = unsafe { _mm512_loadu_si512(others.as_ptr().cast()) };
            let mine = _mm512_set1_epi64(i64::from_le_bytes(group[place]));
            sums = _mm512_add_epi64(sums, _mm512_sad_epu8(mine, others));
        }
        sums
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(super) fn distances(groups: &[[u8; 8]], stride: usize, place: usize, distances: &mut [u32]) {
        for (block, distances) in distances.as_chunks_mut::<AT_ONCE>().0.iter_mut().enumerate() {
            let sums = add(_mm512_setzero_si512(), groups, stride, place, block);
            // SAFETY: eight distances have the size of half a vector.
            unsafe { _mm256_storeu_si256(distances.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(sums)) };
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(super) fn join(groups: &[[u8; 8]], stride: usize, (item, place): (usize, usize), records: &mut [u64]) -> u64 {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_add_as_one_by_one() {
        let groups: Vec<[u8; 8]> =
            (0..240u8).map(|i| std::array::from_fn(|j| i.wrapping_mul(37) ^ (j as u8) << 4)).collect();
        for stride in [24, 32, 48] {
            for n in (0..=stride).step_by(AT_ONCE) {
                let (mut fast, mut slow) = (vec![5; n], vec![6; n]);
                distances(&groups, stride, 21, &mut fast);
                one_by_one(&groups, stride, 21, &mut slow);
                assert_eq!(fast, slow);
            }
            let unknown: Vec<u64> = (0..stride as u64).map(|item| UNKNOWN | item).collect();
            let (mut fast, mut slow) = (unknown.clone(), unknown);
            for item in [21, 3, 8, 22, 7] {
                (fast[item], slow[item]) = (JOINED, JOINED);
                let least = join_one_by_one(&groups, stride, (item, item), &mut slow);
                assert_eq!(join(&groups, stride, (item, item), &mut fast), least);
                assert_eq!(fast, slow);
            }
        }
    }
}
