//! Decoding: a tile is a vector of 32 lanes, and two tiles go side by side, because each step of one waits for its last.
//!
//! ```text
//!  U, UL     = the last scores and the last L, moved to the lanes that refer to them
//!  L         = for each depth d: the step in which the reference column of column (step - d) was decoded,
//!              under the mask of the lanes at depth d
//!  symbol    = how many last parts are below the part: a look-up and a comparison for each symbol, until no lane is left
//!  state     = low + 256 * high, low in 8 bits and high in 12
//!              a = parts * (high % 256) + part - start                     below 2^16
//!              low = a % 256,  high = parts * (high / 256) + a / 256       below 2^12
//!              lanes with high < 16 take the next bytes of the code
//! ```
//! `low` is a byte of each lane. `high` is in two vectors of sixteen bits, that of even and that of odd lanes. Steps are stored as
//! they are decoded; at the end column `c` is put together from the steps `c + d`.
//!
//! Most steps are *steady*: every lane is at a column of the strip, none at its root column. The others, about two for
//! each depth, are at the *edge* of the tile.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, i8x32, i16x16, mask8x32, mask16x16, u8x16, u8x32, u16x16, u64x2};

use super::bytes::{EIGHT, RANKS};
use super::model::{Model, Places, block};
use super::thresholds::{BIAS, Thresholds};
use crate::tiles::tile::{Column, LEAST_STATE, MOST_DEPTH, Parts};
use crate::tiles::tiling::STRIP;
use crate::tiles::{LANES, TileToDecode};

/// Room for the steps of a tile: a power of two, so that an index is kept within it by one instruction.
const STEPS: usize = 1024;
const _: () = assert!(STRIP + MOST_DEPTH <= STEPS);

/// Bytes behind a code that a step may read.
const BEHIND: usize = LANES;

/// Memory of a decoder of one tile.
#[derive(Default)]
pub(super) struct Memory {
    /// Scores by step.
    steps: Vec<Column>,
    /// The code, with room behind it.
    code: Vec<u8>,
}

/// Memory of a decoder of two.
#[derive(Default)]
pub(in crate::tiles) struct Work([Memory; 2]);

impl Work {
    /// The score of the first tile in a step.
    pub(super) fn score(&self, step: usize, lane: usize) -> i8 {
        self.0[0].steps[step][lane]
    }
}

