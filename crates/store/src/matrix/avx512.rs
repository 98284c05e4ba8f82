//! The code that [`scalar`](super::scalar) defines, by vectors of 64 bytes. Portable builds fall back on the definition.
//!
//! A decoder holds two tiles of a band, lane `i` of the first in byte `i`, of the second in byte `32 + i`. One step:
//!
//! ```text
//!  U, UL     = the last scores and the last L, each byte permuted to the lanes that refer to it
//!  L         = for each depth d: the step in which the reference column of column (step - d) was decoded,
//!              loaded under the mask of the lanes at depth d
//!  context   = clamped differences as an index into a table of 64 bytes: one permutation
//!  symbol    = how many last parts are below (state % 256): 15 tables of 64 contexts, 15 permutations and comparisons
//!  state     = a multiplication and an addition; lanes below 2^12 take the next bytes of the code, expanded by mask
//! ```
//! Steps are stored as they are decoded; at the end column `c` is put together from the steps `c + d`, under the same
//! masks.
#![allow(unsafe_code, reason = "vector instructions")]

#[cfg(not(target_arch = "x86_64"))]
pub(super) use none::*;
#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::*;

/// Memory of a decoder.
#[derive(Default)]
pub(super) struct Work {
    /// Scores by step, those of two tiles side by side.
    steps: Vec<[i8; 64]>,
    /// The code of each tile, with room behind it.
    codes: [Vec<u8>; 2],
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use super::Work;
    use crate::matrix::LANES;
    use crate::matrix::frequencies::Frequencies;
    use crate::matrix::model::{self, CLOSE, CONTEXTS, CORNER, ESCAPE, FAR, ROOT_COL, ROOT_ROW, SYMBOLS};
    use crate::matrix::scalar::{self, Symbols};
    use crate::matrix::tile::{Band, Column, LEAST_STATE, Parts, Strip};

    /// A machine with these instructions: only [`Avx512::new`] makes one.
    #[derive(Clone, Copy, Debug)]
    pub(in crate::matrix) struct Avx512(());

    /// Bytes behind a code that a step may read.
    const BEHIND: usize = 64;

