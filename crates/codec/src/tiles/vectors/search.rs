//! The search for the symbols that hold the parts of the lanes: how many last parts are below them.
//!
//! Parts of a context ascend, so each last part marks the lanes whose symbol comes later. As soon as it marks no lane, the search is
//! over; whoever is left behind the last one has an escape. Where bytes are not shuffled, a table of all parts tells their symbols.

use crate::tiles::tile::LANES;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, i8x32, i8x64, mask8x32, mask8x64, u8x32, u8x64};

use super::coded::Coded;
use super::machine::{permutes, shuffles};
use super::model::{ByContext, PLACES, Places, block};
use super::thresholds::{BIAS, ESCAPED, Thresholds};

/// What the parts of the lanes mean.
#[derive(Clone, Copy)]
pub(super) struct Found<S: Simd> {
    /// The parts, [`BIAS`] flipped.
    part: u8x32<S>,
    /// Numbers of the symbols among those in use; their differences where bytes are not shuffled.
    symbols: u8x32<S>,
    /// The least and the greatest of the last parts minus the part, modulo 256.
    nearest: u8x32<S>,
    farthest: u8x32<S>,
    /// Lanes whose part is beyond the last symbol that was passed.
    is_beyond: mask8x32<S>,
    /// A bit for each lane with an escape.
    pub(super) escaped: u32,
}

impl<S: Simd> Found<S> {
    /// The symbols of all lanes, or their marks. `lanes` has a bit for each lane that matters.
    #[inline(always)]
    pub(super) fn of<const MARKS: bool>(
        simd: S,
        table: &Thresholds,
        places: &Places<S>,
        coded: &Coded<S>,
        lanes: u32,
    ) -> Self {
        if MARKS {
            let mut found = Self::new(simd, coded);
            for last_parts in &table.marks {
                found.pass(places.look_up(simd, last_parts));
            }
            return found;
        }
        if !shuffles(simd) {
            return Self::one_by_one(simd, table, places, coded, lanes);
        }
        let mut found = Self::new(simd, coded);
        for last_parts in &table.usual {
            found.pass(places.look_up(simd, last_parts));
        }
        found.pass_rare(simd, table, places, lanes);
        found
    }

    /// Those of two tiles, side by side.
    #[inline(always)]
    pub(super) fn of_two<const MARKS: bool>(
        simd: S,
        table: &Thresholds,
        (a_places, a, a_lanes): (&Places<S>, &Coded<S>, u32),
        (b_places, b, b_lanes): (&Places<S>, &Coded<S>, u32),
    ) -> (Self, Self) {
        if MARKS && permutes(simd) {
            return Self::pass_all(simd, &table.marks, (a_places, a), (b_places, b));
        }
        if MARKS || !shuffles(simd) {
            return (
                Self::of::<MARKS>(simd, table, a_places, a, a_lanes),
                Self::of::<MARKS>(simd, table, b_places, b, b_lanes),
            );
        }
        let (mut a_found, mut b_found) = (Self::new(simd, a), Self::new(simd, b));
        if permutes(simd) {
            (a_found, b_found) = Self::pass_all(simd, &table.usual, (a_places, a), (b_places, b));
        } else {
            for last_parts in &table.usual {
                a_found.pass(a_places.look_up(simd, last_parts));
                b_found.pass(b_places.look_up(simd, last_parts));
            }
        }
        a_found.pass_rare(simd, table, a_places, a_lanes);
        b_found.pass_rare(simd, table, b_places, b_lanes);
        (a_found, b_found)
    }

    /// The same from a table of all parts.
    #[inline(always)]
    fn one_by_one(simd: S, table: &Thresholds, places: &Places<S>, coded: &Coded<S>, lanes: u32) -> Self {
        let by_part = table.by_part();
        let (places, low) = (places.to_array(), coded.low.to_array());
        let (mut parts, mut offsets, mut differences) = ([0; LANES], [0; LANES], [0; LANES]);
        for lane in 0..LANES {
            [parts[lane], offsets[lane], differences[lane], _] =
                by_part[usize::from(places[lane]) % PLACES][usize::from(low[lane])];
        }
        let (parts, offsets) = (u8x32::simd_from(simd, parts), u8x32::simd_from(simd, offsets));
        let differences = u8x32::simd_from(simd, differences);
        let is_escaped = differences.simd_eq(u8x32::splat(simd, ESCAPED));
        Self {
            symbols: differences,
            nearest: parts + !offsets,
            farthest: !offsets,
            escaped: is_escaped.to_bitmask() as u32 & lanes,
            is_beyond: is_escaped,
            part: coded.low,
        }
    }