/// Decodes all of one or two tiles, each into the columns of its side; false if one is damaged: then columns hold anything.
#[inline(always)]
pub(super) fn decode_tiles<S: Simd>(
    simd: S,
    tiles: [Option<TileToDecode<'_>>; 2],
    table: &Thresholds,
    work: &mut Work,
    columns: &mut [Vec<Column>; 2],
    sides: [usize; 2],
) -> bool {
    let Some(first) = tiles[0] else { return true };
    let [memory, second_memory] = &mut work.0;
    let mut one = Lanes::new(simd, first, memory, usize::MAX);
    let Some(second) = tiles[1] else {
        return one.decode(table).is_some() && {
            one.columns(&mut columns[sides[0]]);
            one.is_whole()
        };
    };
    let mut other = Lanes::new(simd, second, second_memory, usize::MAX);
    let is_whole = decode_two(&mut one, &mut other, table).is_some() && one.is_whole() && other.is_whole();
    if is_whole {
        one.columns(&mut columns[sides[0]]);
        other.columns(&mut columns[sides[1]]);
    }
    is_whole
}

/// Decodes the first steps of a tile; `None` if it is damaged.
#[inline(always)]
pub(super) fn decode_steps<S: Simd>(
    simd: S,
    tile: TileToDecode<'_>,
    table: &Thresholds,
    work: &mut Work,
    n_steps: usize,
) -> Option<()> {
    let mut lanes = Lanes::new(simd, tile, &mut work.0[0], n_steps);
    lanes.decode(table)?;
    (lanes.state.read <= tile.parts.code.len()).then_some(())
}

/// All steps of two tiles; `None` if one is damaged.
#[inline(always)]
fn decode_two<S: Simd>(one: &mut Lanes<'_, S>, other: &mut Lanes<'_, S>, table: &Thresholds) -> Option<()> {
    let simd = one.simd;
    one.edge(table, 0..one.steady.start)?;
    other.edge(table, 0..other.steady.start)?;
    let (mut first, mut second) = (one.state, other.state);
    let (mut at, mut other_at) = (one.steady.start, other.steady.start);
    let together = one.steady.len().min(other.steady.len());
    for _ in 0..together {
        let (a, b) = (one.expect(&first, at), other.expect(&second, other_at));
        let (mut a_found, mut b_found) = (Found::new(simd, &first), Found::new(simd, &second));
        for last_parts in &table.usual {
            a_found.pass(a.places.look_up(simd, last_parts), first.low);
            b_found.pass(b.places.look_up(simd, last_parts), second.low);
        }
        a_found.rare(simd, table, &a.places, first.low, one.lanes);
        b_found.rare(simd, table, &b.places, second.low, other.lanes);
        first = one.advance(table, first, &a, a_found, at)?;
        second = other.advance(table, second, &b, b_found, other_at)?;
        (at, other_at) = (at + 1, other_at + 1);
    }
    (one.state, other.state) = (first, second);
    one.alone(table, at)?;
    other.alone(table, other_at)
}

/// What changes from step to step.
#[derive(Clone, Copy)]
struct State<S: Simd> {
    /// [`BIAS`] flipped.
    low: u8x32<S>,
    high_even: u16x16<S>,
    high_odd: u16x16<S>,
    last: i8x32<S>,
    last_left: i8x32<S>,
    /// Bytes of the code and escapes that were read.
    read: usize,
    escapes: usize,
}

/// What a step knows before it looks at the states.
#[derive(Clone, Copy)]
struct Expected<S: Simd> {
    left: i8x32<S>,
    prediction: i8x32<S>,
    places: Places<S>,
}

/// What the parts of the lanes mean.
#[derive(Clone, Copy)]
struct Found<S: Simd> {
    /// Numbers of the symbols.
    symbols: u8x32<S>,
    /// The last part of the symbol minus the part, and the greatest of such differences, modulo 256.
    nearest: u8x32<S>,
    farthest: u8x32<S>,
    /// Lanes whose part is beyond those of the last symbol that was passed.
    is_beyond: mask8x32<S>,
    /// A bit for each lane with an escape.
    escaped: u32,
}

/// A tile while it is decoded.
struct Lanes<'a, S: Simd> {
    simd: S,
    tile: TileToDecode<'a>,
    model: Model<S>,
    depth: usize,
    /// For each depth a byte of ones for each of its lanes.
    by_depth: [[i8; LANES]; MOST_DEPTH + 1],
    /// A bit for each lane.
    lanes: u32,
    /// Steps in which all lanes are at a column, none at its root column.
    steady: std::ops::Range<usize>,
    n_steps: usize,
    state: State<S>,
    references: &'a [u16],
    parities: &'a [i8],
    code: &'a [u8],
    steps: &'a mut [Column; STEPS],
}

