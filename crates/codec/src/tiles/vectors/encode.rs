//! Encoding: contexts and symbols of the scores of a tile, from these the parts that code them, and from these the code.
//!
//! ```text
//!   state with too many digits for its parts:  gives away its lowest byte
//!   quotient = state / parts
//!   state    = 256 * quotient + state % parts + start  =  state + (256 - parts) * quotient + start
//! ```
//! A symbol is coded with `256 - parts` and `start`. Where both are 0, a state stays as it is, so lanes without a symbol
//! need no mask.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m128i, __m512i, _mm512_cvtepi32_epi8, _mm512_cvtepu8_epi32};

use fearless_simd::prelude::*;
use fearless_simd::{
    Simd, f32x16, i8x32, i8x64, i16x32, i32x8, i32x16, mask8x32, mask8x64, mask32x16, u8x32, u8x64, u32x8, u32x16,
    u64x4,
};
#[cfg(target_arch = "x86_64")]
use fearless_simd::{u8x16, x86::Avx512};

use super::bytes::{CHOSEN, EIGHT};
use super::model::{ByContext, Model, PLACES, Places, block, by_context};
use super::thresholds::{BEYOND, BIAS, Thresholds};
use super::{permutes, shuffles};
use crate::tiles::LANES;
use crate::tiles::frequencies::{Frequencies, USUAL};
use crate::tiles::model::{ESCAPE, SYMBOLS};
use crate::tiles::scalar::Symbols;
use crate::tiles::tile::{Band, Column, LEAST_STATE, MOST_DEPTH, Parts, Strip};
use crate::tiles::tiling::STRIP;

