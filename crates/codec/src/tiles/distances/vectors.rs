//! Four items in a vector of 32 bytes, two vectors at a time.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m128i, __m256i, _mm_sad_epu8, _mm256_sad_epu8};

use fearless_simd::prelude::*;
use fearless_simd::{Simd, i64x4, mask64x4, u8x32, u16x16, u32x8, u64x4};
#[cfg(target_arch = "x86_64")]
use fearless_simd::{
    u8x16,
    x86::{Avx2, Sse2},
};

use super::{AT_ONCE, FIRST_GROUPS, Group, JOINED, NUMBER};

/// Distances of eight items, each in two numbers.
#[derive(Clone, Copy)]
struct Sums<S: Simd>(u32x8<S>, u32x8<S>);

impl<S: Simd> Sums<S> {
    #[inline(always)]
    fn zero(simd: S) -> Self {
        Self(u32x8::splat(simd, 0), u32x8::splat(simd, 0))
    }

    /// Adds the distances of an item from block number `block` of the others, as far as `groups` tell them.
    #[inline(always)]
    fn add(mut self, simd: S, groups: &[Group], stride: usize, place: usize, block: usize) -> Self {
        for group in groups.chunks_exact(stride) {
            let (first, second) = group[AT_ONCE * block..][..AT_ONCE].as_flattened().split_at(32);
            let mine = u64x4::splat(simd, u64::from_le_bytes(group[place])).bitcast::<u8x32<S>>();
            self.0 += distance(simd, mine, u8x32::from_slice(simd, first));
            self.1 += distance(simd, mine, u8x32::from_slice(simd, second));
        }
        self
    }

    /// One number for each item.
    #[inline(always)]
    fn totals(self) -> (u64x4<S>, u64x4<S>) {
        (self.0.pairwise_widening_add(), self.1.pairwise_widening_add())
    }
}

/// Sums of absolute differences of bytes: those of eight in two numbers.
#[inline(always)]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "only x86-64 has one instruction for it"))]
fn distance<S: Simd>(simd: S, a: u8x32<S>, b: u8x32<S>) -> u32x8<S> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        // The one instruction that the crate of the vectors has no name for.
        fearless_simd::kernel!(
            #[inline(always)]
            fn sums(avx2: Avx2, a: __m256i, b: __m256i) -> __m256i {
                _mm256_sad_epu8(a, b)
            }
        );
        let [a, b] = [a, b].map(|bytes| __m256i::from(u8x32::simd_from(avx2, bytes.to_array())));
        return u8x32::simd_from(simd, u8x32::<Avx2>::simd_from(avx2, sums(avx2, a, b)).to_array()).bitcast();
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(sse2) = simd.level().as_sse2() {
        fearless_simd::kernel!(
            #[inline(always)]
            fn sums(sse2: Sse2, a: __m128i, b: __m128i) -> __m128i {
                _mm_sad_epu8(a, b)
            }
        );
        let ((a, c), (b, d)) = (a.split(), b.split());
        let [first, second] = [(a, b), (c, d)].map(|halves: (u8x16<S>, u8x16<S>)| {
            let [a, b] = [halves.0, halves.1].map(|bytes| __m128i::from(u8x16::simd_from(sse2, bytes.to_array())));
            u8x16::simd_from(simd, u8x16::<Sse2>::simd_from(sse2, sums(sse2, a, b)).to_array())
        });
        return first.combine(second).bitcast();
    }
    let sums: u16x16<S> = (a.max(b) - a.min(b)).pairwise_widening_add();
    sums.pairwise_widening_add()
}

/// As [`super::distances`].
#[inline(always)]
pub(super) fn distances<S: Simd>(simd: S, groups: &[Group], stride: usize, place: usize, distances: &mut [u32]) {
    for (block, distances) in distances.as_chunks_mut::<AT_ONCE>().0.iter_mut().enumerate() {
        let (first, second) = Sums::zero(simd).add(simd, groups, stride, place, block).totals();
        for i in 0..AT_ONCE / 2 {
            distances[i] = first[i] as u32;
            distances[AT_ONCE / 2 + i] = second[i] as u32;
        }
    }
}

/// As [`super::join`].
#[inline(always)]
pub(super) fn join<S: Simd>(
    simd: S,
    groups: &[Group],
    stride: usize,
    (item, place): (usize, usize),
    records: &mut [u64],
) -> u64 {
    let (first, others) = groups.split_at(groups.len().min(FIRST_GROUPS * stride));
    let item = u64x4::splat(simd, (item << 16) as u64);
    let joined = u64x4::splat(simd, JOINED);
    let (mut least, mut second_least) = (joined, joined);
    for (block, records) in records.as_chunks_mut::<AT_ONCE>().0.iter_mut().enumerate() {
        let (lower, upper) = records.split_at_mut(AT_ONCE / 2);
        let (a, b) = (u64x4::from_slice(simd, lower), u64x4::from_slice(simd, upper));
        let mut sums = Sums::zero(simd).add(simd, first, stride, place, block);
        if !others.is_empty() {
            let (near, far) = sums.totals();
            if (is_closer(simd, near, a) | is_closer(simd, far, b)).all_false() {
                (least, second_least) = (least.min(a), second_least.min(b));
                continue;
            }
            sums = sums.add(simd, others, stride, place, block);
        }
        let (near, far) = sums.totals();
        let (a, b) = (renewed(simd, a, near, item), renewed(simd, b, far, item));
        a.store_slice(lower);
        b.store_slice(upper);
        (least, second_least) = (least.min(a), second_least.min(b));
    }
    let least = least.min(second_least).to_array();
    least.into_iter().min().expect("a vector is not empty")
}

/// Items outside the tree that are at most as far as their records say.
#[inline(always)]
fn is_closer<S: Simd>(simd: S, sums: u64x4<S>, records: u64x4<S>) -> mask64x4<S> {
    let distances = (records >> 32).bitcast::<i64x4<S>>();
    let is_joined = records.simd_eq(u64x4::splat(simd, JOINED));
    !(sums.bitcast::<i64x4<S>>().simd_gt(distances) | is_joined)
}

/// Records with the item that has joined the tree.
#[inline(always)]
fn renewed<S: Simd>(simd: S, before: u64x4<S>, sums: u64x4<S>, item: u64x4<S>) -> u64x4<S> {
    let record = (sums << 32) | (before & u64x4::splat(simd, NUMBER)) | item;
    let is_joined = before.simd_eq(u64x4::splat(simd, JOINED));
    is_joined.select(before, record.min(before))
}
