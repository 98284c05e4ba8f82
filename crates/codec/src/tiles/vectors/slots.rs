//! The first half of encoding: contexts and symbols of the scores of a tile, and the slots that code them.
//!
//! A slot is `256 - parts` and `start` of a symbol. Where both are 0, a state stays as it is, so lanes without a symbol need no mask.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, i8x32, i8x64, mask8x32, u8x32, u8x64};

use super::machine::{permutes, shuffles};
use super::model::{ByContext, Model, PLACES, Places, block, by_context};
use super::thresholds::{BEYOND, BIAS, Thresholds};
use crate::tiles::frequencies::{Frequencies, USUAL};
use crate::tiles::model::{ESCAPE, SYMBOLS};
use crate::tiles::scalar::Symbols;
use crate::tiles::tile::{Band, Column, LANES, LaneBytes, MOST_DEPTH, Strip};
use crate::tiles::tiling::STRIP;

/// A tile that is encoded.
#[derive(Clone, Copy)]
pub(super) struct Uncoded<'a, S: Simd> {
    pub(super) simd: S,
    pub(super) band: &'a Band,
    strip: &'a Strip,
    scores: &'a [Column],
    model: Model<S>,
    row_parity: i8x32<S>,
}

impl<'a, S: Simd> Uncoded<'a, S> {
    #[inline(always)]
    pub(super) fn new(simd: S, band: &'a Band, strip: &'a Strip, scores: &'a [Column]) -> Self {
        let row_parity = i8x32::simd_from(simd, band.parity);
        Self { simd, band, strip, scores, model: Model::new(simd, band), row_parity }
    }

    /// Ones for the lanes that exist.
    #[inline(always)]
    pub(super) fn exists(&self) -> u8x32<S> {
        u8x32::from_fn(self.simd, |lane| if lane < self.band.n_rows() { u8::MAX } else { 0 })
    }

    /// Symbols of the scores of a column, and where their contexts are in tables.
    #[inline(always)]
    fn symbols(&self, place: usize) -> (u8x32<S>, Places<S>) {
        let Self { simd, strip, scores, model, .. } = *self;
        let left = usize::from(strip.reference[place]);
        let (l, left_parity) = match place {
            0 => (self.row_parity, 0),
            _ => (i8x32::simd_from(simd, scores[left]), strip.parity[left]),
        };
        let score = i8x32::simd_from(simd, scores[place]);
        let (u, ul) = (model.above(simd, score, strip.parity[place]), model.above(simd, l, left_parity));
        let (prediction, contexts) = model.predict(simd, u, l, ul);
        let places = match place {
            0 => {
                let all = u8x32::splat(simd, u8::MAX);
                model.places_at_edge(simd, model.in_root_col(simd, contexts, all), all)
            }
            _ => model.places(simd, contexts),
        };
        // Twice the residual r is even: its symbol is 2r - 1 or -2r, and a symbol beyond 14 escapes.
        let difference = score - prediction;
        let is_positive = difference.simd_gt(i8x32::splat(simd, 0)).to_vector();
        let symbols = (difference.abs() + is_positive).bitcast::<u8x32<S>>();
        (symbols.min(u8x32::splat(simd, ESCAPE)), places)
    }

    /// Where the contexts of the marks of a column are in tables.
    #[inline(always)]
    fn places_of_marks(&self, marks: &[Column], place: usize) -> Places<S> {
        let Self { simd, strip, scores, model, .. } = *self;
        let of = |place: usize| i8x32::simd_from(simd, marks[place]);
        let l = of(strip.reference[place].into());
        let (u, ul) = (model.above(simd, of(place), 0), model.above(simd, l, 0));
        let in_root_col = u8x32::splat(simd, if place == 0 { u8::MAX } else { 0 });
        model.places_of_marks(simd, i8x32::simd_from(simd, scores[place]), (u, l, ul), in_root_col)
    }

    /// The contexts of these marks, and the marks themselves.
    #[inline(always)]
    pub(super) fn find_marks(&self, marks: &[Column], found: &mut [Symbols]) {
        for (place, column) in found.iter_mut().enumerate() {
            let contexts = u8x32::simd_from(self.simd, self.places_of_marks(marks, place).to_array());
            put(contexts, i8x32::simd_from(self.simd, marks[place]).bitcast(), column);
        }
    }

    /// What codes the marks of all columns, into `slots`: `256 - parts` and `start` of each, 0 in lanes that do not exist.
    #[inline(always)]
    pub(super) fn find_slots_of_marks(
        &self,
        marks: &[Column],
        table: &Thresholds,
        exists: u8x32<S>,
        slots: &mut [Symbols],
    ) {
        let simd = self.simd;
        for (place, column) in slots.iter_mut().enumerate() {
            let places = self.places_of_marks(marks, place);
            let mut ends = Ends::<S, u8x32<S>>::new(simd);
            for (mark, last_parts) in (0..).zip(&table.marks) {
                ends.pass(places.look_up(simd, last_parts), i8x32::simd_from(simd, marks[place]), mark);
            }
            let (less_parts, start) = ends.slots(simd);
            put(less_parts & exists, start & exists, column);
        }
    }

