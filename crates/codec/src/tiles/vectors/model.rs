//! The [`model`] for the 32 lanes of a band at a time, and tables by context that byte shuffles look up.
//!
//! A byte shuffle looks up 16 entries, and a close row never has a context of one that is not, so a table of all contexts
//! is four blocks of which a lane uses two:
//!
//! ```text
//!   place       0 .. 24            25 .. 27                  32 .. 56
//!   context     0 .. 24            51, 50, 52                25 .. 49
//!               rows not close     root row, column, corner  close rows
//!   block       0: places 0 to 15   1: 16 to 31              2: 32 to 47   3: 48 to 63
//! ```
//! A lane looks up all four and puts the results together by OR: shuffles give 0 for an index of at least 128. A machine that
//! permutes 64 bytes looks up the place at once, and one that shuffles none looks up place by place.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, i8x16, i8x32, mask8x32, u8x16, u8x32, u8x64};

use super::machine::{permutes, shuffles};

use crate::tiles::marks;
use crate::tiles::model::{self, CLOSE, CORNER, FAR, ROOT_COL, ROOT_ROW};
use crate::tiles::tile::{Band, LANES};

/// Places of the contexts of roots.
const AT_ROOT_ROW: u8 = 25;
const AT_ROOT_COL: u8 = 26;
const AT_CORNER: u8 = 27;

/// An index for which shuffles give 0.
const NOWHERE: u8 = 128;

/// A byte for each place of a table by context.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct ByContext(pub(super) [u8; PLACES]);

/// Places of a table by context.
pub(super) const PLACES: usize = 64;

/// The table that has the byte `of(context)` for each context.
pub(super) fn by_context(of: impl Fn(u8) -> u8) -> ByContext {
    ByContext(std::array::from_fn(|place| match place as u8 {
        context @ 0..CLOSE => of(context),
        AT_ROOT_ROW => of(ROOT_ROW),
        AT_ROOT_COL => of(ROOT_COL),
        AT_CORNER => of(CORNER),
        place if (32..32 + CLOSE).contains(&place) => of(place - 32 + CLOSE),
        _ => 0,
    }))
}

/// Where lanes look up tables: at once, and block by block.
#[derive(Clone, Copy)]
pub(super) struct Places<S: Simd> {
    all: u8x64<S>,
    blocks: (u8x32<S>, u8x32<S>, u8x32<S>, u8x32<S>),
}

impl<S: Simd> Places<S> {
    #[inline(always)]
    fn new(simd: S, contexts: u8x32<S>, close: u8x32<S>) -> Self {
        let all = contexts | (close & u8x32::splat(simd, 32));
        // From 16 on, at least `NOWHERE`; below, as it is.
        let below = contexts.saturating_add(u8x32::splat(simd, NOWHERE - 16)) & u8x32::splat(simd, NOWHERE | 15);
        let above = contexts - u8x32::splat(simd, 16);
        Self { all: all.combine(all), blocks: (below | close, above | close, below | !close, above | !close) }
    }

    /// What a table has for each lane.
    #[inline(always)]
    pub(super) fn look_up(&self, simd: S, table: &ByContext) -> u8x32<S> {
        if permutes(simd) {
            return u8x64::simd_from(simd, table.0).swizzle_dyn(self.all).split().0;
        }
        if !shuffles(simd) {
            return looked_up(simd, &table.0, &self.to_array());
        }
        let (first, second, third, fourth) = self.blocks;
        let [a, b, c, d] = table.0.as_chunks().0 else { unreachable!("64 bytes are four blocks") };
        (block(simd, a).swizzle_dyn_within_blocks(first) | block(simd, b).swizzle_dyn_within_blocks(second))
            | (block(simd, c).swizzle_dyn_within_blocks(third) | block(simd, d).swizzle_dyn_within_blocks(fourth))
    }
}

impl<S: Simd> Places<S> {
    /// Those of 64 lanes.
    #[inline(always)]
    pub(super) fn with(&self, others: &Self) -> u8x64<S> {
        self.all.split().0.combine(others.all.split().0)
    }

