//! The states of the lanes of a tile while it is decoded.
//!
//! ```text
//!   state = low + 256 * high             low: 8 bits; high: 12 bits, in sixteen of the even or the odd lanes
//!
//!   a     = parts * (high % 256) + offset                    below 2^16
//!   low   = a % 256,  high = parts * (high / 256) + a / 256    below 2^12
//!   if high < 16:  high = 256 * high + low,  low = the next byte of the code
//! ```
//! So no product takes more than sixteen bits, and the part that a search starts from is a byte of each lane.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, i8x32, i16x16, mask8x32, mask16x16, u8x16, u8x32, u16x16, u64x2};

use super::bytes::{EIGHT, RANKS};
use super::machine::{permutes, shuffles};
use crate::tiles::tile::{LANES, LEAST_STATE};

/// States of 32 lanes.
#[derive(Clone, Copy)]
pub(super) struct Coded<S: Simd> {
    pub(super) low: u8x32<S>,
    even: u16x16<S>,
    odd: u16x16<S>,
}

impl<S: Simd> Coded<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, states: &[u32; LANES]) -> Self {
        Self {
            low: u8x32::from_fn(simd, |lane| states[lane] as u8),
            even: u16x16::from_fn(simd, |i| (states[2 * i] >> 8) as u16),
            odd: u16x16::from_fn(simd, |i| (states[2 * i + 1] >> 8) as u16),
        }
    }

    /// The state of a lane.
    #[inline(always)]
    pub(super) fn state(&self, lane: usize) -> u32 {
        let high = if lane.is_multiple_of(2) { self.even } else { self.odd }[lane / 2];
        u32::from(high) << 8 | u32::from(self.low[lane])
    }

    /// The states after symbols with these numbers of parts, at these places within them, before they take bytes.
    #[inline(always)]
    pub(super) fn after(self, simd: S, (parts, offsets): (u8x32<S>, u8x32<S>)) -> Self {
        let (parts, offsets) = (parts.bitcast::<u16x16<S>>(), offsets.bitcast::<u16x16<S>>());
        let lowest = u16x16::splat(simd, 255);
        let (low_even, even) = multiplied(simd, self.even, parts & lowest, offsets & lowest);
        let (low_odd, odd) = multiplied(simd, self.odd, parts >> 8, offsets >> 8);
        let low = is_odd(simd).select((low_odd << 8).bitcast::<u8x32<S>>(), low_even.bitcast::<u8x32<S>>());
        Self { low, even, odd }
    }

    /// These states where `active` has ones, `others` elsewhere.
    #[inline(always)]
    pub(super) fn where_active(self, simd: S, active: i8x32<S>, others: &Self) -> Self {
        let wide = active.bitcast::<i16x16<S>>();
        let zero = i16x16::splat(simd, 0);
        Self {
            low: mask8x32::from_vector(active).select(self.low, others.low),
            even: (wide << 8).simd_lt(zero).select(self.even, others.even),
            odd: wide.simd_lt(zero).select(self.odd, others.odd),
        }
    }

    /// The states after those too low have taken the next bytes of the code, and the number of bytes read by then: `read` and
    /// one for each of these lanes. `None` if more bytes than the code has were read before.
    ///
    /// Behind the code are as many bytes as there are lanes.
    #[inline(always)]
    pub(super) fn renewed(self, simd: S, lanes: u32, code: &[u8], read: usize) -> Option<(Self, usize)> {
        let least = i16x16::splat(simd, (LEAST_STATE >> 8) as i16);
        let is_low_even: mask16x16<S> = self.even.bitcast::<i16x16<S>>().simd_lt(least);
        let is_low_odd: mask16x16<S> = self.odd.bitcast::<i16x16<S>>().simd_lt(least);
        let masks = (is_low_even.to_vector().bitcast::<u8x32<S>>(), is_low_odd.to_vector().bitcast::<u8x32<S>>());
        let is_low = mask8x32::from_vector(is_odd(simd).select(masks.1, masks.0).bitcast());
        let bits = is_low.to_bitmask() as u32 & lanes;
        let taken = next_bytes(simd, bits, code.get(read..)?.first_chunk()?);

        // Bytes of even lanes are the lower ones of each pair.
        let even = is_odd(simd).select((self.even << 8).bitcast::<u8x32<S>>(), self.low).bitcast::<u16x16<S>>();
        let odd = (self.odd << 8) | (self.low.bitcast::<u16x16<S>>() >> 8);
        let renewed = Self {
            low: is_low.select(taken, self.low),
            even: is_low_even.select(even, self.even),
            odd: is_low_odd.select(odd, self.odd),
        };
        Some((renewed, read + bits.count_ones() as usize))
    }
}

/// `parts * high + offset`: its lowest byte, with others above it, and the rest.
#[inline(always)]
fn multiplied<S: Simd>(simd: S, high: u16x16<S>, parts: u16x16<S>, offset: u16x16<S>) -> (u16x16<S>, u16x16<S>) {
    let a = parts * (high & u16x16::splat(simd, 255)) + offset;
    (a, parts * (high >> 8) + (a >> 8))
}

/// The odd lanes.
#[inline(always)]
fn is_odd<S: Simd>(simd: S) -> mask8x32<S> {
    mask8x32::from_bitmask(simd, 0xaaaa_aaaa)
}

/// The first of these bytes, in their order, in the lanes that have a bit; anything in the others.
#[inline(always)]
pub(super) fn next_bytes<S: Simd>(simd: S, lanes: u32, bytes: &[u8; LANES]) -> u8x32<S> {
    if permutes(simd) {
        return u8x32::simd_from(simd, *bytes).expand(mask8x32::from_bitmask(simd, lanes.into()));
    }
    if !shuffles(simd) {
        let (mut taken, mut left) = ([0; LANES], lanes);
        for &byte in &bytes[..lanes.count_ones() as usize] {
            taken[left.trailing_zeros() as usize % LANES] = byte;
            left &= left.wrapping_sub(1);
        }
        return u8x32::simd_from(simd, taken);
    }
    let [b0, b1, b2, b3] = lanes.to_le_bytes();
    let in_first_half = (lanes as u16).count_ones() as usize;
    let first: u8x16<S> = u8x16::from_slice(simd, &bytes[..LANES / 2]);
    let second = u8x16::from_slice(simd, &bytes[in_first_half..][..LANES / 2]);
    let bytes: u8x32<S> = first.combine(second);
    bytes.swizzle_dyn_within_blocks(ranks(simd, b0, b1).combine(ranks(simd, b2, b3)))
}

/// Ranks of the chosen ones among sixteen lanes.
#[inline(always)]
fn ranks<S: Simd>(simd: S, first: u8, second: u8) -> u8x16<S> {
    let before = u64::from(first.count_ones()) * EIGHT;
    u64x2::simd_from(simd, [RANKS[usize::from(first)], RANKS[usize::from(second)] + before]).bitcast()
}