    /// As [`scalar::symbols`](crate::tiles::scalar::symbols).
    #[inline(always)]
    pub(super) fn find_symbols(&self, found: &mut [Symbols]) {
        let numbers = by_context(|context| context);
        for (place, column) in found.iter_mut().enumerate() {
            let (symbols, places) = self.symbols(place);
            put(places.look_up(self.simd, &numbers), symbols, column);
        }
    }
}

/// Stores two bytes for each lane.
#[inline(always)]
fn put<S: Simd>(first: u8x32<S>, second: u8x32<S>, column: &mut Symbols) {
    let (to_first, to_second) = column.0.split_at_mut(LANES);
    first.store_slice(to_first);
    second.store_slice(to_second);
}

/// `256 - parts` and `start` of the symbols of some lanes, and a bit for each that escapes.
type Found<V> = (V, V, u64);

/// The search for the parts of symbols.
struct Slots<'a, S: Simd> {
    tile: Uncoded<'a, S>,
    table: &'a Thresholds,
    frequencies: &'a Frequencies,
    /// Numbers of the symbols among those in use.
    numbers: u8x32<S>,
    /// A bit for each lane, and a byte of ones.
    lanes: u32,
    exists: u8x32<S>,
    /// By column a bit for each lane that escapes.
    escaped: [u32; STRIP],
}

impl<S: Simd> Slots<'_, S> {
    /// Finds what codes the scores of all columns: `256 - parts` and `start` of each symbol.
    #[inline(always)]
    fn find(&mut self, slots: &mut [Symbols]) {
        let simd = self.tile.simd;
        let (pairs, last) = slots.as_chunks_mut::<2>();
        let n_pairs = pairs.len();
        for (i, [first, second]) in pairs.iter_mut().enumerate() {
            let ((a, a_places), (b, b_places)) = (self.tile.symbols(2 * i), self.tile.symbols(2 * i + 1));
            let [of_a, of_b] = if permutes(simd) {
                self.slots_of_two((a, &a_places), (b, &b_places))
            } else {
                [self.slots_of(a, &a_places), self.slots_of(b, &b_places)]
            };
            self.put(2 * i, of_a, first);
            self.put(2 * i + 1, of_b, second);
        }
        if let [column] = last {
            let (symbols, places) = self.tile.symbols(2 * n_pairs);
            let found = self.slots_of(symbols, &places);
            self.put(2 * n_pairs, found, column);
        }
    }

    /// Stores what codes a column.
    #[inline(always)]
    fn put(&mut self, place: usize, (less_parts, start, escaped): Found<u8x32<S>>, column: &mut Symbols) {
        put(less_parts & self.exists, start & self.exists, column);
        self.escaped[place] = escaped as u32 & self.lanes;
    }

    /// The slots of a column.
    #[inline(always)]
    fn slots_of(&self, symbols: u8x32<S>, places: &Places<S>) -> Found<u8x32<S>> {
        let simd = self.tile.simd;
        if !shuffles(simd) {
            return self.look_up(symbols, places);
        }
        let number = self.numbers.swizzle_dyn_within_blocks(symbols).bitcast::<i8x32<S>>();
        self.search(
            number,
            self.lanes.into(),
            #[inline(always)]
            |last_parts| places.look_up(simd, last_parts),
        )
    }

    /// The slots of two columns, side by side as 64 lanes.
    #[inline(always)]
    fn slots_of_two(
        &self,
        (a, a_places): (u8x32<S>, &Places<S>),
        (b, b_places): (u8x32<S>, &Places<S>),
    ) -> [Found<u8x32<S>>; 2] {
        let simd = self.tile.simd;
        let places = a_places.with(b_places);
        let number = |symbols: u8x32<S>| self.numbers.swizzle_dyn_within_blocks(symbols);
        let number = number(a).combine(number(b)).bitcast::<i8x64<S>>();
        let lanes = u64::from(self.lanes) | u64::from(self.lanes) << LANES;
        let (less_parts, start, escaped) = self.search(
            number,
            lanes,
            #[inline(always)]
            |last_parts| u8x64::simd_from(simd, last_parts.0).swizzle_dyn(places),
        );
        let ((a_less, b_less), (a_start, b_start)) = (less_parts.split(), start.split());
        [(a_less, a_start, escaped), (b_less, b_start, escaped >> LANES)]
    }

    /// Slots by passing the symbols in use, from the numbers of symbols among them. `lanes` has a bit for each lane that matters.
    #[inline(always)]
    fn search<V, N>(&self, number: N, lanes: u64, look_up: impl Fn(&ByContext) -> V) -> Found<V>
    where
        V: SimdInt<S, Element = u8>,
        N: SimdInt<S, Element = i8, Mask = V::Mask>,
    {
        let simd = self.tile.simd;
        let mut ends = Ends::new(simd);
        for (k, last_parts) in (0..).zip(&self.table.usual) {
            ends.pass(look_up(last_parts), number, k);
        }
        for (k, last_parts) in (USUAL as i8..).zip(&self.table.rare) {
            if ends.is_left.to_bitmask() & lanes == 0 {
                break;
            }
            ends.pass(look_up(last_parts), number, k);
        }
        // Lanes that are left behind have equal ends, and so has a symbol without a part in its context. That is rare.
        let escapes = ends.before.simd_eq(ends.last);
        if escapes.to_bitmask() & lanes != ends.is_left.to_bitmask() & lanes {
            ends.before = escapes.select(look_up(self.table.last()), ends.before);
            ends.is_left = escapes;
        }
        let (less_parts, start) = ends.slots(simd);
        (less_parts, start, ends.is_left.to_bitmask())
    }

    /// Slots from a table of all symbols, one by one.
    #[inline(always)]
    fn look_up(&self, symbols: u8x32<S>, places: &Places<S>) -> Found<u8x32<S>> {
        let simd = self.tile.simd;
        let by_symbol = self.table.by_symbol(self.frequencies);
        let (symbols, places) = (symbols.to_array(), places.to_array());
        let (mut less_parts, mut start, mut escaped) = ([0; LANES], [0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let symbol = usize::from(symbols[lane]) % SYMBOLS;
            [less_parts[lane], start[lane], escaped[lane], _] = by_symbol[usize::from(places[lane]) % PLACES][symbol];
        }
        let [less_parts, start, escaped] = [less_parts, start, escaped].map(|bytes| u8x32::simd_from(simd, bytes));
        (less_parts, start, escaped.simd_eq(u8x32::splat(simd, 1)).to_bitmask())
    }

    /// The escaped scores in the order in which they are decoded.
    #[inline(always)]
    fn escapes(&self, by_depth: &LaneBytes) -> Vec<u8> {
        let Uncoded { simd, band, strip, scores, .. } = self.tile;
        let mut by_step = [0u32; STRIP + MOST_DEPTH + 1];
        for (depth, of_depth) in by_depth[..=band.most_depth].iter().enumerate() {
            let of_depth = mask8x32::from_vector(i8x32::simd_from(simd, *of_depth)).to_bitmask() as u32;
            let steps = by_step[depth..].iter_mut().zip(&self.escaped[..strip.n_cols()]);
            steps.for_each(|(lanes, escaped)| *lanes |= escaped & of_depth);
        }
        let mut escapes = Vec::new();
        const { assert!((STRIP + MOST_DEPTH + 1).is_multiple_of(16)) };
        // Sixteen steps at a time, because most have no escape.
        for (first, steps) in (0..).step_by(16).zip(by_step.as_chunks::<16>().0) {
            if steps.iter().fold(0, |any, lanes| any | lanes) == 0 {
                continue;
            }
            for (step, &(mut lanes)) in (first..).zip(steps) {
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    escapes.push(scores[step - usize::from(band.depth[lane])][lane] as u8);
                    lanes &= lanes - 1;
                }
            }
        }
        escapes
    }
}

