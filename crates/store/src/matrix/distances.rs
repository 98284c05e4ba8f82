//! Sums of absolute differences of eight bytes and eight bytes, many at a time.
#![allow(unsafe_code, reason = "vector instructions")]

/// Adds the sum of absolute differences of `mine` and each of `others`.
pub(super) fn add_distances(mine: &[u8; 8], others: &[[u8; 8]], distances: &mut [u32]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
    {
        // SAFETY: the machine has these instructions.
        unsafe { x86_64::add_distances(mine, others, distances) };
        return;
    }
    add_one_by_one(mine, others, distances);
}

fn add_one_by_one(mine: &[u8; 8], others: &[[u8; 8]], distances: &mut [u32]) {
    for (distance, other) in distances.iter_mut().zip(others) {
        *distance += mine.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    /// Eight distances at a time.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    pub(super) fn add_distances(mine: &[u8; 8], others: &[[u8; 8]], distances: &mut [u32]) {
        let broadcast = _mm512_set1_epi64(i64::from_le_bytes(*mine));
        let (vectors, rest) = others.as_chunks::<8>();
        let (sums, other_sums) = distances.as_chunks_mut::<8>();
        for (others, sums) in vectors.iter().zip(&mut *sums) {
            // SAFETY: both are arrays of as many bytes as are loaded and stored.
            unsafe {
                let differences = _mm512_sad_epu8(broadcast, _mm512_loadu_si512(others.as_ptr().cast()));
                let sum =
                    _mm256_add_epi32(_mm256_loadu_si256(sums.as_ptr().cast()), _mm512_cvtepi64_epi32(differences));
                _mm256_storeu_si256(sums.as_mut_ptr().cast(), sum);
            }
        }
        super::add_one_by_one(mine, rest, other_sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_add_as_one_by_one() {
        let others: Vec<[u8; 8]> =
            (0..21u8).map(|i| std::array::from_fn(|j| i.wrapping_mul(37) ^ (j as u8) << 4)).collect();
        for n in 0..others.len() {
            let (mut fast, mut slow) = (vec![5; n], vec![5; n]);
            add_distances(&others[20], &others[..n], &mut fast);
            add_one_by_one(&others[20], &others[..n], &mut slow);
            assert_eq!(fast, slow);
        }
    }
}