impl<'a, S: Simd> Lanes<'a, S> {
    /// The tile at its beginning; at most `n_steps` of its steps are wanted.
    #[inline(always)]
    fn new(simd: S, tile: TileToDecode<'a>, memory: &'a mut Memory, n_steps: usize) -> Self {
        let TileToDecode { band, strip, parts } = tile;
        memory.code.clear();
        memory.code.extend_from_slice(parts.code);
        memory.code.resize(parts.code.len() + BEHIND, 0);
        memory.steps.resize(STEPS, [0; LANES]);
        let mut by_depth = [[0; LANES]; MOST_DEPTH + 1];
        for (lane, &depth) in band.depth[..band.n_rows()].iter().enumerate() {
            by_depth[usize::from(depth)][lane] = -1;
        }
        let (n_cols, depth) = (strip.n_cols(), band.most_depth);
        let n_steps = n_steps.min(n_cols + depth);
        let high = |odd: usize| u16x16::from_fn(simd, |i| (parts.states[2 * i + odd] >> 8) as u16);
        let zero = i8x32::splat(simd, 0);
        let state = State {
            low: u8x32::from_fn(simd, |lane| parts.states[lane] as u8 ^ BIAS),
            high_even: high(0),
            high_odd: high(1),
            last: zero,
            last_left: zero,
            read: 0,
            escapes: 0,
        };
        let steady = (depth + 1).min(n_steps)..n_cols.min(n_steps).max((depth + 1).min(n_steps));
        Self {
            simd,
            tile,
            model: Model::new(simd, band),
            depth,
            by_depth,
            lanes: u32::MAX >> (LANES - band.n_rows()),
            steady,
            n_steps,
            state,
            references: &strip.reference,
            parities: &strip.parity,
            code: &memory.code,
            steps: memory.steps.as_mut_slice().try_into().expect("it has this length"),
        }
    }

    /// All steps; `None` if the tile is damaged.
    #[inline(always)]
    fn decode(&mut self, table: &Thresholds) -> Option<()> {
        self.edge(table, 0..self.steady.start)?;
        self.alone(table, self.steady.start)
    }

    /// The steady steps from `first` on, and those after them.
    #[inline(always)]
    fn alone(&mut self, table: &Thresholds, first: usize) -> Option<()> {
        let mut state = self.state;
        for step in first..self.steady.end {
            let expected = self.expect(&state, step);
            let found = expected.search(self.simd, table, &state, self.lanes);
            state = self.advance(table, state, &expected, found, step)?;
        }
        self.state = state;
        self.edge(table, self.steady.end..self.n_steps)
    }

    /// What a steady step expects.
    #[inline(always)]
    fn expect(&self, state: &State<S>, step: usize) -> Expected<S> {
        let simd = self.simd;
        let mut left = i8x32::splat(simd, 0);
        let references = &self.references[step - self.depth..=step];
        let by_depth = &self.by_depth[..references.len()];
        for d in 0..references.len() {
            let scores = &self.steps[(usize::from(references[references.len() - 1 - d]) + d) % STEPS];
            left |= i8x32::simd_from(simd, *scores) & i8x32::simd_from(simd, by_depth[d]);
        }
        let u = self.model.above(simd, state.last, self.parities[step]);
        let ul = self.model.above(simd, state.last_left, self.parities[usize::from(self.references[step])]);
        let (prediction, contexts) = self.model.predict(simd, u, left, ul);
        Expected { left, prediction, places: self.model.places(simd, contexts) }
    }

    /// The state after a steady step; `None` if the code or the escapes end too early.
    #[inline(always)]
    fn advance(
        &mut self,
        table: &Thresholds,
        state: State<S>,
        expected: &Expected<S>,
        found: Found<S>,
        step: usize,
    ) -> Option<State<S>> {
        let simd = self.simd;
        let (low, high_even, high_odd) = next(simd, &state, &found);
        let renewed = renew(simd, low, high_even, high_odd, self.lanes, self.code, state.read)?;
        self.put(table, state, renewed, expected, found, step)
    }

