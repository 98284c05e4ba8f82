//! The second half of encoding: the slots of a tile, which [`slots`](super::slots) finds, become its code.
//!
//! ```text
//!   state with too many digits for its parts:  gives away its lowest byte
//!   quotient = state / parts
//!   state    = 256 * quotient + state % parts + start  =  state + (256 - parts) * quotient + start
//! ```

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m128i, __m512i, _mm512_cvtepi32_epi8, _mm512_cvtepu8_epi32};

use fearless_simd::prelude::*;
use fearless_simd::{
    Simd, f32x16, i8x32, i16x32, i32x8, i32x16, mask8x32, mask32x16, u8x32, u8x64, u32x8, u32x16, u64x4,
};
#[cfg(target_arch = "x86_64")]
use fearless_simd::{u8x16, x86::Avx512};

use super::bytes::{CHOSEN, EIGHT};
use super::machine::{permutes, shuffles};
use super::slots::{Uncoded, find_slots};
use super::thresholds::Thresholds;
use crate::tiles::frequencies::Frequencies;
use crate::tiles::scalar::Symbols;
use crate::tiles::tile::{Column, LANES, LEAST_STATE, LaneBytes, Parts};

/// One divided by numbers up to 2^8, with a relative error below 2^-22.
#[inline(always)]
fn inverse<S: Simd>(simd: S, numbers: f32x16<S>) -> f32x16<S> {
    let one = f32x16::splat(simd, 1.0);
    if !permutes(simd) {
        return one / numbers;
    }
    // An estimate of fourteen bits, doubled by one step of Newton's, takes less time than a division.
    let estimate = numbers.approximate_recip();
    (-numbers).mul_add(estimate, one).mul_add(estimate, estimate)
}

/// States of sixteen lanes after their symbols, and those that did not give away a byte before.
#[inline(always)]
fn next<S: Simd>(simd: S, state: i32x16<S>, less_parts: u32x16<S>, start: u32x16<S>) -> (i32x16<S>, mask32x16<S>) {
    let (less_parts, start) = (less_parts.bitcast::<i32x16<S>>(), start.bitcast::<i32x16<S>>());
    let parts = i32x16::splat(simd, 256) - less_parts;
    let is_short = (parts << 12).simd_gt(state);
    let state = is_short.select(state, state >> 8);
    // States are below 2^20, quotients below 2^12, parts at most 2^8: half added, no quotient is closer to the next integer than
    // 2^-9, and the roundings change it by less than 2^-10.
    let inverse = inverse(simd, parts.to_float());
    let quotient: i32x16<S> = state.to_float::<f32x16<S>>().mul_add(inverse, inverse * 0.5).to_int();
    // Both factors fit 15 bits.
    let more = less_parts.bitcast::<i16x32<S>>().pairwise_dot_product(quotient.bitcast::<i16x32<S>>());
    (state + start + more, is_short)
}

/// The code of a tile while it grows, from its end on.
struct Coding<'a, S: Simd> {
    simd: S,
    by_depth: LaneBytes,
    depth: usize,
    /// By lane as [`lane_of`] says.
    states: (i32x16<S>, i32x16<S>),
    code: &'a mut [u8],
    /// Where the code begins.
    at: usize,
}

impl<S: Simd> Coding<'_, S> {
    /// Codes the symbols of all columns, from the last step to the first.
    #[inline(always)]
    fn put(&mut self, slots: &[Symbols]) {
        let (simd, n_cols, depth) = (self.simd, slots.len(), self.depth);
        let ((mut lower, mut upper), mut at) = (self.states, self.at);
        for step in (0..n_cols + depth).rev() {
            // The depths whose lanes are at a column of the strip.
            let (first, last) = ((step + 1).saturating_sub(n_cols), depth.min(step));
            let mut both = u8x64::splat(simd, 0);
            let of_depths = self.by_depth[first..=last].iter().zip(slots[step - last..=step - first].iter().rev());
            for (lanes, slots) in of_depths {
                let lanes = i8x32::simd_from(simd, *lanes).bitcast::<u8x32<S>>();
                both |= u8x64::simd_from(simd, slots.0) & lanes.combine(lanes);
            }
            let (less_parts, start) = both.split();
            let ((lower_parts, upper_parts), (lower_start, upper_start)) =
                (widened(simd, less_parts), widened(simd, start));
            let (next_lower, short_lower) = next(simd, lower, lower_parts, lower_start);
            let (next_upper, short_upper) = next(simd, upper, upper_parts, upper_start);
            let emitted = !bits(simd, short_lower, short_upper);
            at = emit(simd, narrowed(simd, lower, upper), emitted, self.code, at);
            (lower, upper) = (next_lower, next_upper);
        }
        (self.states, self.at) = ((lower, upper), at);
    }
}

