//! The search for the symbols that hold the parts of the lanes: how many last parts are below them.
//!
//! Parts of a context ascend, so each last part marks the lanes whose symbol comes later. As soon as it marks no lane, the search is
//! over; whoever is left behind the last one has an escape.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, i8x32, mask8x32, u8x32};

use super::coded::Coded;
use super::model::Places;
use super::thresholds::{BIAS, Thresholds};

/// What the parts of the lanes mean.
#[derive(Clone, Copy)]
pub(super) struct Found<S: Simd> {
    /// The parts, [`BIAS`] flipped.
    part: u8x32<S>,
    /// Numbers of the symbols among those in use.
    pub(super) symbols: u8x32<S>,
    /// The least and the greatest of the last parts minus the part, modulo 256.
    nearest: u8x32<S>,
    farthest: u8x32<S>,
    /// Lanes whose part is beyond the last symbol that was passed.
    is_beyond: mask8x32<S>,
    /// A bit for each lane with an escape.
    pub(super) escaped: u32,
}

impl<S: Simd> Found<S> {
    /// The symbols of all lanes. `lanes` has a bit for each lane that matters.
    #[inline(always)]
    pub(super) fn of(simd: S, table: &Thresholds, places: &Places<S>, coded: &Coded<S>, lanes: u32) -> Self {
        let mut found = Self::new(simd, coded);
        for last_parts in &table.usual {
            found.pass(places.look_up(simd, last_parts));
        }
        found.pass_rare(simd, table, places, lanes);
        found
    }

    /// Before the first symbol.
    #[inline(always)]
    pub(super) fn new(simd: S, coded: &Coded<S>) -> Self {
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
    pub(super) fn pass(&mut self, last_part: u8x32<S>) {
        // As it is if it is not below, and else more than from the part to the end.
        let distance = last_part - self.part;
        self.nearest = self.nearest.min(distance);
        self.farthest = self.farthest.max(distance);
        self.is_beyond = self.part.bitcast::<i8x32<S>>().simd_gt(last_part.bitcast::<i8x32<S>>());
        self.symbols -= self.is_beyond.to_vector().bitcast::<u8x32<S>>();
    }

    /// Passes the symbols that are not usual until no lane is left.
    #[inline(always)]
    pub(super) fn pass_rare(&mut self, simd: S, table: &Thresholds, places: &Places<S>, lanes: u32) {
        self.escaped = self.is_beyond.to_bitmask() as u32 & lanes;
        for last_parts in &table.rare {
            if self.escaped == 0 {
                break;
            }
            self.pass(places.look_up(simd, last_parts));
            self.escaped = self.is_beyond.to_bitmask() as u32 & lanes;
        }
    }

    /// Parts of the symbols, and the places of the parts within them.
    #[inline(always)]
    pub(super) fn parts_and_offsets(&self) -> (u8x32<S>, u8x32<S>) {
        // The farthest last part is one before the symbol, if there is one: 256 - (offset + 1). The nearest is the symbol's.
        (self.nearest - self.farthest, !self.farthest)
    }
}