    /// Stores the scores of a step.
    #[inline(always)]
    fn put(
        &mut self,
        table: &Thresholds,
        state: State<S>,
        (low, high_even, high_odd, read): (u8x32<S>, u16x16<S>, u16x16<S>, usize),
        expected: &Expected<S>,
        found: Found<S>,
        step: usize,
    ) -> Option<State<S>> {
        let simd = self.simd;
        let differences = block(simd, &table.differences);
        let mut last =
            expected.prediction + differences.swizzle_dyn_within_blocks(found.symbols).bitcast::<i8x32<S>>();
        let scores = &mut self.steps[step % STEPS];
        last.store_array(scores);
        let mut escapes = state.escapes;
        if found.escaped != 0 {
            let mut escaped = found.escaped;
            while escaped != 0 {
                scores[escaped.trailing_zeros() as usize] = *self.tile.parts.escapes.get(escapes)? as i8;
                escapes += 1;
                escaped &= escaped - 1;
            }
            last = i8x32::simd_from(simd, *scores);
        }
        Some(State { low: low ^ BIAS, high_even, high_odd, last, last_left: expected.left, read, escapes })
    }

    /// Steps at the edge; `None` if the tile is damaged.
    #[inline(always)]
    fn edge(&mut self, table: &Thresholds, steps: std::ops::Range<usize>) -> Option<()> {
        let simd = self.simd;
        simd.vectorize(
            #[inline(always)]
            || {
                for step in steps {
                    self.state = self.step_at_edge(table, step)?;
                }
                Some(())
            },
        )
    }

    #[inline(always)]
    fn step_at_edge(&mut self, table: &Thresholds, step: usize) -> Option<State<S>> {
        let (simd, state, n_cols) = (self.simd, self.state, self.references.len());
        let row_parity = i8x32::simd_from(simd, self.tile.band.parity);
        let zero = i8x32::splat(simd, 0);
        let (mut left, mut active, mut in_root_col) = (zero, zero, zero);
        for (d, lanes) in self.by_depth[..=self.depth].iter().enumerate() {
            let Some(col) = step.checked_sub(d).filter(|&col| col < n_cols) else { continue };
            let lanes = i8x32::simd_from(simd, *lanes);
            active |= lanes;
            left |= lanes
                & if col == 0 {
                    in_root_col |= lanes;
                    row_parity
                } else {
                    i8x32::simd_from(simd, self.steps[(usize::from(self.references[col]) + d) % STEPS])
                };
        }
        let parity = self.parities.get(step).copied().unwrap_or(0);
        let parity_left = match self.references.get(step) {
            Some(&reference) if step > 0 => self.parities[usize::from(reference)],
            _ => 0,
        };
        let (u, ul) =
            (self.model.above(simd, state.last, parity), self.model.above(simd, state.last_left, parity_left));
        let (prediction, contexts) = self.model.predict(simd, u, left, ul);
        let in_root_col = in_root_col.bitcast::<u8x32<S>>();
        let contexts = self.model.in_root_col(simd, contexts, in_root_col);
        let expected =
            Expected { left, prediction, places: self.model.places_at_edge(simd, contexts, in_root_col) };
        let is_active = mask8x32::from_vector(active);
        let lanes = is_active.to_bitmask() as u32;
        let found = expected.search(simd, table, &state, lanes);
        let (low, high_even, high_odd) = next(simd, &state, &found);
        // Idle lanes keep their states.
        let wide = active.bitcast::<i16x16<S>>();
        let even = (wide << 8).simd_lt(i16x16::splat(simd, 0));
        let odd = wide.simd_lt(i16x16::splat(simd, 0));
        let low = is_active.select(low, state.low ^ BIAS);
        let (high_even, high_odd) =
            (even.select(high_even, state.high_even), odd.select(high_odd, state.high_odd));
        let renewed = renew(simd, low, high_even, high_odd, lanes, self.code, state.read)?;
        self.put(table, state, renewed, &expected, found, step)
    }

    /// Whether code and escapes ended where they should.
    #[inline(always)]
    fn is_whole(&self) -> bool {
        let State { low, high_even, high_odd, read, escapes, .. } = &self.state;
        let is_least = |lane: usize| {
            let high = if lane.is_multiple_of(2) { high_even } else { high_odd }[lane / 2];
            u32::from(high) << 8 | u32::from(low[lane] ^ BIAS) == LEAST_STATE
        };
        let Parts { code, escapes: all_escapes, .. } = &self.tile.parts;
        (*read, *escapes) == (code.len(), all_escapes.len()) && (0..self.tile.band.n_rows()).all(is_least)
    }