/// As [`scalar::encode`](crate::tiles::scalar::encode); `slots` may hold anything.
#[inline(always)]
pub(super) fn encode<S: Simd>(
    (tile, marks): (Uncoded<'_, S>, Option<&[Column]>),
    tables: (&Thresholds, &Frequencies),
    slots: &mut [Symbols],
    code: &mut Vec<u8>,
    bytes: &mut Vec<u8>,
) {
    let Uncoded { simd, band, .. } = tile;
    // A symbol makes a byte at most; the code grows down from the end, eight bytes at a time.
    code.resize((slots.len() * (1 + usize::from(marks.is_some())) + 1) * LANES, 0);
    let (least, at) = (i32x16::splat(simd, LEAST_STATE as i32), code.len());
    let (by_depth, depth) = (band.lane_bytes_by_depth(), band.most_depth);
    let mut coding = Coding { simd, by_depth, depth, states: (least, least), code, at };
    // A decoder finds the marks behind the scores.
    if let Some(marks) = marks {
        tile.find_slots_of_marks(marks, tables.0, tile.exists(), slots);
        coding.put(slots);
    }
    let escapes = find_slots(tile, tables, &coding.by_depth, slots);
    coding.put(slots);
    let Coding { states: (lower, upper), at, .. } = coding;
    let mut states = [0; LANES];
    for (half, x) in [lower, upper].into_iter().enumerate() {
        (0..LANES / 2).for_each(|i| states[lane_of(simd, half, i)] = x[i] as u32);
    }
    Parts { states, escapes: &escapes, code: &code[at..] }.append_to(band.n_rows(), bytes);
}

/// The lane of number `i` of a half: `16 * half + i` if the machine widens bytes in their order. Else lane `4k + q` is number `k` of
/// quarter `q`, which shifts widen.
#[inline(always)]
fn lane_of<S: Simd>(simd: S, half: usize, i: usize) -> usize {
    if permutes(simd) { LANES / 2 * half + i } else { 4 * (i % 8) + 2 * half + i / 8 }
}

/// The bytes of lanes as numbers, in two halves.
#[inline(always)]
fn widened<S: Simd>(simd: S, bytes: u8x32<S>) -> (u32x16<S>, u32x16<S>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = simd.level().as_avx512() {
        fearless_simd::kernel!(
            #[inline(always)]
            fn widened(avx512: Avx512, bytes: __m128i) -> __m512i {
                _mm512_cvtepu8_epi32(bytes)
            }
        );
        let widened = |bytes: u8x16<S>| {
            let bytes = u8x16::<Avx512>::simd_from(avx512, bytes.to_array()).into();
            u32x16::simd_from(simd, u32x16::<Avx512>::simd_from(avx512, widened(avx512, bytes)).to_array())
        };
        let (lower, upper) = bytes.split();
        return (widened(lower), widened(upper));
    }
    let (all, lowest) = (bytes.bitcast::<u32x8<S>>(), u32x8::splat(simd, 255));
    ((all & lowest).combine((all >> 8) & lowest), ((all >> 16) & lowest).combine(all >> 24))
}

/// A bit for each lane.
#[inline(always)]
fn bits<S: Simd>(simd: S, lower: mask32x16<S>, upper: mask32x16<S>) -> u32 {
    if permutes(simd) {
        return lower.to_bitmask() as u32 | (upper.to_bitmask() as u32) << (LANES / 2);
    }
    mask8x32::from_vector(narrowed(simd, lower.to_vector(), upper.to_vector()).bitcast()).to_bitmask() as u32
}

/// The lowest bytes of numbers by lane.
#[inline(always)]
fn narrowed<S: Simd>(simd: S, lower: i32x16<S>, upper: i32x16<S>) -> u8x32<S> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = simd.level().as_avx512() {
        fearless_simd::kernel!(
            #[inline(always)]
            fn narrowed(avx512: Avx512, numbers: __m512i) -> __m128i {
                _mm512_cvtepi32_epi8(numbers)
            }
        );
        let narrowed = |numbers: i32x16<S>| {
            let numbers = i32x16::<Avx512>::simd_from(avx512, numbers.to_array()).into();
            u8x16::simd_from(simd, u8x16::<Avx512>::simd_from(avx512, narrowed(avx512, numbers)).to_array())
        };
        return narrowed(lower).combine(narrowed(upper));
    }
    let is_odd = mask8x32::from_bitmask(simd, 0xaaaa_aaaa);
    let is_upper = mask8x32::from_bitmask(simd, 0xcccc_cccc);
    let pair = |numbers: i32x16<S>| {
        let (first, second): (i32x8<S>, i32x8<S>) = numbers.split();
        is_odd.select((second << 8).bitcast::<u8x32<S>>(), first.bitcast::<u8x32<S>>())
    };
    is_upper.select((pair(upper).bitcast::<u32x8<S>>() << 16).bitcast::<u8x32<S>>(), pair(lower))
}

