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

    use super::AT_ONCE;

    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(super) fn distances(groups: &[[u8; 8]], stride: usize, item: usize, distances: &mut [u32]) {
        for (block, distances) in distances.as_chunks_mut::<AT_ONCE>().0.iter_mut().enumerate() {
            let mut sums = _mm512_setzero_si512();
            for group in groups.chunks_exact(stride) {
                let others = &group[AT_ONCE * block..][..AT_ONCE];
                // SAFETY: eight items of eight bytes have the size of a vector.
                let others = unsafe { _mm512_loadu_si512(others.as_ptr().cast()) };
                let mine = _mm512_set1_epi64(i64::from_le_bytes(group[item]));
                sums = _mm512_add_epi64(sums, _mm512_sad_epu8(mine, others));
            }
            // SAFETY: eight distances have the size of half a vector.
            unsafe { _mm256_storeu_si256(distances.as_mut_ptr().cast(), _mm512_cvtepi64_epi32(sums)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_add_as_one_by_one() {
        let groups: Vec<[u8; 8]> =
            (0..96u8).map(|i| std::array::from_fn(|j| i.wrapping_mul(37) ^ (j as u8) << 4)).collect();
        for stride in [24, 32, 48] {
            for n in (0..=stride).step_by(AT_ONCE) {
                let (mut fast, mut slow) = (vec![5; n], vec![6; n]);
                distances(&groups, stride, 21, &mut fast);
                one_by_one(&groups, stride, 21, &mut slow);
                assert_eq!(fast, slow);
            }
        }
    }
}
