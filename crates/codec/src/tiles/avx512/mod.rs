//! The code that [`scalar`](super::scalar) defines, by vectors of 64 bytes.
#![allow(unsafe_code, reason = "vector instructions")]

mod decode;
mod encode;

use std::arch::x86_64::*;

use dab_isa::Avx512;

use decode::DecodeTable;
pub(in crate::tiles) use decode::Work;
use encode::EncodeTable;

use crate::tiles::TileToDecode;
use crate::tiles::coder::{self, DecodeTiles, EncodeTiles};
use crate::tiles::frequencies::Frequencies;
use crate::tiles::model::{self, CLOSE, FAR, ROOT_ROW};
use crate::tiles::scalar::{self, Symbols};
use crate::tiles::tile::{Band, Column, Strip};

/// Decodes the tiles of a slab.
pub(in crate::tiles) struct Decoder(DecodeTable);

impl Decoder {
    pub(in crate::tiles) fn new(_: Avx512, frequencies: &Frequencies) -> Self {
        Self(DecodeTable::new(frequencies))
    }
}

impl DecodeTiles for Decoder {
    fn decode(
        &self,
        tiles: [Option<TileToDecode<'_>>; 2],
        work: &mut coder::Work,
        columns: &mut [Vec<Column>; 2],
        sides: [usize; 2],
    ) -> bool {
        // SAFETY: `self` was made on a machine with these instructions.
        unsafe { decode::decode_tiles(tiles, &self.0, &mut work.avx512, columns, sides) }
    }

    fn decode_one(&self, tile: TileToDecode<'_>, work: &mut coder::Work, place: usize, lane: usize) -> Option<i8> {
        let step = place + usize::from(tile.band.depth[lane]);
        // SAFETY: `self` was made on a machine with these instructions.
        unsafe { decode::decode_steps(tile, &self.0, &mut work.avx512, step + 1) }?;
        Some(work.avx512.score(step, lane))
    }
}

/// Encodes the tiles of a slab.
pub(in crate::tiles) struct Encoder(EncodeTable);

impl Encoder {
    pub(in crate::tiles) fn new(_: Avx512, frequencies: &Frequencies) -> Self {
        Self(EncodeTable::new(frequencies))
    }
}

impl EncodeTiles for Encoder {
    fn symbols(&self, band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]) {
        assert!(scores.len() == strip.n_cols() && symbols.len() == scores.len());
        scalar::symbols_of(band, strip, scores, 0, &mut symbols[0]);
        // SAFETY: `self` was made on a machine with these instructions.
        unsafe { encode::find_symbols(band, strip, scores, symbols) };
    }

    fn encode(
        &self,
        (band, strip): (&Band, &Strip),
        scores: &[Column],
        symbols: &mut [Symbols],
        code: &mut Vec<u8>,
        bytes: &mut Vec<u8>,
    ) {
        self.symbols(band, strip, scores, symbols);
        // SAFETY: `self` was made on a machine with these instructions.
        unsafe { encode::encode_steps(band, scores, symbols, &self.0, code, bytes) };
    }
}

#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has the size of a vector.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The [`model`] for 64 scores at a time.
pub(super) struct Model {
    contexts: __m512i,
    close: __m512i,
}

impl Model {
    /// The model of scores of which 1 marks those in rows that are close to their reference rows.
    #[target_feature(enable = "avx512f")]
    pub(super) fn new(close: [u8; 64]) -> Self {
        Self { contexts: load(&model::context_table()), close: load(&close.map(|close| CLOSE * close)) }
    }

    /// Predictions and contexts outside the root column; `roots` are in the root row.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    pub(super) fn predict(&self, u: __m512i, l: __m512i, ul: __m512i, roots: u64) -> (__m512i, __m512i) {
        let (far, near) = (_mm512_set1_epi8(FAR), _mm512_set1_epi8(-FAR));
        let (du, dl) = (_mm512_subs_epi8(u, ul), _mm512_subs_epi8(l, ul));
        let kept = _mm512_max_epi8(_mm512_adds_epi8(u, dl), _mm512_min_epi8(u, l));
        let kept = _mm512_min_epi8(kept, _mm512_max_epi8(u, l));
        let parity = _mm512_xor_si512(_mm512_ternarylogic_epi64::<0x96>(kept, u, l), ul);
        let prediction = _mm512_add_epi8(kept, _mm512_and_si512(parity, _mm512_set1_epi8(1)));
        let clamped = |d| _mm512_add_epi8(_mm512_min_epi8(_mm512_max_epi8(d, near), far), far);
        let index = _mm512_add_epi8(_mm512_slli_epi16::<3>(clamped(du)), clamped(dl));
        let context = _mm512_add_epi8(_mm512_permutexvar_epi8(index, self.contexts), self.close);
        (prediction, _mm512_mask_mov_epi8(context, roots, _mm512_set1_epi8(ROOT_ROW as i8)))
    }
}