    /// The places, one by one.
    #[inline(always)]
    pub(super) fn to_array(self) -> [u8; LANES] {
        self.all.split().0.to_array()
    }
}

/// Sixteen bytes for each half of the lanes.
#[inline(always)]
pub(super) fn block<S: Simd>(simd: S, bytes: &[u8; 16]) -> u8x32<S> {
    u8x32::block_splat(u8x16::simd_from(simd, *bytes))
}

/// Bytes of a table whose length is a power of two, one by one.
#[inline(always)]
fn looked_up<S: Simd, const N: usize>(simd: S, table: &[u8; N], indices: &[u8; LANES]) -> u8x32<S> {
    // A loop, because `map` would be a call.
    let mut bytes = [0; LANES];
    for lane in 0..LANES {
        bytes[lane] = table[usize::from(indices[lane]) % N];
    }
    u8x32::simd_from(simd, bytes)
}

/// The level of a difference: two, and one more or less for its sign, and for each that is [`FAR`].
#[inline(always)]
fn level<S: Simd>(simd: S, difference: i8x32<S>) -> u8x32<S> {
    let at_least = |least: i8| difference.simd_gt(i8x32::splat(simd, least - 1)).to_vector();
    let (positive, far) = (at_least(1), at_least(FAR));
    let (not_negative, near) = (at_least(0), at_least(1 - FAR));
    // A mask is -1: of the four thresholds a difference reaches as many as its level is.
    let reached = positive + far + not_negative + near;
    (i8x32::splat(simd, 0) - reached).bitcast()
}

/// The model of the rows of a band.
#[derive(Clone, Copy)]
pub(super) struct Model<S: Simd> {
    /// Reference lanes.
    reference: u8x32<S>,
    /// The same as indices within the same half of the lanes, and within the other.
    same_half: u8x32<S>,
    other_half: u8x32<S>,
    /// 1 in the lane of the root.
    root: i8x32<S>,
    is_root: mask8x32<S>,
    /// Levels of the differences -3 to 3: of `U - UL` five times, of `L - UL` once.
    levels_of_u: u8x32<S>,
    levels_of_l: u8x32<S>,
    /// Ones where a lane is close to its reference lane. Tables have the contexts of the root among those that are not close.
    close: u8x32<S>,
}