/// A tile that is encoded.
#[derive(Clone, Copy)]
pub(super) struct Uncoded<'a, S: Simd> {
    simd: S,
    band: &'a Band,
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
    fn exists(&self) -> u8x32<S> {
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
    fn find_slots_of_marks(&self, marks: &[Column], table: &Thresholds, exists: u8x32<S>, slots: &mut [Symbols]) {
        let simd = self.simd;
        for (place, column) in slots.iter_mut().enumerate() {
            let places = self.places_of_marks(marks, place);
            let mut ends = Ends::new(simd);
            for (mark, last_parts) in (0..).zip(&table.marks) {
                ends.pass(places.look_up(simd, last_parts), i8x32::simd_from(simd, marks[place]), mark);
            }
            let last = ends.is_left.select(u8x32::splat(simd, BEYOND), ends.last);
            put((ends.before - last) & exists, ((ends.before ^ BIAS) + 1) & exists, column);
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

/// `256 - parts` and `start` of the symbols of 32 lanes, and a bit for each that escapes.
type Slot32<S> = (u8x32<S>, u8x32<S>, u32);

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
            let (of_a, of_b) = if permutes(simd) {
                self.search_two((a, &a_places), (b, &b_places))
            } else {
                (self.slots_of(a, &a_places), self.slots_of(b, &b_places))
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
    fn put(&mut self, place: usize, (less_parts, start, escaped): Slot32<S>, column: &mut Symbols) {
        put(less_parts & self.exists, start & self.exists, column);
        self.escaped[place] = escaped & self.lanes;
    }

    /// `256 - parts` and `start` of each symbol, and a bit for each lane that has an escape.
    #[inline(always)]
    fn slots_of(&self, symbols: u8x32<S>, places: &Places<S>) -> Slot32<S> {
        if shuffles(self.tile.simd) { self.search(symbols, places) } else { self.look_up(symbols, places) }
    }

    /// The slots of two columns, side by side as 64 lanes.
    #[inline(always)]
    fn search_two(
        &self,
        (a, a_places): (u8x32<S>, &Places<S>),
        (b, b_places): (u8x32<S>, &Places<S>),
    ) -> (Slot32<S>, Slot32<S>) {
        let simd = self.tile.simd;
        let places = a_places.with(b_places);
        let number = |symbols: u8x32<S>| self.numbers.swizzle_dyn_within_blocks(symbols);
        let number = number(a).combine(number(b)).bitcast::<i8x64<S>>();
        let lanes = u64::from(self.lanes) | u64::from(self.lanes) << LANES;
        let mut ends = EndsOfTwo::new(simd);
        for (k, last_parts) in (0..).zip(&self.table.usual) {
            ends.pass(simd, last_parts, places, number, k);
        }
        for (k, last_parts) in (USUAL as i8..).zip(&self.table.rare) {
            if ends.is_left.to_bitmask() & lanes == 0 {
                break;
            }
            ends.pass(simd, last_parts, places, number, k);
        }
        let EndsOfTwo { mut before, mut last, mut is_left } = ends;
        last = is_left.select(u8x64::splat(simd, BEYOND), last);
        // A symbol without a part in its context escapes, too. It is rare.
        let has_none = before.simd_eq(last);
        if has_none.to_bitmask() & lanes != 0 {
            let of_all = u8x64::simd_from(simd, self.table.last().0).swizzle_dyn(places);
            (before, last) = (has_none.select(of_all, before), has_none.select(u8x64::splat(simd, BEYOND), last));
            is_left |= has_none;
        }
        let (less_parts, start) = ((before - last).split(), ((before ^ BIAS) + 1).split());
        let escaped = is_left.to_bitmask();
        ((less_parts.0, start.0, escaped as u32), (less_parts.1, start.1, (escaped >> LANES) as u32))
    }

    /// `256 - parts` and `start` of each symbol, and the lanes that have escapes, one by one.
    #[inline(always)]
    fn look_up(&self, symbols: u8x32<S>, places: &Places<S>) -> Slot32<S> {
        let simd = self.tile.simd;
        let by_symbol = self.table.by_symbol(self.frequencies);
        let (symbols, places) = (symbols.to_array(), places.to_array());
        let (mut less_parts, mut start, mut escaped) = ([0; LANES], [0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let symbol = usize::from(symbols[lane]) % SYMBOLS;
            [less_parts[lane], start[lane], escaped[lane], _] = by_symbol[usize::from(places[lane]) % PLACES][symbol];
        }
        let [less_parts, start, escaped] = [less_parts, start, escaped].map(|bytes| u8x32::simd_from(simd, bytes));
        (less_parts, start, escaped.simd_eq(u8x32::splat(simd, 1)).to_bitmask() as u32)
    }

    /// The same by passing the symbols in use.
    #[inline(always)]
    fn search(&self, symbols: u8x32<S>, places: &Places<S>) -> Slot32<S> {
        let simd = self.tile.simd;
        let number = self.numbers.swizzle_dyn_within_blocks(symbols).bitcast::<i8x32<S>>();
        let mut ends = Ends::new(simd);
        for (k, last_parts) in (0..).zip(&self.table.usual) {
            ends.pass(places.look_up(simd, last_parts), number, k);
        }
        for (k, last_parts) in (USUAL as i8..).zip(&self.table.rare) {
            if ends.is_left.to_bitmask() as u32 & self.lanes == 0 {
                break;
            }
            ends.pass(places.look_up(simd, last_parts), number, k);
        }
        let Ends { mut before, mut last, mut is_left } = ends;
        last = is_left.select(u8x32::splat(simd, BEYOND), last);
        let has_none = before.simd_eq(last);
        if has_none.to_bitmask() as u32 & self.lanes != 0 {
            before = has_none.select(places.look_up(simd, self.table.last()), before);
            last = has_none.select(u8x32::splat(simd, BEYOND), last);
            is_left |= has_none;
        }
        (before - last, (before ^ BIAS) + 1, is_left.to_bitmask() as u32)
    }

    /// The escaped scores in the order in which they are decoded.
    #[inline(always)]
    fn escapes(&self) -> Vec<u8> {
        let Uncoded { band, strip, scores, .. } = self.tile;
        let mut by_depth = [0; MOST_DEPTH + 1];
        (0..band.n_rows()).for_each(|lane| by_depth[usize::from(band.depth[lane])] |= 1 << lane);
        let mut by_step = [0u32; STRIP + MOST_DEPTH + 1];
        for (depth, of_depth) in by_depth[..=band.most_depth].iter().enumerate() {
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
struct Ends<S: Simd> {
    before: u8x32<S>,
    last: u8x32<S>,
    /// Lanes whose symbol comes later.
    is_left: mask8x32<S>,
}

impl<S: Simd> Ends<S> {
    /// Before the first symbol.
    #[inline(always)]
    fn new(simd: S) -> Self {
        let (before, last) = (u8x32::splat(simd, BEYOND), u8x32::splat(simd, 0));
        Self { before, last, is_left: mask8x32::splat(simd, true) }
    }

    /// Passes symbol `k`.
    #[inline(always)]
    fn pass(&mut self, last_part: u8x32<S>, number: i8x32<S>, k: i8) {
        self.last = self.is_left.select(last_part, self.last);
        self.is_left = number.simd_gt(k);
        self.before = self.is_left.select(last_part, self.before);
    }
}

/// The same of two columns.
struct EndsOfTwo<S: Simd> {
    before: u8x64<S>,
    last: u8x64<S>,
    is_left: mask8x64<S>,
}

impl<S: Simd> EndsOfTwo<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        let (before, last) = (u8x64::splat(simd, BEYOND), u8x64::splat(simd, 0));
        Self { before, last, is_left: mask8x64::splat(simd, true) }
    }

    #[inline(always)]
    fn pass(&mut self, simd: S, last_parts: &ByContext, places: u8x64<S>, number: i8x64<S>, k: i8) {
        let last_part = u8x64::simd_from(simd, last_parts.0).swizzle_dyn(places);
        self.last = self.is_left.select(last_part, self.last);
        self.is_left = number.simd_gt(i8x64::splat(simd, k));
        self.before = self.is_left.select(last_part, self.before);
    }
}

/// What codes the scores of all columns, into `slots`. Returns the escaped scores in the order in which they are decoded.
#[inline(always)]
fn find_slots<S: Simd>(
    tile: Uncoded<'_, S>,
    (table, frequencies): (&Thresholds, &Frequencies),
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
    finder.escapes()
}

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
    /// For each depth a byte of ones for each of its lanes.
    by_depth: [[i8; LANES]; MOST_DEPTH + 1],
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
    let escapes = find_slots(tile, tables, slots);
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
