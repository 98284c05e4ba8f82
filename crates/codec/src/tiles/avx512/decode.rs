//! Decoding two tiles at a time: lane `i` of the first in byte `i`, of the second in byte `32 + i`.
//!
//! ```text
//!  U, UL     = the last scores and the last L, each byte permuted to the lanes that refer to it
//!  L         = for each depth d: the step in which the reference column of column (step - d) was decoded,
//!              under the mask of the lanes at depth d
//!  symbol    = how many last parts are below (state % 256): a permutation and a comparison for each symbol in use
//!  state     = a multiplication; lanes below 2^12 take the next bytes of the code, expanded by mask
//! ```
//! The states are in four vectors, that of byte `4k + q` in number `k` of vector `q`: shifts and masks take them to bytes
//! and back. Steps are stored as they are decoded; at the end column `c` is put together from the steps `c + d`.

use std::arch::x86_64::*;

use super::{Model, load};
use crate::tiles::frequencies::Frequencies;
use crate::tiles::model::{self, CONTEXTS, CORNER, ESCAPE, ROOT_COL, SYMBOLS};
use crate::tiles::tile::{Column, LEAST_STATE, MOST_DEPTH, Parts};
use crate::tiles::{LANES, TileToDecode};

/// Bytes behind a code that a step may read.
const BEHIND: usize = 64;

/// Vectors of states.
const QUARTERS: usize = 4;

/// The symbols in use, for a decoder.
pub(in crate::tiles) struct DecodeTable {
    /// Of each symbol in use but the last, the escape: its last part by context.
    last_parts: Vec<[u8; 64]>,
    /// Score minus prediction, by number among the symbols in use.
    differences: [u8; SYMBOLS],
}

impl DecodeTable {
    pub(in crate::tiles) fn new(frequencies: &Frequencies) -> Self {
        let mut table = Self { last_parts: Vec::new(), differences: [0; SYMBOLS] };
        let mut last_parts = [u8::MAX; 64];
        for symbol in 0..ESCAPE {
            let mut is_in_use = false;
            for (context, last_part) in (0..CONTEXTS as u8).zip(&mut last_parts) {
                let slot = frequencies.of(context, symbol);
                if !slot.is_escape {
                    *last_part = slot.start + (slot.parts - 1);
                    is_in_use = true;
                }
            }
            if is_in_use {
                table.differences[table.last_parts.len()] = model::difference(symbol) as u8;
                table.last_parts.push(last_parts);
            }
        }
        table
    }

    /// Number of the escape among the symbols in use.
    fn escape(&self) -> i8 {
        self.last_parts.len() as i8
    }
}

/// Memory of a decoder.
#[derive(Default)]
pub(in crate::tiles) struct Work {
    /// Scores by step, those of two tiles side by side.
    steps: Vec<[i8; 64]>,
    /// The code of each tile, with room behind it.
    codes: [Vec<u8>; 2],
}

impl Work {
    /// The score of the first tile in a step.
    pub(super) fn score(&self, step: usize, lane: usize) -> i8 {
        self.steps[step][lane]
    }
}

/// Decodes all of one or two tiles, each into the columns of its side; false if one is damaged: then columns hold
/// anything.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(super) fn decode_tiles(
    tiles: [Option<TileToDecode<'_>>; 2],
    table: &DecodeTable,
    work: &mut Work,
    columns: &mut [Vec<Column>; 2],
    sides: [usize; 2],
) -> bool {
    let Some(first) = tiles[0] else { return true };
    let pair = Pair::new(first, tiles[1]);
    let most_cols = pair.n_cols[0].max(pair.n_cols[1]);
    let is_whole = pair.steps(table, work, most_cols + pair.depth).is_some_and(|end| end.is_whole(&pair));
    if is_whole {
        pair.columns(work, columns, sides);
    }
    is_whole
}

/// Decodes the first steps of a tile; `None` if it is damaged.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(super) fn decode_steps(tile: TileToDecode<'_>, table: &DecodeTable, work: &mut Work, n_steps: usize) -> Option<()> {
    Pair::new(tile, None).steps(table, work, n_steps).map(|_| ())
}

/// Two tiles, side by side. In the place of a missing second one stands the first, all of its lanes idle.
struct Pair<'a> {
    tiles: [TileToDecode<'a>; 2],
    /// Columns of each tile, 0 for a missing one.
    n_cols: [usize; 2],
    /// Greatest depth of a lane.
    depth: usize,
    /// For each depth a byte of ones for each of its lanes.
    lanes: [[u8; 64]; MOST_DEPTH + 1],
}