    /// Before the first symbol.
    #[inline(always)]
    fn new(simd: S, coded: &Coded<S>) -> Self {
        let to_end = !coded.low;
        Self {
            part: coded.low ^ BIAS,
            symbols: u8x32::splat(simd, 0),
            nearest: to_end,
            farthest: to_end,
            is_beyond: mask8x32::splat(simd, true),
            escaped: 0,
        }
    }

    /// Passes a symbol.
    #[inline(always)]
    fn pass(&mut self, last_part: u8x32<S>) {
        // As it is if it is not below, and else more than from the part to the end.
        let distance = last_part - self.part;
        self.nearest = self.nearest.min(distance);
        self.farthest = self.farthest.max(distance);
        self.is_beyond = self.part.bitcast::<i8x32<S>>().simd_gt(last_part.bitcast::<i8x32<S>>());
        self.symbols -= self.is_beyond.to_vector().bitcast::<u8x32<S>>();
    }

    /// Passes symbols of two tiles as 64 lanes, where a machine permutes as many.
    #[inline(always)]
    fn pass_all<const N: usize>(
        simd: S,
        symbols_in_use: &[ByContext; N],
        (a_places, a): (&Places<S>, &Coded<S>),
        (b_places, b): (&Places<S>, &Coded<S>),
    ) -> (Self, Self) {
        let low: u8x64<S> = a.low.combine(b.low);
        let places = a_places.with(b_places);
        let (part, mut symbols) = (low ^ BIAS, u8x64::splat(simd, 0));
        let (mut nearest, mut farthest, mut is_beyond) = (!low, !low, mask8x64::splat(simd, true));
        for last_parts in symbols_in_use {
            let last_part = u8x64::simd_from(simd, last_parts.0).swizzle_dyn(places);
            let distance = last_part - part;
            nearest = nearest.min(distance);
            farthest = farthest.max(distance);
            is_beyond = part.bitcast::<i8x64<S>>().simd_gt(last_part.bitcast::<i8x64<S>>());
            symbols = is_beyond.select(symbols + 1, symbols);
        }
        let beyond: u64 = is_beyond.to_bitmask();
        let (part, symbols) = (part.split(), symbols.split());
        let (nearest, farthest) = (nearest.split(), farthest.split());
        let found = |part, symbols, nearest, farthest, beyond: u32| Self {
            part,
            symbols,
            nearest,
            farthest,
            is_beyond: mask8x32::from_bitmask(simd, beyond.into()),
            escaped: 0,
        };
        (
            found(part.0, symbols.0, nearest.0, farthest.0, beyond as u32),
            found(part.1, symbols.1, nearest.1, farthest.1, (beyond >> LANES) as u32),
        )
    }

    /// Passes the symbols that are not usual until no lane is left.
    #[inline(always)]
    fn pass_rare(&mut self, simd: S, table: &Thresholds, places: &Places<S>, lanes: u32) {
        self.escaped = self.is_beyond.to_bitmask() as u32 & lanes;
        for last_parts in &table.rare {
            if self.escaped == 0 {
                break;
            }
            self.pass(places.look_up(simd, last_parts));
            self.escaped = self.is_beyond.to_bitmask() as u32 & lanes;
        }
    }

    /// Scores minus predictions, those of escapes mean nothing; or marks.
    #[inline(always)]
    pub(super) fn differences<const MARKS: bool>(&self, simd: S, table: &Thresholds) -> i8x32<S> {
        if MARKS || !shuffles(simd) {
            return self.symbols.bitcast();
        }
        block(simd, &table.differences).swizzle_dyn_within_blocks(self.symbols).bitcast()
    }

    /// Parts of the symbols, and the places of the parts within them.
    #[inline(always)]
    pub(super) fn parts_and_offsets(&self) -> (u8x32<S>, u8x32<S>) {
        // The farthest last part is one before the symbol, if there is one: 256 - (offset + 1). The nearest is the symbol's.
        (self.nearest - self.farthest, !self.farthest)
    }
}