    type LastParts = [[u8; 64]; SYMBOLS - 1];

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
                    table[usize::from(context) * SYMBOLS + usize::from(symbol)] = i32::from(slot.parts)
                        | i32::from(slot.start) << 8
                        | if slot.is_escape { ESCAPE_BIT } else { 0 };
                }
            }
            Self(table)
        }
    }

    /// State of decoders after some steps.
    struct End {
        states: [[u32; LANES]; 2],
        /// Bytes of the code and escapes that were read.
        read: [usize; 2],
        escapes: [usize; 2],
    }

    impl Avx512 {
        /// `None` if this machine lacks an instruction.
        pub(in crate::matrix) fn new() -> Option<Self> {
            let has = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("popcnt");
            has.then_some(Self(()))
        }

        /// Decodes one or two tiles of a band into the columns of the slab. False if one of them is damaged: then
        /// columns hold anything.
        pub(in crate::matrix) fn decode(
            self,
            band: &Band,
            tiles: [Option<(&Strip, Parts<'_>)>; 2],
            last_parts: &LastParts,
            work: &mut Work,
            columns: &mut [Column],
        ) -> bool {
            let most_cols = tiles.iter().flatten().map(|(strip, _)| strip.n_cols()).max().unwrap_or(0);
            // SAFETY: `self` was made on a machine with these instructions.
            let Some(end) = (unsafe { decode_steps(band, &tiles, last_parts, work, most_cols + band.most_depth) })
            else {
                return false;
            };
            for (i, (strip, parts)) in tiles.iter().enumerate().filter_map(|(i, tile)| Some((i, tile.as_ref()?))) {
                let is_whole = end.states[i] == [LEAST_STATE; LANES]
                    && (end.read[i], end.escapes[i]) == (parts.code.len(), parts.escapes.len());
                if !is_whole {
                    return false;
                }
                // SAFETY: as above.
                unsafe { columns_of_steps(band, strip, i, work, columns) };
            }
            true
        }

        /// Decodes one score of a tile and what comes before it; `None` if the tile is damaged.
        pub(in crate::matrix) fn decode_one(
            self,
            band: &Band,
            tile: (&Strip, Parts<'_>),
            last_parts: &LastParts,
            work: &mut Work,
            place: usize,
            lane: usize,
        ) -> Option<i8> {
            let step = place + usize::from(band.depth[lane]);
            // SAFETY: `self` was made on a machine with these instructions.
            unsafe { decode_steps(band, &[Some(tile), None], last_parts, work, step + 1) }?;
            Some(work.steps[step][lane])
        }

        /// As [`scalar::symbols`].
        pub(in crate::matrix) fn symbols(self, band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]) {
            assert!(scores.len() == strip.n_cols() && symbols.len() == scores.len());
            scalar::symbols_of(band, strip, scores, 0, &mut symbols[0]);
            // SAFETY: `self` was made on a machine with these instructions.
            unsafe { find_symbols(band, strip, scores, symbols) };
        }

        /// As [`scalar::encode`].
        pub(in crate::matrix) fn encode(
            self,
            band: &Band,
            scores: &[Column],
            symbols: &[Symbols],
            table: &EncodeTable,
            code: &mut Vec<u8>,
            bytes: &mut Vec<u8>,
        ) {
            assert!(symbols.len() >= scores.len());
            // SAFETY: `self` was made on a machine with these instructions.
            unsafe { encode_steps(band, scores, symbols, table, code, bytes) };
        }
    }

    /// The same byte in all lanes of two tiles of a band.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn twice(lanes: [u8; LANES], step: u8) -> __m512i {
        let both: [u8; 64] = std::array::from_fn(|i| lanes[i % LANES] + step * (i / LANES) as u8);
        // SAFETY: the array has the size of a vector.
        unsafe { _mm512_loadu_si512(both.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f")]
    fn load(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: the array has the size of a vector.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    /// Decodes the first steps of one or two tiles into `work`; `None` if a code or the escapes end too early.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn decode_steps(
        band: &Band,
        tiles: &[Option<(&Strip, Parts<'_>)>; 2],
        last_parts: &LastParts,
        work: &mut Work,
        n_steps: usize,
    ) -> Option<End> {
        let depth = band.most_depth;
        let by_depth = band.lanes_by_depth();
        let all = by_depth.iter().fold(0, |all, lanes| all | lanes);
        let root = 1u32 << band.root();
        let roots = u64::from(root) | u64::from(root) << 32;
        let n_cols = [0, 1].map(|i| tiles[i].as_ref().map_or(0, |(strip, _)| strip.n_cols()));
        let references: [&[u16]; 2] = [0, 1].map(|i| tiles[i].as_ref().map_or(&[][..], |(strip, _)| &strip.reference));
        let parities: [&[i8]; 2] = [0, 1].map(|i| tiles[i].as_ref().map_or(&[][..], |(strip, _)| &strip.parity));
        if work.steps.len() < n_steps {
            work.steps.resize(n_steps, [0; 64]);
        }
        let mut states = [[LEAST_STATE; LANES]; 2];
        let mut code_len = [0; 2];
        for (i, code) in work.codes.iter_mut().enumerate() {
            code.clear();
            if let Some((_, parts)) = &tiles[i] {
                code.extend_from_slice(parts.code);
                states[i] = parts.states;
                code_len[i] = parts.code.len();
            }
            code.resize(code_len[i] + BEHIND, 0);
        }
        let (steps, codes) = (&mut work.steps[..n_steps], &work.codes);
        // SAFETY: the arrays have the size of four vectors.
        let mut x: [__m512i; 4] =
            std::array::from_fn(|q| unsafe { _mm512_loadu_si512(states.as_flattened()[16 * q..].as_ptr().cast()) });

        let permutation = twice(band.reference, LANES as u8);
        let close = twice(std::array::from_fn(|lane| CLOSE * (band.close >> lane & 1) as u8), 0);
        // SAFETY: the array has the size of half a vector.
        let row_parity = unsafe { _mm256_loadu_si256(band.parity.as_ptr().cast()) };
        let contexts = load(&model::context_table());
        let last_parts: [__m512i; SYMBOLS - 1] = std::array::from_fn(|symbol| load(&last_parts[symbol]));
        let differences = load(&std::array::from_fn(|i| model::difference(i as u8 % SYMBOLS as u8) as u8));
        let (one, far, near) = (_mm512_set1_epi8(1), _mm512_set1_epi8(FAR), _mm512_set1_epi8(-FAR));
        let least = _mm512_set1_epi32(LEAST_STATE as i32);
        let (mut read, mut escapes) = ([0; 2], [0; 2]);
        let (mut last, mut last_l) = (_mm512_setzero_si512(), _mm512_setzero_si512());

        for step in 0..n_steps {
            let mut u = _mm512_permutexvar_epi8(permutation, last);
            let mut ul = _mm512_permutexvar_epi8(permutation, last_l);
            let (mut active, mut in_root_col) = (0u64, 0u64);
            let mut l = [_mm256_setzero_si256(); 2];
            for i in 0..2 {
                let n = n_cols[i];
                if step >= n + depth || n == 0 {
                    continue;
                }
                if step < n {
                    let lane = u64::from(root) << (32 * i);
                    u = _mm512_mask_mov_epi8(u, lane, _mm512_set1_epi8(parities[i][step]));
                    let parity = if step == 0 { 0 } else { parities[i][usize::from(references[i][step])] };
                    ul = _mm512_mask_mov_epi8(ul, lane, _mm512_set1_epi8(parity));
                }
                // Depths whose lanes are at a column of the strip, and those past its root column.
                let (first, end) = ((step + 1).saturating_sub(n), depth.min(step) + 1);
                let lanes = match step >= depth && step < n {
                    true => all,
                    false => by_depth[first..end].iter().fold(0, |all, lanes| all | lanes),
                };
                active |= u64::from(lanes) << (32 * i);
                // A local, so that it stays in a register from depth to depth.
                let mut left = _mm256_setzero_si256();
                for d in first..end.min(step) {
                    let from = usize::from(references[i][step - d]) + d;
                    let scores = &steps[from][32 * i..][..LANES];
                    // SAFETY: the slice has the size of half a vector.
                    left = unsafe { _mm256_mask_loadu_epi8(left, by_depth[d], scores.as_ptr()) };
                }
                if step <= depth {
                    left = _mm256_mask_mov_epi8(left, by_depth[step], row_parity);
                    in_root_col |= u64::from(by_depth[step]) << (32 * i);
                }
                l[i] = left;
            }
            let l = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(l[0]), l[1]);

            let (du, dl) = (_mm512_subs_epi8(u, ul), _mm512_subs_epi8(l, ul));
            let kept = _mm512_max_epi8(_mm512_adds_epi8(u, dl), _mm512_min_epi8(u, l));
            let kept = _mm512_min_epi8(kept, _mm512_max_epi8(u, l));
            let parity = _mm512_xor_si512(_mm512_ternarylogic_epi64::<0x96>(kept, u, l), ul);
            let prediction = _mm512_add_epi8(kept, _mm512_and_si512(parity, one));
            let clamped = |d| _mm512_add_epi8(_mm512_min_epi8(_mm512_max_epi8(d, near), far), far);
            let index = _mm512_add_epi8(_mm512_slli_epi16::<3>(clamped(du)), clamped(dl));
            let mut context = _mm512_add_epi8(_mm512_permutexvar_epi8(index, contexts), close);
            context = _mm512_mask_mov_epi8(context, in_root_col, _mm512_set1_epi8(ROOT_COL as i8));
            context = _mm512_mask_mov_epi8(context, roots, _mm512_set1_epi8(ROOT_ROW as i8));
            context = _mm512_mask_mov_epi8(context, roots & in_root_col, _mm512_set1_epi8(CORNER as i8));

            let low = |a, b| _mm256_set_m128i(_mm512_cvtepi32_epi8(b), _mm512_cvtepi32_epi8(a));
            let part = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low(x[0], x[1])), low(x[2], x[3]));
            let (mut before, mut until) = (_mm512_set1_epi8(-1), _mm512_set1_epi8(-1));
            let mut symbol = _mm512_setzero_si512();
            for last_parts in last_parts {
                let last_part = _mm512_permutexvar_epi8(context, last_parts);
                let beyond = _mm512_cmpgt_epu8_mask(part, last_part);
                before = _mm512_mask_mov_epi8(before, beyond, last_part);
                until = _mm512_mask_min_epu8(until, !beyond, until, last_part);
                symbol = _mm512_mask_add_epi8(symbol, beyond, symbol, one);
            }
            let parts = _mm512_sub_epi8(until, before);
            let offset = _mm512_sub_epi8(_mm512_sub_epi8(part, before), one);
            let quarters = |v| {
                [
                    _mm512_castsi512_si128(v),
                    _mm512_extracti32x4_epi32::<1>(v),
                    _mm512_extracti32x4_epi32::<2>(v),
                    _mm512_extracti32x4_epi32::<3>(v),
                ]
            };
            let (parts, offset) = (quarters(parts), quarters(offset));
            let mut low = [0u16; 4];
            for q in 0..4 {
                // Both factors fit 16 bits, so that one instruction of them does.
                let product = _mm512_madd_epi16(_mm512_srli_epi32::<8>(x[q]), _mm512_cvtepu8_epi32(parts[q]));
                let next = _mm512_add_epi32(product, _mm512_cvtepu8_epi32(offset[q]));
                x[q] = _mm512_mask_mov_epi32(x[q], (active >> (16 * q)) as u16, next);
                low[q] = _mm512_cmplt_epu32_mask(x[q], least);
            }
            for i in 0..2 {
                let lanes = u32::from(low[2 * i]) | u32::from(low[2 * i + 1]) << 16;
                let code = &codes[i][read[i]..][..LANES];
                // SAFETY: the slice has the size of half a vector.
                let bytes = unsafe { _mm256_loadu_si256(code.as_ptr().cast()) };
                let bytes = _mm256_maskz_expand_epi8(lanes, bytes);
                read[i] += lanes.count_ones() as usize;
                if read[i] > code_len[i] {
                    return None;
                }
                for (q, bytes) in
                    [(2 * i, _mm256_castsi256_si128(bytes)), (2 * i + 1, _mm256_extracti128_si256::<1>(bytes))]
                {
                    let next = _mm512_or_si512(_mm512_slli_epi32::<8>(x[q]), _mm512_cvtepu8_epi32(bytes));
                    x[q] = _mm512_mask_mov_epi32(x[q], low[q], next);
                }
            }

            last = _mm512_add_epi8(prediction, _mm512_shuffle_epi8(differences, symbol));
            last_l = l;
            let scores = &mut steps[step];
            // SAFETY: the array has the size of a vector.
            unsafe { _mm512_storeu_si512(scores.as_mut_ptr().cast(), last) };
            let mut escaped = _mm512_mask_cmpeq_epi8_mask(active, symbol, _mm512_set1_epi8(ESCAPE as i8));
            if escaped != 0 {
                while escaped != 0 {
                    let lane = escaped.trailing_zeros() as usize;
                    let i = lane / LANES;
                    scores[lane] = *tiles[i].as_ref()?.1.escapes.get(escapes[i])? as i8;
                    escapes[i] += 1;
                    escaped &= escaped - 1;
                }
                // SAFETY: the array has the size of a vector.
                last = unsafe { _mm512_loadu_si512(scores.as_ptr().cast()) };
            }
        }
        for (q, x) in x.into_iter().enumerate() {
            // SAFETY: the arrays have the size of four vectors.
            unsafe { _mm512_storeu_si512(states.as_flattened_mut()[16 * q..].as_mut_ptr().cast(), x) };
        }
        Some(End { states, read, escapes })
    }

    /// Puts the columns of a tile together from the steps.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn columns_of_steps(band: &Band, strip: &Strip, tile: usize, work: &Work, columns: &mut [Column]) {
        let by_depth = band.lanes_by_depth();
        let columns = &mut columns[strip.first..];
        for (place, &col) in strip.cols.iter().enumerate() {
            let mut column = _mm256_setzero_si256();
            for (steps, &lanes) in work.steps[place..].iter().zip(&by_depth[..=band.most_depth]) {
                let scores = &steps[32 * tile..][..LANES];
                // SAFETY: the slice has the size of half a vector.
                column = unsafe { _mm256_mask_loadu_epi8(column, lanes, scores.as_ptr()) };
            }
            // SAFETY: a column has the size of half a vector.
            unsafe { _mm256_storeu_si256(columns[usize::from(col)].as_mut_ptr().cast(), column) };
        }
    }

    /// Contexts and symbols of all columns but the first.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
    fn find_symbols(band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]) {
        let half = |lanes: &[u8; LANES]| {
            // SAFETY: the array has the size of half a vector.
            unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
        };
        let column = |place: usize| {
            // SAFETY: a column has the size of half a vector.
            unsafe { _mm256_loadu_si256(scores[place].as_ptr().cast()) }
        };
        let contexts = load(&model::context_table());
        let permutation = half(&band.reference);
        let close = half(&std::array::from_fn(|lane| CLOSE * (band.close >> lane & 1) as u8));
        let root = 1u32 << band.root();
        let (one, far, near) = (_mm256_set1_epi8(1), _mm256_set1_epi8(FAR), _mm256_set1_epi8(-FAR));
        for (place, symbols) in symbols.iter_mut().enumerate().skip(1) {
            let left = usize::from(strip.reference[place]);
            let (score, l) = (column(place), column(left));
            let above = |v, parity| _mm256_mask_mov_epi8(_mm256_permutexvar_epi8(permutation, v), root, parity);
            let u = above(score, _mm256_set1_epi8(strip.parity[place]));
            let ul = above(l, _mm256_set1_epi8(strip.parity[left]));
            let (du, dl) = (_mm256_subs_epi8(u, ul), _mm256_subs_epi8(l, ul));
            let kept = _mm256_max_epi8(_mm256_adds_epi8(u, dl), _mm256_min_epi8(u, l));
            let kept = _mm256_min_epi8(kept, _mm256_max_epi8(u, l));
            let parity = _mm256_xor_si256(_mm256_ternarylogic_epi64::<0x96>(kept, u, l), ul);
            let prediction = _mm256_add_epi8(kept, _mm256_and_si256(parity, one));
            let clamped = |d| _mm256_add_epi8(_mm256_min_epi8(_mm256_max_epi8(d, near), far), far);
            let index = _mm256_add_epi8(_mm256_slli_epi16::<3>(clamped(du)), clamped(dl));
            let context = _mm512_castsi512_si256(_mm512_permutexvar_epi8(_mm512_castsi256_si512(index), contexts));
            let context = _mm256_add_epi8(context, close);
            let context = _mm256_mask_mov_epi8(context, root, _mm256_set1_epi8(ROOT_ROW as i8));
            // Twice the residual r is even: its symbol is 2r - 1 or -2r, and whatever is beyond 14 escapes.
            let difference = _mm256_sub_epi8(score, prediction);
            let magnitude = _mm256_abs_epi8(difference);
            let positive = _mm256_cmpgt_epi8_mask(difference, _mm256_setzero_si256());
            let symbol = _mm256_mask_sub_epi8(magnitude, positive, magnitude, one);
            let symbol = _mm256_min_epu8(symbol, _mm256_set1_epi8(ESCAPE as i8));
            let (contexts_out, symbols_out) = symbols.split_at_mut(LANES);
            // SAFETY: the slices have the size of half a vector each.
            unsafe {
                _mm256_storeu_si256(contexts_out.as_mut_ptr().cast(), context);
                _mm256_storeu_si256(symbols_out.as_mut_ptr().cast(), symbol);
            }
        }
    }

    /// Codes the symbols from the last to the first.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
    fn encode_steps(
        band: &Band,
        scores: &[Column],
        symbols: &[Symbols],
        table: &EncodeTable,
        code: &mut Vec<u8>,
        bytes: &mut Vec<u8>,
    ) {
        let (n_cols, depth) = (scores.len(), band.most_depth);
        let by_depth = band.lanes_by_depth();
        // A symbol makes a byte at most; the code grows down from the end.
        code.resize(n_cols * LANES, 0);
        let mut at = code.len();
        let mut escapes = Vec::new();
        let mut x = [_mm512_set1_epi32(LEAST_STATE as i32); 2];
        let byte = _mm512_set1_epi32(255);
        for step in (0..n_cols + depth).rev() {
            let mut both = _mm512_setzero_si512();
            let mut active = 0u32;
            for d in (step + 1).saturating_sub(n_cols)..=depth.min(step) {
                let lanes = by_depth[d];
                active |= lanes;
                let lanes = u64::from(lanes) | u64::from(lanes) << 32;
                // SAFETY: the array has the size of a vector.
                both = unsafe { _mm512_mask_loadu_epi8(both, lanes, symbols[step - d].as_ptr().cast()) };
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
                let start = _mm512_and_si512(_mm512_srli_epi32::<8>(slot), byte);
                let is_escape = _mm512_mask_test_epi32_mask(lanes, slot, _mm512_set1_epi32(ESCAPE_BIT));
                escaped |= u32::from(is_escape) << (16 * q);
                let is_full = _mm512_mask_cmpge_epu32_mask(lanes, x[q], _mm512_slli_epi32::<12>(parts));
                emitted |= u32::from(is_full) << (16 * q);
                low[q] = _mm512_cvtepi32_epi8(x[q]);
                let state = _mm512_mask_srli_epi32::<8>(x[q], is_full, x[q]);
                // States are below 2^20, quotients below 2^12: half added, no rounding reaches the next integer.
                let half = _mm512_add_ps(_mm512_cvtepi32_ps(state), _mm512_set1_ps(0.5));
                let quotient = _mm512_cvttps_epi32(_mm512_div_ps(half, _mm512_cvtepi32_ps(parts)));
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
}

/// No machine of this architecture has the instructions.
#[cfg(not(target_arch = "x86_64"))]
mod none {
    use super::Work;
    use crate::matrix::frequencies::Frequencies;
    use crate::matrix::model::SYMBOLS;
    use crate::matrix::scalar::Symbols;
    use crate::matrix::tile::{Band, Column, Parts, Strip};

    /// Cannot be made.
    #[derive(Clone, Copy, Debug)]
    pub(in crate::matrix) enum Avx512 {}

    pub(in crate::matrix) struct EncodeTable;

    impl EncodeTable {
        pub(in crate::matrix) fn new(_: &Frequencies) -> Self {
            Self
        }
    }

    impl Avx512 {
        pub(in crate::matrix) fn new() -> Option<Self> {
            None
        }

        pub(in crate::matrix) fn decode(
            self,
            _: &Band,
            _: [Option<(&Strip, Parts<'_>)>; 2],
            _: &[[u8; 64]; SYMBOLS - 1],
            _: &mut Work,
            _: &mut [Column],
        ) -> bool {
            match self {}
        }

        pub(in crate::matrix) fn decode_one(
            self,
            _: &Band,
            _: (&Strip, Parts<'_>),
            _: &[[u8; 64]; SYMBOLS - 1],
            _: &mut Work,
            _: usize,
            _: usize,
        ) -> Option<i8> {
            match self {}
        }

        pub(in crate::matrix) fn symbols(self, _: &Band, _: &Strip, _: &[Column], _: &mut [Symbols]) {
            match self {}
        }

        pub(in crate::matrix) fn encode(
            self,
            _: &Band,
            _: &[Column],
            _: &[Symbols],
            _: &EncodeTable,
            _: &mut Vec<u8>,
            _: &mut Vec<u8>,
        ) {
            match self {}
        }
    }
}
