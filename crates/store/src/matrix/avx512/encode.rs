//! Encoding a tile: contexts and symbols of its scores, and from these its code.

use std::arch::x86_64::*;

use super::{Model, load};
use crate::matrix::LANES;
use crate::matrix::frequencies::Frequencies;
use crate::matrix::model::{CONTEXTS, ESCAPE, SYMBOLS};
use crate::matrix::scalar::Symbols;
use crate::matrix::tile::{Band, Column, LEAST_STATE, MOST_DEPTH, Parts, Strip};

/// Frequencies for an encoder, by context and symbol: parts in bits 0 to 7, parts before it in bits 8 to 15, bit 16
/// set for an escape.
pub(in crate::matrix) struct EncodeTable([i32; 64 * SYMBOLS]);

const ESCAPE_BIT: i32 = 1 << 16;

impl EncodeTable {
    pub(in crate::matrix) fn new(frequencies: &Frequencies) -> Self {
        let mut table = [0; 64 * SYMBOLS];
        for context in 0..CONTEXTS as u8 {
            for symbol in 0..SYMBOLS as u8 {
                let slot = frequencies.of(context, symbol);
                table[usize::from(context) * SYMBOLS + usize::from(symbol)] =
                    i32::from(slot.parts) | i32::from(slot.start) << 8 | if slot.is_escape { ESCAPE_BIT } else { 0 };
            }
        }
        Self(table)
    }
}

/// Contexts and symbols of all columns but the first, two columns at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) fn find_symbols(band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]) {
    let twice = |of: &dyn Fn(usize) -> u8| load(&std::array::from_fn(|i| of(i % LANES)));
    let columns = |places: [usize; 2]| {
        // SAFETY: a column has the size of half a vector.
        let [first, second] = places.map(|place| unsafe { _mm256_loadu_si256(scores[place].as_ptr().cast()) });
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)
    };
    let model = Model::new(std::array::from_fn(|i| (band.close >> (i % LANES) & 1) as u8));
    let upper = load(&std::array::from_fn(|i| (i / LANES * LANES) as u8));
    let permutation = _mm512_or_si512(twice(&|lane| band.reference[lane]), upper);
    let roots = [1u64 << band.root(), 1u64 << (LANES + band.root())];
    for place in (1..symbols.len()).step_by(2) {
        // The last column alone stands for two.
        let places = [place, (place + 1).min(symbols.len() - 1)];
        let left = places.map(|place| usize::from(strip.reference[place]));
        let (score, l) = (columns(places), columns(left));
        let above = |v, places: [usize; 2]| {
            let [first, second] = places.map(|place| _mm512_set1_epi8(strip.parity[place]));
            let v = _mm512_mask_mov_epi8(_mm512_permutexvar_epi8(permutation, v), roots[0], first);
            _mm512_mask_mov_epi8(v, roots[1], second)
        };
        let (prediction, context) = model.predict(above(score, places), l, above(l, left), roots[0] | roots[1]);
        // Twice the residual r is even: its symbol is 2r - 1 or -2r, and a symbol beyond 14 escapes.
        let difference = _mm512_sub_epi8(score, prediction);
        let magnitude = _mm512_abs_epi8(difference);
        let positive = _mm512_cmpgt_epi8_mask(difference, _mm512_setzero_si512());
        let symbol = _mm512_mask_sub_epi8(magnitude, positive, magnitude, _mm512_set1_epi8(1));
        let symbol = _mm512_min_epu8(symbol, _mm512_set1_epi8(ESCAPE as i8));
        let [first, second] =
            [_mm512_shuffle_i64x2::<0x44>(context, symbol), _mm512_shuffle_i64x2::<0xee>(context, symbol)];
        for (place, both) in places.into_iter().zip([first, second]) {
            // SAFETY: contexts and symbols of a column have the size of a vector.
            unsafe { _mm512_storeu_si512(symbols[place].as_mut_ptr().cast(), both) };
        }
    }
}