    /// Puts the columns of the tile together from the steps.
    #[inline(always)]
    fn columns(&self, columns: &mut [Column]) {
        let (simd, strip) = (self.simd, self.tile.strip);
        let columns = &mut columns[strip.first..];
        for (place, &col) in strip.cols.iter().enumerate() {
            let mut column = i8x32::splat(simd, 0);
            for (scores, lanes) in self.steps[place..].iter().zip(&self.by_depth[..=self.depth]) {
                column |= i8x32::simd_from(simd, *scores) & i8x32::simd_from(simd, *lanes);
            }
            column.store_array(&mut columns[usize::from(col)]);
        }
    }
}

impl<S: Simd> Expected<S> {
    /// Finds the symbols that hold the parts of the lanes. `lanes` has a bit for each lane that matters.
    #[inline(always)]
    fn search(&self, simd: S, table: &Thresholds, state: &State<S>, lanes: u32) -> Found<S> {
        let mut found = Found::new(simd, state);
        for last_parts in &table.usual {
            found.pass(self.places.look_up(simd, last_parts), state.low);
        }
        found.rare(simd, table, &self.places, state.low, lanes);
        found
    }
}

impl<S: Simd> Found<S> {
    #[inline(always)]
    fn new(simd: S, state: &State<S>) -> Self {
        // A last part minus the part: as it is if it is not below, and else more than from the part to the end.
        let to_end = state.low ^ (u8::MAX ^ BIAS);
        Self {
            symbols: u8x32::splat(simd, 0),
            nearest: to_end,
            farthest: to_end,
            is_beyond: mask8x32::splat(simd, true),
            escaped: 0,
        }
    }

    /// Passes a symbol: marks the lanes whose part is beyond its last part.
    #[inline(always)]
    fn pass(&mut self, last_part: u8x32<S>, part: u8x32<S>) {
        let distance = last_part - part;
        self.nearest = self.nearest.min(distance);
        self.farthest = self.farthest.max(distance);
        self.is_beyond = part.bitcast::<i8x32<S>>().simd_gt(last_part.bitcast::<i8x32<S>>());
        self.symbols -= self.is_beyond.to_vector().bitcast::<u8x32<S>>();
    }

    /// Passes further symbols until no lane is left.
    #[inline(always)]
    fn rare(&mut self, simd: S, table: &Thresholds, places: &Places<S>, part: u8x32<S>, lanes: u32) {
        self.escaped = self.is_beyond.to_bitmask() as u32 & lanes;
        for last_parts in &table.rare {
            if self.escaped == 0 {
                break;
            }
            self.pass(places.look_up(simd, last_parts), part);
            self.escaped = self.is_beyond.to_bitmask() as u32 & lanes;
        }
    }
}

/// Low and high parts of the states after the symbols that were found, before lanes take bytes.
#[inline(always)]
fn next<S: Simd>(simd: S, state: &State<S>, found: &Found<S>) -> (u8x32<S>, u16x16<S>, u16x16<S>) {
    // The offset is `!farthest`, and the parts are `nearest + offset + 1`.
    let parts = (found.nearest - found.farthest).bitcast::<u16x16<S>>();
    let offset = (!found.farthest).bitcast::<u16x16<S>>();
    let lowest = u16x16::splat(simd, 255);
    let (low_even, high_even) = multiplied(simd, state.high_even, parts & lowest, offset & lowest);
    let (low_odd, high_odd) = multiplied(simd, state.high_odd, parts >> 8, offset >> 8);
    (merged(simd, low_even, low_odd), high_even, high_odd)
}

