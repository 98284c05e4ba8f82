//! Decoding: a tile is a vector of 32 lanes, and two tiles go side by side, because each step of one waits for its last.
//!
//! ```text
//!  U, UL     = the last scores and the last L, moved to the lanes that refer to them
//!  L         = for each depth d: the step in which the reference column of column (step - d) was decoded,
//!              under the mask of the lanes at depth d
//!  symbol    = how many last parts are below the part of the state               ([`search`](super::search))
//!  state     = parts * (state / 256) + part - start; low ones take bytes of the code   ([`coded`](super::coded))
//!  score     = prediction + difference of the symbol, or an escape
//! ```
//! Steps are stored as they are decoded; at the end column `c` is put together from the steps `c + d` ([`straighten`]). Marks follow in a second pass
//! over the steps, whose contexts know the scores.
//!
//! Most steps are *steady*: every lane is at a column of the strip, none at its root column. The others, about two for
//! each depth, are at the *edge* of the tile.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, i8x32, i8x64, mask8x32, mask8x64, u8x32};

use super::coded::{Coded, next_bytes};
use super::machine::permutes;
use super::model::{Model, Places};
use super::search::Found;
use super::thresholds::Thresholds;
use crate::tiles::tile::{Column, LANES, LEAST_STATE, LaneBytes, MOST_DEPTH, Parts, TileToDecode};
use crate::tiles::tiling::STRIP;

/// Room for the steps of a tile: a power of two, so that an index is kept within it by one instruction.
const STEPS: usize = 1024;
const _: () = assert!(STRIP + 2 * MOST_DEPTH + 2 <= STEPS && MOST_DEPTH < 16);

/// Memory of a decoder of one tile.
#[derive(Default)]
pub(super) struct Memory {
    /// Scores and marks by step.
    scores: Vec<Column>,
    marks: Vec<Column>,
    /// The code and the escapes, with room behind each.
    code: Vec<u8>,
    escapes: Vec<u8>,
    /// References of the columns, the last one's first.
    backwards: Vec<u16>,
}

/// Memory of a decoder of two.
#[derive(Default)]
pub(in crate::tiles) struct Work([Memory; 2]);

impl Work {
    /// The score of the first tile in a step, with its mark or without.
    pub(super) fn value(&self, step: usize, lane: usize, marks: bool) -> i8 {
        let Memory { scores, marks: of_scores, .. } = &self.0[0];
        if marks { scores[step][lane] << 2 | of_scores[step][lane] } else { scores[step][lane] }
    }
}

/// Decodes all of one or two tiles, each into its columns; false if one is damaged: then columns hold anything.
#[inline(always)]
pub(super) fn decode_tiles<S: Simd>(
    simd: S,
    (first, second): (TileToDecode<'_>, Option<TileToDecode<'_>>),
    (table, marks): (&Thresholds, bool),
    work: &mut Work,
    [columns, second_columns]: &mut [Vec<Column>; 2],
) -> bool {
    let [memory, second_memory] = &mut work.0;
    let mut one = Lanes::new(simd, first, memory, usize::MAX);
    let Some(second) = second else {
        let is_decoded =
            one.decode::<false>(table).is_some() && (!marks || one.decode_marks(table, usize::MAX).is_some());
        return is_decoded && {
            one.columns(marks, columns);
            one.is_whole()
        };
    };
    let mut other = Lanes::new(simd, second, second_memory, usize::MAX);
    let mut is_whole = decode_two::<false, _>(&mut one, &mut other, table).is_some();
    if is_whole && marks {
        one.begin_marks(usize::MAX);
        other.begin_marks(usize::MAX);
        is_whole = decode_two::<true, _>(&mut one, &mut other, table).is_some();
    }
    is_whole = is_whole && one.is_whole() && other.is_whole();
    if is_whole {
        one.columns(marks, columns);
        other.columns(marks, second_columns);
    }
    is_whole
}

/// Decodes the first steps of a tile, which has marks or not; `None` if it is damaged.
#[inline(always)]
pub(super) fn decode_steps<S: Simd>(
    simd: S,
    tile: TileToDecode<'_>,
    (table, marks): (&Thresholds, bool),
    work: &mut Work,
    n_steps: usize,
) -> Option<()> {
    // The marks come after all scores.
    let mut lanes = Lanes::new(simd, tile, &mut work.0[0], if marks { usize::MAX } else { n_steps });
    lanes.decode::<false>(table)?;
    if marks {
        lanes.decode_marks(table, n_steps)?;
    }
    let State { read, escapes, .. } = lanes.state;
    (read <= tile.parts.code.len() && escapes <= tile.parts.escapes.len()).then_some(())
}