/// The last part of the symbol of each lane, and that of the symbol before.
struct Ends<S: Simd, V: SimdInt<S, Element = u8>> {
    before: V,
    last: V,
    /// Lanes whose symbol comes later.
    is_left: V::Mask,
}

impl<S: Simd, V: SimdInt<S, Element = u8>> Ends<S, V> {
    /// Before the first symbol.
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self { before: V::splat(simd, BEYOND), last: V::splat(simd, 0), is_left: V::Mask::splat(simd, true) }
    }

    /// Passes symbol `k`.
    #[inline(always)]
    fn pass<N: SimdInt<S, Element = i8, Mask = V::Mask>>(&mut self, last_part: V, number: N, k: i8) {
        self.last = self.is_left.select(last_part, self.last);
        self.is_left = number.simd_gt(k);
        self.before = self.is_left.select(last_part, self.before);
    }

    /// `256 - parts` and `start` of the symbols; lanes that are left have the symbol behind the last one that was passed.
    #[inline(always)]
    fn slots(&self, simd: S) -> (V, V) {
        let last = self.is_left.select(V::splat(simd, BEYOND), self.last);
        (self.before - last, (self.before ^ BIAS) + 1)
    }
}

/// What codes the scores of all columns, into `slots`. Returns the escaped scores in the order in which they are decoded.
#[inline(always)]
pub(super) fn find_slots<S: Simd>(
    tile: Uncoded<'_, S>,
    (table, frequencies): (&Thresholds, &Frequencies),
    by_depth: &LaneBytes,
    slots: &mut [Symbols],
) -> Vec<u8> {
    let simd = tile.simd;
    let mut finder = Slots {
        tile,
        table,
        frequencies,
        numbers: block(simd, &table.numbers),
        lanes: u32::MAX >> (LANES - tile.band.n_rows()),
        exists: tile.exists(),
        escaped: [0; STRIP],
    };
    finder.find(slots);
    finder.escapes(by_depth)
}
