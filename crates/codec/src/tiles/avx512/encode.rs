//! Encoding a tile: contexts and symbols of its scores, from these the parts that code them, and from these the code.
//!
//! The parts of a symbol are a permutation and a comparison for each symbol in use, two columns at a time. To gather them one
//! by one takes some processors a third of the time of encoding.

use std::arch::x86_64::*;

use super::{Model, load};
use crate::tiles::LANES;
use crate::tiles::frequencies::{Frequencies, Slot};
use crate::tiles::model::{CONTEXTS, ESCAPE};
use crate::tiles::scalar::Symbols;
use crate::tiles::tile::{Band, Column, LEAST_STATE, Parts, Strip};

/// Frequencies for an encoder: the parts of each symbol, and those before it.
pub(in crate::tiles) struct EncodeTable {
    escape: Slots,
    /// The other symbols that some context has parts for; a context without has those of the escape.
    others: Vec<Slots>,
}

/// By context, the parts of a symbol and those before it.
#[repr(align(64))]
struct Slots {
    parts: [u8; 64],
    starts: [u8; 64],
    symbol: u8,
}

impl EncodeTable {
    pub(in crate::tiles) fn new(frequencies: &Frequencies) -> Self {
        let of = |symbol: u8| {
            let mut slots = Slots { parts: [0; 64], starts: [0; 64], symbol };
            for context in 0..CONTEXTS as u8 {
                let Slot { parts, start, .. } = frequencies.of(context, symbol);
                (slots.parts[usize::from(context)], slots.starts[usize::from(context)]) = (parts, start);
            }
            slots
        };
        let has_parts = |&symbol: &u8| (0..CONTEXTS as u8).any(|context| !frequencies.of(context, symbol).is_escape);
        Self { escape: of(ESCAPE), others: (0..ESCAPE).filter(has_parts).map(of).collect() }
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
            unsafe { _mm512_storeu_si512(symbols[place].0.as_mut_ptr().cast(), both) };
        }
    }
}

/// Puts the parts of each symbol in the place of its context, and the parts before it in that of the symbol, two columns at a
/// time. Returns the escaped scores in the order in which they are decoded.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn find_slots(table: &EncodeTable, band: &Band, scores: &[Column], symbols: &mut [Symbols]) -> Vec<u8> {
    let lanes = u64::from(u32::MAX >> (LANES - band.n_rows()));
    let mut escapes = Vec::new();
    for (pair, columns) in symbols.chunks_mut(2).enumerate() {
        let first = load(&columns[0].0);
        let (second, here) = match columns.get(1) {
            Some(second) => (load(&second.0), lanes | lanes << LANES),
            None => (first, lanes),
        };
        let contexts = _mm512_shuffle_i64x2::<0x44>(first, second);
        let symbols = _mm512_shuffle_i64x2::<0xee>(first, second);
        let escape = _mm512_permutexvar_epi8(contexts, load(&table.escape.starts));
        let (mut parts, mut starts) = (_mm512_permutexvar_epi8(contexts, load(&table.escape.parts)), escape);
        for slots in &table.others {
            let is_this = _mm512_cmpeq_epi8_mask(symbols, _mm512_set1_epi8(slots.symbol as i8));
            parts = _mm512_mask_permutexvar_epi8(parts, is_this, contexts, load(&slots.parts));
            starts = _mm512_mask_permutexvar_epi8(starts, is_this, contexts, load(&slots.starts));
        }
        // SAFETY: the slots of a column have the size of a vector.
        unsafe {
            _mm512_storeu_si512(columns[0].0.as_mut_ptr().cast(), _mm512_shuffle_i64x2::<0x44>(parts, starts));
            if let Some(second) = columns.get_mut(1) {
                _mm512_storeu_si512(second.0.as_mut_ptr().cast(), _mm512_shuffle_i64x2::<0xee>(parts, starts));
            }
        }
        // The escape has a part in every context, so no other symbol begins where it does.
        let mut escaped = _mm512_cmpeq_epi8_mask(starts, escape) & here;
        while escaped != 0 {
            let (col, lane) = (2 * pair + escaped.ilog2() as usize / LANES, escaped.ilog2() as usize % LANES);
            escapes.push((col + usize::from(band.depth[lane]), lane, scores[col][lane] as u8));
            escaped ^= 1 << escaped.ilog2();
        }
    }
    // By step, and within a step by lane.
    escapes.sort_unstable();
    escapes.into_iter().map(|(_, _, score)| score).collect()
}