/// All steps of two tiles, of scores or of marks; `None` if one is damaged.
#[inline(always)]
fn decode_two<const MARKS: bool, S: Simd>(
    one: &mut Lanes<'_, S>,
    other: &mut Lanes<'_, S>,
    table: &Thresholds,
) -> Option<()> {
    let simd = one.simd;
    edges_of_two::<MARKS, _>(one, other, table, 0..one.steady.start, 0..other.steady.start)?;
    let (mut first, mut second) = (one.state, other.state);
    let (mut at, mut other_at) = (one.steady.start, other.steady.start);
    let together = one.steady.len().min(other.steady.len());
    for _ in 0..together {
        let (a, b) = (one.expect::<MARKS>(&first, at), other.expect::<MARKS>(&second, other_at));
        let (of_a, of_b) = ((&a.places, &first.coded, one.lanes), (&b.places, &second.coded, other.lanes));
        let (a_found, b_found) = Found::of_two::<MARKS>(simd, table, of_a, of_b);
        first = one.advance::<MARKS>(table, first, &a, a_found, at)?;
        second = other.advance::<MARKS>(table, second, &b, b_found, other_at)?;
        (at, other_at) = (at + 1, other_at + 1);
    }
    (one.state, other.state) = (first, second);
    one.alone::<MARKS>(table, at)?;
    other.alone::<MARKS>(table, other_at)?;
    edges_of_two::<MARKS, _>(one, other, table, one.steady.end..one.n_steps, other.steady.end..other.n_steps)
}

/// Steps at the edges of two tiles, of scores or of marks; `None` if one is damaged.
#[inline(always)]
fn edges_of_two<const MARKS: bool, S: Simd>(
    one: &mut Lanes<'_, S>,
    other: &mut Lanes<'_, S>,
    table: &Thresholds,
    mut steps: Range<usize>,
    mut other_steps: Range<usize>,
) -> Option<()> {
    let simd = one.simd;
    if permutes(simd) {
        simd.vectorize(
            #[inline(always)]
            || {
                let together = steps.len().min(other_steps.len());
                for (a, b) in steps.by_ref().zip(other_steps.by_ref()).take(together) {
                    let ((of_a, in_a), (of_b, in_b)) =
                        (one.expect_at_edge::<MARKS>(a), other.expect_at_edge::<MARKS>(b));
                    let first = (&of_a.places, &one.state.coded, lanes_of(in_a));
                    let second = (&of_b.places, &other.state.coded, lanes_of(in_b));
                    let (a_found, b_found) = Found::of_two::<MARKS>(simd, table, first, second);
                    one.state = one.advance_at_edge::<MARKS>(table, (&of_a, in_a), a_found, a)?;
                    other.state = other.advance_at_edge::<MARKS>(table, (&of_b, in_b), b_found, b)?;
                }
                Some(())
            },
        )?;
    }
    one.edge::<MARKS>(table, steps)?;
    other.edge::<MARKS>(table, other_steps)
}

/// A bit for each lane that has ones.
#[inline(always)]
fn lanes_of<S: Simd>(active: i8x32<S>) -> u32 {
    mask8x32::from_vector(active).to_bitmask() as u32
}

/// The steps of a tile, at most `wanted` of them, and the steady ones among them.
fn steps_of(n_cols: usize, depth: usize, wanted: usize) -> (usize, Range<usize>) {
    let n_steps = wanted.min(n_cols + depth);
    let first = (depth + 1).min(n_steps);
    (n_steps, first..n_cols.min(n_steps).max(first))
}

/// The state of a decoder between two steps.
#[derive(Clone, Copy)]
struct State<S: Simd> {
    coded: Coded<S>,
    last: i8x32<S>,
    last_left: i8x32<S>,
    /// Bytes of the code and escapes that were read.
    read: usize,
    escapes: usize,
}