/// `parts * high + offset`: its lowest byte, with others above, and the rest.
#[inline(always)]
fn multiplied<S: Simd>(
    simd: S,
    high: u16x16<S>,
    parts: u16x16<S>,
    offset: u16x16<S>,
) -> (u16x16<S>, u16x16<S>) {
    let a = parts * (high & u16x16::splat(simd, 255)) + offset;
    (a, parts * (high >> 8) + (a >> 8))
}

/// The lowest bytes of even and of odd lanes, as bytes of all lanes.
#[inline(always)]
fn merged<S: Simd>(simd: S, even: u16x16<S>, odd: u16x16<S>) -> u8x32<S> {
    is_odd(simd).select((odd << 8).bitcast::<u8x32<S>>(), even.bitcast::<u8x32<S>>())
}

#[inline(always)]
fn is_odd<S: Simd>(simd: S) -> mask8x32<S> {
    mask8x32::from_bitmask(simd, 0xaaaa_aaaa)
}

/// Lets lanes with too low a state take the next bytes of the code, of which `read` were read; `None` if there are fewer.
#[inline(always)]
fn renew<S: Simd>(
    simd: S,
    low: u8x32<S>,
    high_even: u16x16<S>,
    high_odd: u16x16<S>,
    lanes: u32,
    code: &[u8],
    read: usize,
) -> Option<(u8x32<S>, u16x16<S>, u16x16<S>, usize)> {
    let least = i16x16::splat(simd, (LEAST_STATE >> 8) as i16);
    let (is_low_even, is_low_odd): (mask16x16<S>, mask16x16<S>) =
        (high_even.bitcast::<i16x16<S>>().simd_lt(least), high_odd.bitcast::<i16x16<S>>().simd_lt(least));
    let is_low = merged_masks(simd, is_low_even, is_low_odd);
    let bits = is_low.to_bitmask() as u32 & lanes;

    // There are as many bytes behind the code, so that too few are noticed one step later at most.
    let bytes: &[u8; LANES] = code.get(read..)?.first_chunk()?;
    let [b0, b1, b2, b3] = bits.to_le_bytes();
    let ranks = |first: u8, second: u8| {
        let before = u64::from(first.count_ones()) * EIGHT;
        let both = [RANKS[usize::from(first)], RANKS[usize::from(second)] + before];
        u64x2::simd_from(simd, both).bitcast::<u8x16<S>>()
    };
    let ranks: u8x32<S> = ranks(b0, b1).combine(ranks(b2, b3));
    let in_first_half = (bits as u16).count_ones() as usize;
    let first: &[u8; 16] = bytes.first_chunk()?;
    let second: &[u8; 16] = bytes[in_first_half..].first_chunk()?;
    let next: u8x32<S> = u8x16::simd_from(simd, *first).combine(u8x16::simd_from(simd, *second));
    let taken = next.swizzle_dyn_within_blocks(ranks);

    let shifted_even = is_odd(simd).select((high_even << 8).bitcast::<u8x32<S>>(), low).bitcast::<u16x16<S>>();
    // Low bytes of odd lanes are at odd places.
    let shifted_odd = ((high_odd << 8).bitcast::<u16x16<S>>()) | (low.bitcast::<u16x16<S>>() >> 8);
    Some((
        is_low.select(taken, low),
        is_low_even.select(shifted_even, high_even),
        is_low_odd.select(shifted_odd, high_odd),
        read + bits.count_ones() as usize,
    ))
}

/// Masks of even and of odd lanes as a mask of all lanes.
#[inline(always)]
fn merged_masks<S: Simd>(simd: S, even: mask16x16<S>, odd: mask16x16<S>) -> mask8x32<S> {
    let (even, odd) = (even.to_vector().bitcast::<u8x32<S>>(), odd.to_vector().bitcast::<u8x32<S>>());
    mask8x32::from_vector(is_odd(simd).select(odd, even).bitcast())
}