/// Puts the bytes of some lanes, a bit each, before place `at` of a code. Returns the place of the first.
#[inline(always)]
fn emit<S: Simd>(simd: S, bytes: u8x32<S>, lanes: u32, code: &mut [u8], mut at: usize) -> usize {
    if permutes(simd) {
        // The chosen bytes, turned to the end of the vector.
        let (chosen, n) = (bytes.compress(mask8x32::from_bitmask(simd, lanes.into())), lanes.count_ones());
        let turned = u8x32::from_fn(simd, |i| i as u8) + u8x32::splat(simd, n as u8);
        chosen.swizzle_dyn(turned & u8x32::splat(simd, LANES as u8 - 1)).store_slice(&mut code[at - LANES..at]);
        return at - n as usize;
    }
    if !shuffles(simd) {
        let (bytes, mut left) = (bytes.to_array(), lanes);
        while left != 0 {
            at -= 1;
            code[at] = bytes[left.ilog2() as usize];
            left ^= 1 << left.ilog2();
        }
        return at;
    }
    let lanes = lanes.to_le_bytes();
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| CHOSEN[usize::from(lanes[i])]);
    let chosen = u64x4::simd_from(simd, [a, b + 8 * EIGHT, c, d + 8 * EIGHT]).bitcast::<u8x32<S>>();
    let chosen = bytes.swizzle_dyn_within_blocks(chosen).to_array();
    // What is below the chosen bytes of eight is written over by the next ones.
    for (i, eight) in chosen.as_chunks::<8>().0.iter().enumerate().rev() {
        code[at - 8..at].copy_from_slice(eight);
        at -= lanes[i].count_ones() as usize;
    }
    at
}

#[cfg(test)]
mod tests {
    use dab_isa::Isa;
    use fearless_simd::dispatch;

    use super::*;

    /// The states before a symbol whose quotients are nearest to the next integer, and to the one before.
    fn check<S: Simd>(simd: S, name: &str) {
        for parts in 1..256 {
            for first in (0..1 << 12).step_by(8) {
                let states: [i32; 16] =
                    std::array::from_fn(|i| parts * (first + i as i32 / 2) + (i as i32 % 2) * (parts - 1));
                let less_parts = u32x16::splat(simd, 256 - parts as u32);
                let (after, _) = next(simd, i32x16::simd_from(simd, states), less_parts, u32x16::splat(simd, 0));
                assert_eq!(
                    after.to_array(),
                    states.map(|state| state / parts * 256 + state % parts),
                    "{name}, {parts}"
                );
            }
        }
    }

    #[test]
    fn quotients_are_exact() {
        for isa in Isa::available() {
            dispatch!(isa.level(), simd => check(simd, isa.name()));
        }
    }
}