/// The part of a step that is known before it looks at the states.
#[derive(Clone, Copy)]
struct Expected<S: Simd> {
    left: i8x32<S>,
    prediction: i8x32<S>,
    places: Places<S>,
}

/// A tile while it is decoded.
struct Lanes<'a, S: Simd> {
    simd: S,
    tile: TileToDecode<'a>,
    model: Model<S>,
    depth: usize,
    by_depth: LaneBytes,
    /// A bit for each lane.
    lanes: u32,
    /// Steps in which all lanes are at a column, none at its root column.
    steady: Range<usize>,
    n_steps: usize,
    state: State<S>,
    references: &'a [u16],
    backwards: &'a [u16],
    parities: &'a [i8],
    code: &'a [u8],
    escapes: &'a [u8],
    scores: &'a mut [Column; STEPS],
    marks: &'a mut [Column; STEPS],
}

impl<'a, S: Simd> Lanes<'a, S> {
    /// The tile at its beginning; at most `n_steps` of its steps are wanted.
    #[inline(always)]
    fn new(simd: S, tile: TileToDecode<'a>, memory: &'a mut Memory, n_steps: usize) -> Self {
        let TileToDecode { band, strip, parts } = tile;
        // A step reads as many bytes as there are lanes, wherever it is.
        for (room, bytes) in [(&mut memory.code, parts.code), (&mut memory.escapes, parts.escapes)] {
            room.clear();
            room.extend_from_slice(bytes);
            room.resize(bytes.len() + LANES, 0);
        }
        memory.backwards.clear();
        memory.backwards.extend(strip.reference.iter().rev());
        memory.scores.resize(STEPS, [0; LANES]);
        memory.marks.resize(STEPS, [0; LANES]);
        let depth = band.most_depth;
        let (n_steps, steady) = steps_of(strip.n_cols(), depth, n_steps);
        let zero = i8x32::splat(simd, 0);
        let coded = Coded::new(simd, &parts.states);
        let state = State { coded, last: zero, last_left: zero, read: 0, escapes: 0 };
        Self {
            simd,
            tile,
            model: Model::new(simd, band),
            depth,
            by_depth: band.lane_bytes_by_depth(),
            lanes: u32::MAX >> (LANES - band.n_rows()),
            steady,
            n_steps,
            state,
            references: &strip.reference,
            backwards: &memory.backwards,
            parities: &strip.parity,
            code: &memory.code,
            escapes: &memory.escapes,
            scores: memory.scores.as_mut_slice().try_into().expect("it has this length"),
            marks: memory.marks.as_mut_slice().try_into().expect("it has this length"),
        }
    }

    /// Begins with the marks, whose first `n_steps` steps are wanted: all scores are decoded.
    #[inline(always)]
    fn begin_marks(&mut self, n_steps: usize) {
        let zero = i8x32::splat(self.simd, 0);
        (self.n_steps, self.steady) = steps_of(self.references.len(), self.depth, n_steps);
        (self.state.last, self.state.last_left) = (zero, zero);
    }

    /// Some steps of the marks; `None` if the tile is damaged.
    #[inline(always)]
    fn decode_marks(&mut self, table: &Thresholds, n_steps: usize) -> Option<()> {
        self.begin_marks(n_steps);
        self.decode::<true>(table)
    }

    /// All steps; `None` if the tile is damaged.
    #[inline(always)]
    fn decode<const MARKS: bool>(&mut self, table: &Thresholds) -> Option<()> {
        self.edge::<MARKS>(table, 0..self.steady.start)?;
        self.alone::<MARKS>(table, self.steady.start)?;
        self.edge::<MARKS>(table, self.steady.end..self.n_steps)
    }

    /// What this pass decodes, by step.
    #[inline(always)]
    fn steps<const MARKS: bool>(&mut self) -> &mut [Column; STEPS] {
        if MARKS { self.marks } else { self.scores }
    }