/// Codes the symbols from the last to the first.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn encode_steps(
    band: &Band,
    scores: &[Column],
    symbols: &[Symbols],
    table: &EncodeTable,
    code: &mut Vec<u8>,
    bytes: &mut Vec<u8>,
) {
    let (n_cols, depth) = (scores.len(), band.most_depth);
    let by_depth = band.lanes_by_depth();
    let all = by_depth.iter().fold(0, |all, lanes| all | lanes);
    // A byte of ones for each lane of a depth, once for contexts and once for symbols.
    let masks: [[u8; 64]; MOST_DEPTH + 1] =
        by_depth.map(|lanes| std::array::from_fn(|i| if lanes >> (i % LANES) & 1 == 1 { u8::MAX } else { 0 }));
    // A symbol makes a byte at most; the code grows down from the end.
    code.resize(n_cols * LANES, 0);
    let mut at = code.len();
    let mut escapes = Vec::new();
    let mut x = [_mm512_set1_epi32(LEAST_STATE as i32); 2];
    let byte = _mm512_set1_epi32(255);
    for step in (0..n_cols + depth).rev() {
        // The depths whose lanes are at a column of the strip.
        let (first, last) = ((step + 1).saturating_sub(n_cols), depth.min(step));
        let active = match (first, last) == (0, depth) {
            true => all,
            false => by_depth[first..=last].iter().fold(0, |all, lanes| all | lanes),
        };
        let mut both = _mm512_setzero_si512();
        for (mask, symbols) in masks[first..=last].iter().zip(symbols[step - last..=step - first].iter().rev()) {
            both = _mm512_ternarylogic_epi64::<0xf8>(both, load(symbols), load(mask));
        }
        let (contexts, symbols) = (_mm512_castsi512_si256(both), _mm512_extracti64x4_epi64::<1>(both));
        let (mut emitted, mut escaped) = (0u32, 0u32);
        let mut low = [_mm_setzero_si128(); 2];
        for q in 0..2 {
            let lanes = (active >> (16 * q)) as u16;
            let wide = |v| {
                let half = if q == 0 { _mm256_castsi256_si128(v) } else { _mm256_extracti128_si256::<1>(v) };
                _mm512_cvtepu8_epi32(half)
            };
            let index = _mm512_add_epi32(_mm512_slli_epi32::<4>(wide(contexts)), wide(symbols));
            // SAFETY: contexts are below 64 and symbols below 16, as many as the table has.
            let slot = unsafe { _mm512_i32gather_epi32::<4>(index, table.0.as_ptr()) };
            let parts = _mm512_and_si512(slot, byte);
            // Newton's step makes the estimate as good as a division, which takes longer.
            let divisor = _mm512_cvtepi32_ps(parts);
            let estimate = _mm512_rcp14_ps(divisor);
            let rest = _mm512_fnmadd_ps(divisor, estimate, _mm512_set1_ps(1.0));
            let inverse = _mm512_fmadd_ps(estimate, rest, estimate);
            let start = _mm512_and_si512(_mm512_srli_epi32::<8>(slot), byte);
            let is_escape = _mm512_mask_test_epi32_mask(lanes, slot, _mm512_set1_epi32(ESCAPE_BIT));
            escaped |= u32::from(is_escape) << (16 * q);
            let is_full = _mm512_mask_cmpge_epu32_mask(lanes, x[q], _mm512_slli_epi32::<12>(parts));
            emitted |= u32::from(is_full) << (16 * q);
            low[q] = _mm512_cvtepi32_epi8(x[q]);
            let state = _mm512_mask_srli_epi32::<8>(x[q], is_full, x[q]);
            // States are below 2^20, quotients below 2^12, parts below 2^8: half added, no quotient is closer to the next
            // integer than 2^-9, and two roundings change it by less than 2^-11.
            let half = _mm512_add_ps(_mm512_cvtepi32_ps(state), _mm512_set1_ps(0.5));
            let quotient = _mm512_cvttps_epi32(_mm512_mul_ps(half, inverse));
            let rest = _mm512_sub_epi32(state, _mm512_madd_epi16(quotient, parts));
            let next = _mm512_add_epi32(_mm512_slli_epi32::<8>(quotient), _mm512_add_epi32(rest, start));
            x[q] = _mm512_mask_mov_epi32(x[q], lanes, next);
        }
        let compressed = _mm256_maskz_compress_epi8(emitted, _mm256_set_m128i(low[1], low[0]));
        let n = emitted.count_ones() as usize;
        at -= n;
        let stored = ((1u64 << n) - 1) as u32;
        // SAFETY: only `n` bytes are stored, and there are as many from `at` on.
        unsafe { _mm256_mask_storeu_epi8(code[at..at + n].as_mut_ptr().cast(), stored, compressed) };
        while escaped != 0 {
            let lane = escaped.ilog2() as usize;
            escapes.push(scores[step - usize::from(band.depth[lane])][lane] as u8);
            escaped ^= 1 << lane;
        }
    }
    escapes.reverse();
    let mut states = [0; LANES];
    for (states, x) in states.chunks_exact_mut(16).zip(x) {
        // SAFETY: sixteen states have the size of a vector.
        unsafe { _mm512_storeu_si512(states.as_mut_ptr().cast(), x) };
    }
    Parts { states, escapes: &escapes, code: &code[at..] }.append_to(band.n_rows(), bytes);
}