impl<S: Simd> Model<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, band: &Band) -> Self {
        let root = band.root();
        let (mut same_half, mut other_half) = ([NOWHERE; LANES], [NOWHERE; LANES]);
        let mut close = [0; LANES];
        for (lane, &above) in band.reference.iter().enumerate() {
            if lane != root {
                let half = if usize::from(above) / 16 == lane / 16 { &mut same_half } else { &mut other_half };
                half[lane] = above % 16;
                close[lane] = if band.close >> lane & 1 == 1 { u8::MAX } else { 0 };
            }
        }
        let is_root: [i8; LANES] = std::array::from_fn(|lane| i8::from(lane == root));
        let levels = |factor: u8| -> [u8; 16] {
            std::array::from_fn(|i| model::LEVELS.get(i).map_or(0, |level| factor * level))
        };
        let root = i8x32::simd_from(simd, is_root);
        Self {
            reference: u8x32::simd_from(simd, band.reference),
            same_half: u8x32::simd_from(simd, same_half),
            other_half: u8x32::simd_from(simd, other_half),
            root,
            is_root: root.simd_gt(i8x32::splat(simd, 0)),
            levels_of_u: block(simd, &levels(5)),
            levels_of_l: block(simd, &levels(1)),
            close: u8x32::simd_from(simd, close),
        }
    }

    /// What each lane finds in its reference lane, and the root in a row of parities.
    #[inline(always)]
    pub(super) fn above(&self, simd: S, scores: i8x32<S>, parity: i8) -> i8x32<S> {
        if permutes(simd) {
            return self.is_root.select(i8x32::splat(simd, parity), scores.swizzle_dyn(self.reference));
        }
        if !shuffles(simd) {
            let scores = scores.bitcast::<u8x32<S>>().to_array();
            let above = looked_up(simd, &scores, &self.reference.to_array());
            return self.is_root.select(i8x32::splat(simd, parity), above.bitcast());
        }
        let (lower, upper): (i8x16<S>, i8x16<S>) = scores.split();
        let swapped: i8x32<S> = upper.combine(lower);
        let above =
            scores.swizzle_dyn_within_blocks(self.same_half) | swapped.swizzle_dyn_within_blocks(self.other_half);
        above | (self.root & i8x32::splat(simd, parity))
    }

    /// Predictions, and the contexts outside the root column without [`CLOSE`]: [`AT_ROOT_ROW`] for the root.
    #[inline(always)]
    pub(super) fn predict(&self, simd: S, u: i8x32<S>, l: i8x32<S>, ul: i8x32<S>) -> (i8x32<S>, u8x32<S>) {
        let (du, dl) = (u.saturating_sub(ul), l.saturating_sub(ul));
        let kept = u.saturating_add(dl).max(u.min(l)).min(u.max(l));
        let parity = ((kept ^ u) ^ (l ^ ul)) & i8x32::splat(simd, 1);
        let contexts = if shuffles(simd) {
            let (near, far) = (i8x32::splat(simd, -FAR), i8x32::splat(simd, FAR));
            let known = |difference: i8x32<S>| (difference.max(near).min(far) + far).bitcast::<u8x32<S>>();
            self.levels_of_u.swizzle_dyn_within_blocks(known(du))
                + self.levels_of_l.swizzle_dyn_within_blocks(known(dl))
        } else {
            let (of_u, of_l) = (level(simd, du), level(simd, dl));
            let twice = of_u + of_u;
            twice + twice + of_u + of_l
        };
        (kept + parity, self.is_root.select(u8x32::splat(simd, AT_ROOT_ROW), contexts))
    }

    /// The same in the root column, where `in_root_col` has ones.
    #[inline(always)]
    pub(super) fn in_root_col(&self, simd: S, contexts: u8x32<S>, in_root_col: u8x32<S>) -> u8x32<S> {
        let of_col = self.is_root.select(u8x32::splat(simd, AT_CORNER), u8x32::splat(simd, AT_ROOT_COL));
        (contexts & !in_root_col) | (of_col & in_root_col)
    }

    /// Where the lanes look up tables in these contexts.
    #[inline(always)]
    pub(super) fn places(&self, simd: S, contexts: u8x32<S>) -> Places<S> {
        Places::new(simd, contexts, self.close)
    }

    /// Where the marks of these scores look up tables, from the marks that they refer to; `in_root_col` has ones for lanes in the root
    /// column.
    #[inline(always)]
    pub(super) fn places_of_marks(
        &self,
        simd: S,
        scores: i8x32<S>,
        (u, l, ul): (i8x32<S>, i8x32<S>, i8x32<S>),
        in_root_col: u8x32<S>,
    ) -> Places<S> {
        let three_u_and_l = u + u + u + l;
        let contexts = three_u_and_l + three_u_and_l + three_u_and_l + ul;
        let in_root_row = l + i8x32::splat(simd, marks::ROOT_ROW as i8);
        let contexts = self.is_root.select(in_root_row, contexts).bitcast::<u8x32<S>>();
        let contexts = (contexts & !in_root_col) | (u8x32::splat(simd, marks::ROOT_COL) & in_root_col);
        // The contexts of scores that are not negative lie where those of close rows do.
        Places::new(simd, contexts, scores.simd_gt(i8x32::splat(simd, -1)).to_vector().bitcast())
    }

    /// The same where some lanes are in the root column, marked by ones: then no matter whether they are close.
    #[inline(always)]
    pub(super) fn places_at_edge(&self, simd: S, contexts: u8x32<S>, in_root_col: u8x32<S>) -> Places<S> {
        Places::new(simd, contexts, self.close & !in_root_col)
    }
}