    /// What a step can know before it looks at the states; `in_root_col` has ones for lanes in the root column.
    #[inline(always)]
    fn expected<const MARKS: bool>(
        &self,
        step: usize,
        (u, left, ul): (i8x32<S>, i8x32<S>, i8x32<S>),
        in_root_col: Option<u8x32<S>>,
    ) -> Expected<S> {
        let simd = self.simd;
        if MARKS {
            let none = i8x32::splat(simd, 0);
            let scores = i8x32::simd_from(simd, self.scores[step % STEPS]);
            let in_root_col = in_root_col.unwrap_or(none.bitcast());
            let places = self.model.places_of_marks(simd, scores, (u, left, ul), in_root_col);
            return Expected { left, prediction: none, places };
        }
        let (prediction, contexts) = self.model.predict(simd, u, left, ul);
        let places = match in_root_col {
            None => self.model.places(simd, contexts),
            Some(lanes) => self.model.places_at_edge(simd, self.model.in_root_col(simd, contexts, lanes), lanes),
        };
        Expected { left, prediction, places }
    }

    /// The steady steps from `first` on.
    #[inline(always)]
    fn alone<const MARKS: bool>(&mut self, table: &Thresholds, first: usize) -> Option<()> {
        let mut state = self.state;
        for step in first..self.steady.end {
            let expected = self.expect::<MARKS>(&state, step);
            let found = Found::of::<MARKS>(self.simd, table, &expected.places, &state.coded, self.lanes);
            state = self.advance::<MARKS>(table, state, &expected, found, step)?;
        }
        self.state = state;
        Some(())
    }

    /// The part of a steady step that is known before it looks at the states.
    #[inline(always)]
    fn expect<const MARKS: bool>(&self, state: &State<S>, step: usize) -> Expected<S> {
        let simd = self.simd;
        let mut left = i8x32::splat(simd, 0);
        // The references of the columns that the lanes of each depth are at.
        let references = &self.backwards[self.references.len() - 1 - step..][..=self.depth];
        for (d, (&reference, lanes)) in references.iter().zip(&self.by_depth).enumerate() {
            let steps = if MARKS { &self.marks } else { &self.scores };
            left |=
                i8x32::simd_from(simd, steps[(usize::from(reference) + d) % STEPS]) & i8x32::simd_from(simd, *lanes);
        }
        let u = self.model.above(simd, state.last, self.parities[step]);
        let ul = self.model.above(simd, state.last_left, self.parities[usize::from(self.references[step])]);
        self.expected::<MARKS>(step, (u, left, ul), None)
    }

    /// The state after a steady step; `None` if the code or the escapes end too early.
    #[inline(always)]
    fn advance<const MARKS: bool>(
        &mut self,
        table: &Thresholds,
        state: State<S>,
        expected: &Expected<S>,
        found: Found<S>,
        step: usize,
    ) -> Option<State<S>> {
        let coded = state.coded.after(self.simd, found.parts_and_offsets());
        let coded = coded.renewed(self.simd, self.lanes, self.code, state.read)?;
        self.put::<MARKS>(table, state, coded, expected, &found, step)
    }

    /// Stores the scores or the marks of a step.
    #[inline(always)]
    fn put<const MARKS: bool>(
        &mut self,
        table: &Thresholds,
        state: State<S>,
        (coded, read): (Coded<S>, usize),
        expected: &Expected<S>,
        found: &Found<S>,
        step: usize,
    ) -> Option<State<S>> {
        let simd = self.simd;
        let mut last = expected.prediction + found.differences::<MARKS>(simd, table);
        let mut escapes = state.escapes;
        if found.escaped != 0 {
            let escaped = mask8x32::from_bitmask(simd, found.escaped.into());
            let scores = next_bytes(simd, found.escaped, self.escapes.get(escapes..)?.first_chunk()?);
            last = escaped.select(scores.bitcast(), last);
            escapes += found.escaped.count_ones() as usize;
        }
        last.store_array(&mut self.steps::<MARKS>()[step % STEPS]);
        Some(State { coded, last, last_left: expected.left, read, escapes })
    }

    /// Steps at the edge; `None` if the tile is damaged.
    #[inline(always)]
    fn edge<const MARKS: bool>(&mut self, table: &Thresholds, steps: Range<usize>) -> Option<()> {
        let simd = self.simd;
        simd.vectorize(
            #[inline(always)]
            || {
                for step in steps {
                    self.state = self.step_at_edge::<MARKS>(table, step)?;
                }
                Some(())
            },
        )
    }