/// State of decoders after some steps.
struct End {
    states: [[u32; 16]; QUARTERS],
    /// Bytes of the codes and escapes that were read.
    read: [usize; 2],
    escapes: [usize; 2],
}

impl End {
    /// Whether the code of each tile ended where it should.
    fn is_whole(&self, pair: &Pair<'_>) -> bool {
        let is_read = |i: usize| {
            let Parts { code, escapes, .. } = &pair.tiles[i].parts;
            pair.n_cols[i] == 0 || (self.read[i], self.escapes[i]) == (code.len(), escapes.len())
        };
        is_read(0) && is_read(1) && self.states.as_flattened().iter().all(|&state| state == LEAST_STATE)
    }
}

/// The byte that is next to each of sixteen states, in the lowest byte of each.
#[target_feature(enable = "avx512f,avx512bw")]
fn quarter<const Q: u32>(bytes: __m512i) -> __m512i {
    let lowest = _mm512_set1_epi32(255);
    match Q {
        0 => _mm512_and_si512(bytes, lowest),
        1 => _mm512_and_si512(_mm512_srli_epi32::<8>(bytes), lowest),
        2 => _mm512_and_si512(_mm512_srli_epi32::<16>(bytes), lowest),
        _ => _mm512_srli_epi32::<24>(bytes),
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn quarters(bytes: __m512i) -> [__m512i; QUARTERS] {
    [quarter::<0>(bytes), quarter::<1>(bytes), quarter::<2>(bytes), quarter::<3>(bytes)]
}

/// `a` where the mask has ones, `b` elsewhere.
#[target_feature(enable = "avx512f")]
fn select(mask: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xca>(mask, a, b)
}

impl<'a> Pair<'a> {
    fn new(first: TileToDecode<'a>, second: Option<TileToDecode<'a>>) -> Self {
        let tiles = [first, second.unwrap_or(first)];
        let mut lanes = [[0; 64]; MOST_DEPTH + 1];
        for (i, tile) in tiles.iter().enumerate().take(1 + usize::from(second.is_some())) {
            for (lane, &depth) in tile.band.depth[..tile.band.n_rows()].iter().enumerate() {
                lanes[usize::from(depth)][LANES * i + lane] = u8::MAX;
            }
        }
        Self {
            n_cols: [first.strip.n_cols(), second.map_or(0, |tile| tile.strip.n_cols())],
            depth: tiles[0].band.most_depth.max(tiles[1].band.most_depth),
            lanes,
            tiles,
        }
    }

    /// A byte for each lane of both tiles.
    fn bytes(&self, of: impl Fn(usize, usize) -> u8) -> [u8; 64] {
        std::array::from_fn(|i| of(i / LANES, i % LANES))
    }

    /// The states at the start.
    fn states(&self) -> [[u32; 16]; QUARTERS] {
        let state = |byte: usize| match self.n_cols[byte / LANES] {
            0 => LEAST_STATE,
            _ => self.tiles[byte / LANES].parts.states[byte % LANES],
        };
        std::array::from_fn(|q| std::array::from_fn(|k| state(QUARTERS * k + q)))
    }

    /// Decodes the first steps into `work`; `None` if a code or the escapes end too early.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
    fn steps(&self, table: &DecodeTable, work: &mut Work, n_steps: usize) -> Option<End> {
        let Self { tiles, n_cols, depth, lanes } = self;
        let depth = *depth;
        if work.steps.len() < n_steps {
            work.steps.resize(n_steps, [0; 64]);
        }
        for (code, tile) in work.codes.iter_mut().zip(tiles) {
            code.clear();
            code.extend_from_slice(tile.parts.code);
            code.resize(tile.parts.code.len() + BEHIND, 0);
        }
        let (steps, codes) = (&mut work.steps[..n_steps], &work.codes);
        let code_len = tiles.map(|tile| tile.parts.code.len());
        let references: [&[u16]; 2] = tiles.map(|tile| &tile.strip.reference[..]);
        let parities: [&[i8]; 2] = tiles.map(|tile| &tile.strip.parity[..]);

        let permutation = load(&self.bytes(|i, lane| tiles[i].band.reference[lane] + (LANES * i) as u8));
        let model = Model::new(self.bytes(|i, lane| (tiles[i].band.close >> lane & 1) as u8));
        let row_parity = load(&self.bytes(|i, lane| tiles[i].band.parity[lane] as u8));
        let root = tiles.map(|tile| tile.band.root());
        let roots_of = [1u64 << root[0], 1u64 << (LANES + root[1])];
        let roots = roots_of[0] | roots_of[1];
        let all = lanes[..=depth].iter().fold(_mm512_setzero_si512(), |all, lanes| _mm512_or_si512(all, load(lanes)));
        let all_wide = quarters(all).map(|wide| _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_srli_epi32::<7>(wide)));
        let differences = _mm512_broadcast_i32x4({
            // SAFETY: the array has the size of a vector.
            unsafe { _mm_loadu_si128(table.differences.as_ptr().cast()) }
        });
        let (one, escape) = (_mm512_set1_epi8(1), _mm512_set1_epi8(table.escape()));
        let least = _mm512_set1_epi32(LEAST_STATE as i32);
        let (lowest, lower) = (_mm512_set1_epi32(255), _mm512_set1_epi32(0xffff));
        let lower_three = _mm512_set1_epi32(0xff_ffff);

        // SAFETY: an array of sixteen states has the size of a vector.
        let mut x = self.states().map(|states| unsafe { _mm512_loadu_si512(states.as_ptr().cast()) });
        let (mut read, mut escapes) = ([0; 2], [0; 2]);
        let (mut last, mut last_l) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        // A missing second tile has no columns.
        let steady_until = if n_cols[1] == 0 { n_cols[0] } else { n_cols[0].min(n_cols[1]) };

        for step in 0..n_steps {
            let mut u = _mm512_permutexvar_epi8(permutation, last);
            let mut ul = _mm512_permutexvar_epi8(permutation, last_l);
            for i in 0..2 {
                if let Some(&parity) = parities[i].get(step) {
                    let left = if step == 0 { 0 } else { parities[i][usize::from(references[i][step])] };
                    u = _mm512_mask_mov_epi8(u, roots_of[i], _mm512_set1_epi8(parity));
                    ul = _mm512_mask_mov_epi8(ul, roots_of[i], _mm512_set1_epi8(left));
                }
            }
            // Every lane is at a column of its strip, none at its root column.
            let is_steady = step > depth && step < steady_until;
            let mut l = _mm512_setzero_si512();
            let (mut active, mut active_wide) = (all, all_wide);
            let mut in_root_col = 0;
            if is_steady {
                for (d, lanes) in lanes[..=depth].iter().enumerate() {
                    // SAFETY: in a steady step both strips have a column `step - d`, past their root columns. Its reference
                    // comes before it in the order of the strip, so the score read was decoded in an earlier step.
                    let left = unsafe {
                        let from = |i: usize| {
                            let reference = usize::from(*references[i].get_unchecked(step - d));
                            steps.get_unchecked(reference + d).as_ptr().add(LANES * i).cast()
                        };
                        let halves: [*const __m256i; 2] = [from(0), from(1)];
                        let first = _mm512_castsi256_si512(_mm256_loadu_si256(halves[0]));
                        _mm512_inserti64x4::<1>(first, _mm256_loadu_si256(halves[1]))
                    };
                    l = _mm512_ternarylogic_epi64::<0xf8>(l, left, load(lanes));
                }
            } else {
                active = _mm512_setzero_si512();
                for (d, lanes) in lanes[..=depth].iter().enumerate() {
                    for (i, half) in [0xffff_ffff, 0xffff_ffff << LANES].into_iter().enumerate() {
                        let Some(col) = step.checked_sub(d).filter(|&col| col < n_cols[i]) else { continue };
                        let here = _mm512_maskz_mov_epi8(half, load(lanes));
                        active = _mm512_or_si512(active, here);
                        let left = if col == 0 {
                            in_root_col |= _mm512_movepi8_mask(here);
                            row_parity
                        } else {
                            // SAFETY: a step has the size of a vector.
                            unsafe { _mm512_loadu_si512(steps[usize::from(references[i][col]) + d].as_ptr().cast()) }
                        };
                        l = _mm512_ternarylogic_epi64::<0xf8>(l, left, here);
                    }
                }
                let ones = |wide| _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_srli_epi32::<7>(wide));
                active_wide = quarters(active).map(ones);
            }

            let (prediction, mut context) = model.predict(u, l, ul, roots);
            if in_root_col != 0 {
                context = _mm512_mask_mov_epi8(context, in_root_col, _mm512_set1_epi8(ROOT_COL as i8));
                context = _mm512_mask_mov_epi8(context, roots & in_root_col, _mm512_set1_epi8(CORNER as i8));
            }

            // The lowest byte of every state.
            let low = select(lowest, x[0], _mm512_slli_epi32::<8>(x[1]));
            let high = select(lower_three, _mm512_slli_epi32::<16>(x[2]), _mm512_slli_epi32::<24>(x[3]));
            let part = select(lower, low, high);
            // A last part minus the part: as it is if it is not below, and else more than from the part to the end.
            let to_end = _mm512_xor_si512(part, _mm512_set1_epi8(-1));
            let (mut nearest, mut farthest) = (to_end, to_end);
            let mut symbol = _mm512_setzero_si512();
            for last_parts in &table.last_parts {
                let last_part = _mm512_permutexvar_epi8(context, load(last_parts));
                let distance = _mm512_sub_epi8(last_part, part);
                nearest = _mm512_min_epu8(nearest, distance);
                farthest = _mm512_max_epu8(farthest, distance);
                symbol = _mm512_mask_add_epi8(symbol, _mm512_cmpgt_epu8_mask(part, last_part), symbol, one);
            }
            let offset = _mm512_xor_si512(farthest, _mm512_set1_epi8(-1));
            let parts = _mm512_add_epi8(_mm512_add_epi8(nearest, offset), one);

            let (parts, offset) = (quarters(parts), quarters(offset));
            let mut is_low = [0; QUARTERS];
            for q in 0..QUARTERS {
                // Both factors fit 16 bits, so that one instruction of them does.
                let product = _mm512_madd_epi16(_mm512_srli_epi32::<8>(x[q]), parts[q]);
                x[q] = select(active_wide[q], _mm512_add_epi32(product, offset[q]), x[q]);
                is_low[q] = _mm512_cmplt_epu32_mask(x[q], least);
            }
            let bits = |q: usize| _pdep_u64(is_low[q].into(), 0x1111_1111_1111_1111 << q);
            let low_lanes = bits(0) | bits(1) | bits(2) | bits(3);
            let mut taken = [_mm256_setzero_si256(); 2];
            for i in 0..2 {
                let lanes = (low_lanes >> (LANES * i)) as u32;
                // SAFETY: `read` is at most the length of the code, and behind that are as many bytes as a vector has.
                let bytes = unsafe { _mm256_loadu_si256(codes[i].as_ptr().add(read[i]).cast()) };
                taken[i] = _mm256_maskz_expand_epi8(lanes, bytes);
                read[i] += lanes.count_ones() as usize;
            }
            if read[0] > code_len[0] || read[1] > code_len[1] {
                return None;
            }
            let taken = quarters(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(taken[0]), taken[1]));
            for q in 0..QUARTERS {
                x[q] = _mm512_or_si512(_mm512_mask_slli_epi32::<8>(x[q], is_low[q], x[q]), taken[q]);
            }

            last = _mm512_add_epi8(prediction, _mm512_shuffle_epi8(differences, symbol));
            last_l = l;
            let mut escaped = _mm512_cmpeq_epi8_mask(_mm512_and_si512(symbol, active), escape);
            // SAFETY: a step has the size of a vector.
            unsafe { _mm512_storeu_si512(steps[step].as_mut_ptr().cast(), last) };
            if escaped != 0 {
                let scores = &mut steps[step];
                while escaped != 0 {
                    let lane = escaped.trailing_zeros() as usize;
                    let i = lane / LANES;
                    scores[lane] = *tiles[i].parts.escapes.get(escapes[i])? as i8;
                    escapes[i] += 1;
                    escaped &= escaped - 1;
                }
                // SAFETY: as above.
                last = unsafe { _mm512_loadu_si512(scores.as_ptr().cast()) };
            }
        }
        let mut states = [[0; 16]; QUARTERS];
        for (states, x) in states.iter_mut().zip(x) {
            // SAFETY: an array of sixteen states has the size of a vector.
            unsafe { _mm512_storeu_si512(states.as_mut_ptr().cast(), x) };
        }
        Some(End { states, read, escapes })
    }

    /// Puts the columns of the tiles together from the steps.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn columns(&self, work: &Work, columns: &mut [Vec<Column>; 2], sides: [usize; 2]) {
        for place in 0..self.n_cols[0].max(self.n_cols[1]) {
            let mut both = _mm512_setzero_si512();
            for (scores, lanes) in work.steps[place..].iter().zip(&self.lanes[..=self.depth]) {
                // SAFETY: a step has the size of a vector.
                let scores = unsafe { _mm512_loadu_si512(scores.as_ptr().cast()) };
                both = _mm512_ternarylogic_epi64::<0xf8>(both, scores, load(lanes));
            }
            for (i, half) in
                [_mm512_castsi512_si256(both), _mm512_extracti64x4_epi64::<1>(both)].into_iter().enumerate()
            {
                if place < self.n_cols[i] {
                    let strip = self.tiles[i].strip;
                    let column = &mut columns[sides[i]][strip.first + usize::from(strip.cols[place])];
                    // SAFETY: a column has the size of half a vector.
                    unsafe { _mm256_storeu_si256(column.as_mut_ptr().cast(), half) };
                }
            }
        }
    }
}