/// The next states of sixteen lanes, the lanes that give away their low byte before, and the low bytes of all.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn step_of(x: __m512i, lanes: u16, parts: __m128i, starts: __m128i) -> (__m512i, u16, __m128i) {
    let (parts, starts) = (_mm512_cvtepu8_epi32(parts), _mm512_cvtepu8_epi32(starts));
    // Newton's step makes the estimate as good as a division, which takes longer.
    let divisor = _mm512_cvtepi32_ps(parts);
    let estimate = _mm512_rcp14_ps(divisor);
    let rest = _mm512_fnmadd_ps(divisor, estimate, _mm512_set1_ps(1.0));
    let inverse = _mm512_fmadd_ps(estimate, rest, estimate);
    let half = _mm512_mul_ps(inverse, _mm512_set1_ps(0.5));
    let is_full = _mm512_mask_cmpge_epu32_mask(lanes, x, _mm512_slli_epi32::<12>(parts));
    let state = _mm512_mask_srli_epi32::<8>(x, is_full, x);
    // States are below 2^20, quotients below 2^12, parts below 2^8: half added, no quotient is closer to the next integer than
    // 2^-9, and two roundings change it by less than 2^-10.
    let quotient = _mm512_cvttps_epi32(_mm512_fmadd_ps(_mm512_cvtepi32_ps(state), inverse, half));
    // 256 * quotient + (state - parts * quotient) + starts
    let more = _mm512_madd_epi16(quotient, _mm512_sub_epi32(_mm512_set1_epi32(256), parts));
    (_mm512_mask_add_epi32(x, lanes, _mm512_add_epi32(state, starts), more), is_full, _mm512_cvtepi32_epi8(x))
}

/// Codes the symbols from the last to the first. Afterwards `symbols` holds what coded them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn encode_steps(
    band: &Band,
    scores: &[Column],
    symbols: &mut [Symbols],
    table: &EncodeTable,
    code: &mut Vec<u8>,
    bytes: &mut Vec<u8>,
) {
    let (n_cols, depth) = (scores.len(), band.most_depth);
    let symbols = &mut symbols[..n_cols];
    let escapes = find_slots(table, band, scores, symbols);
    // A byte of ones for each lane of a depth, once for parts and once for those before them.
    let masks = band.lanes_by_depth().map(|lanes| _mm512_movm_epi8(u64::from(lanes) | u64::from(lanes) << LANES));
    // A symbol makes a byte at most; the code grows down from the end, and each step stores as many bytes as there are lanes.
    code.resize((n_cols + 1) * LANES, 0);
    let mut at = code.len();
    let (mut first_x, mut second_x) = (_mm512_set1_epi32(LEAST_STATE as i32), _mm512_set1_epi32(LEAST_STATE as i32));
    let places: [i8; LANES] = std::array::from_fn(|i| i as i8);
    // SAFETY: a byte for each lane has half the size of a vector.
    let places = unsafe { _mm256_loadu_si256(places.as_ptr().cast()) };
    for step in (0..n_cols + depth).rev() {
        // The depths whose lanes are at a column of the strip.
        let (first, last) = ((step + 1).saturating_sub(n_cols), depth.min(step));
        let mut both = _mm512_setzero_si512();
        for (mask, symbols) in masks[first..=last].iter().zip(symbols[step - last..=step - first].iter().rev()) {
            both = _mm512_ternarylogic_epi64::<0xf8>(both, load(&symbols.0), *mask);
        }
        let (parts, starts) = (_mm512_castsi512_si256(both), _mm512_extracti64x4_epi64::<1>(both));
        // Only lanes at a column have parts.
        let active = _mm256_test_epi8_mask(parts, parts);
        let (x, first_full, first_low) =
            step_of(first_x, active as u16, _mm256_castsi256_si128(parts), _mm256_castsi256_si128(starts));
        first_x = x;
        let (parts, starts) = (_mm256_extracti128_si256::<1>(parts), _mm256_extracti128_si256::<1>(starts));
        let (x, second_full, second_low) = step_of(second_x, (active >> 16) as u16, parts, starts);
        second_x = x;
        let emitted = u32::from(first_full) | u32::from(second_full) << 16;
        let n = emitted.count_ones() as usize;
        // The bytes are turned to the end of their vector.
        let compressed = _mm256_maskz_compress_epi8(emitted, _mm256_set_m128i(second_low, first_low));
        let turned = _mm256_permutexvar_epi8(_mm256_add_epi8(places, _mm256_set1_epi8(n as i8)), compressed);
        // SAFETY: the vector has as many bytes as there are lanes.
        unsafe { _mm256_storeu_si256(code[at - LANES..at].as_mut_ptr().cast(), turned) };
        at -= n;
    }
    let mut states = [0; LANES];
    for (states, x) in states.chunks_exact_mut(16).zip([first_x, second_x]) {
        // SAFETY: sixteen states have the size of a vector.
        unsafe { _mm512_storeu_si512(states.as_mut_ptr().cast(), x) };
    }
    Parts { states, escapes: &escapes, code: &code[at..] }.append_to(band.n_rows(), bytes);
}