    #[inline(always)]
    fn step_at_edge<const MARKS: bool>(&mut self, table: &Thresholds, step: usize) -> Option<State<S>> {
        let (expected, active) = self.expect_at_edge::<MARKS>(step);
        let found = Found::of::<MARKS>(self.simd, table, &expected.places, &self.state.coded, lanes_of(active));
        self.advance_at_edge::<MARKS>(table, (&expected, active), found, step)
    }

    /// The part of a step at the edge that is known before it looks at the states, and ones for the lanes that are at a column.
    #[inline(always)]
    fn expect_at_edge<const MARKS: bool>(&self, step: usize) -> (Expected<S>, i8x32<S>) {
        let (simd, state, n_cols) = (self.simd, &self.state, self.references.len());
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
                    let steps = if MARKS { &self.marks } else { &self.scores };
                    i8x32::simd_from(simd, steps[(usize::from(self.references[col]) + d) % STEPS])
                };
        }
        let parity = self.parities.get(step).copied().unwrap_or(0);
        let parity_left = match self.references.get(step) {
            Some(&reference) if step > 0 => self.parities[usize::from(reference)],
            _ => 0,
        };
        let (u, ul) =
            (self.model.above(simd, state.last, parity), self.model.above(simd, state.last_left, parity_left));
        (self.expected::<MARKS>(step, (u, left, ul), Some(in_root_col.bitcast())), active)
    }

    /// The state after a step at the edge; `None` if the code or the escapes end too early.
    #[inline(always)]
    fn advance_at_edge<const MARKS: bool>(
        &mut self,
        table: &Thresholds,
        (expected, active): (&Expected<S>, i8x32<S>),
        found: Found<S>,
        step: usize,
    ) -> Option<State<S>> {
        let (simd, state) = (self.simd, self.state);
        // Idle lanes keep their states.
        let coded = state.coded.after(simd, found.parts_and_offsets()).where_active(simd, active, &state.coded);
        let renewed = coded.renewed(simd, lanes_of(active), self.code, state.read)?;
        self.put::<MARKS>(table, state, renewed, expected, &found, step)
    }

    /// Whether code and escapes ended where they should.
    #[inline(always)]
    fn is_whole(&self) -> bool {
        let State { coded, read, escapes, .. } = &self.state;
        let Parts { code, escapes: all_escapes, .. } = &self.tile.parts;
        let is_least = |lane| coded.state(lane) == LEAST_STATE;
        (*read, *escapes) == (code.len(), all_escapes.len()) && (0..self.tile.band.n_rows()).all(is_least)
    }

    /// Puts the columns of the tile together from the steps, from left to right.
    #[inline(always)]
    fn columns(&mut self, marks: bool, columns: &mut [Column]) {
        let (simd, strip, depths) = (self.simd, self.tile.strip, &self.tile.band.depth);
        straighten(simd, depths, strip.n_cols(), self.scores);
        if marks {
            straighten(simd, depths, strip.n_cols(), self.marks);
        }
        let exists = i8x32::from_fn(simd, |lane| -((self.lanes >> lane & 1) as i8));
        for (place, &col) in strip.cols.iter().enumerate() {
            let mut column = i8x32::simd_from(simd, self.scores[place]);
            if marks {
                column = (column << 2) | i8x32::simd_from(simd, self.marks[place]);
            }
            (column & exists).store_array(&mut columns[usize::from(col)]);
        }
    }
}

/// Brings all lanes of a column into its step: those at depth `d` are `d` steps late. For each binary digit of the depths those that have
/// it move by as many steps, two steps at a time.
#[inline(always)]
fn straighten<S: Simd>(simd: S, depths: &[u8; LANES], n_cols: usize, steps: &mut [Column; STEPS]) {
    let bytes = steps.as_flattened_mut();
    for digit in [1, 2, 4, 8] {
        if depths.iter().all(|depth| usize::from(*depth) < digit) {
            break;
        }
        let is_late = i8x32::from_fn(simd, |lane| -i8::from(usize::from(depths[lane]) & digit > 0));
        let is_late = mask8x64::from_vector(is_late.combine(is_late));
        for at in (0..(n_cols + MOST_DEPTH) * LANES).step_by(2 * LANES) {
            let late = i8x64::from_slice(simd, &bytes[at + digit * LANES..][..2 * LANES]);
            let steps = &mut bytes[at..][..2 * LANES];
            is_late.select(late, i8x64::from_slice(simd, steps)).store_slice(steps);
        }
    }
}
