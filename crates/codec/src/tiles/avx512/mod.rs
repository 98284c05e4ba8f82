//! The code that [`scalar`](super::scalar) defines, by vectors of 64 bytes. Portable builds fall back on the definition.
#![allow(unsafe_code, reason = "vector instructions")]

#[cfg(target_arch = "x86_64")]
mod decode;
#[cfg(target_arch = "x86_64")]
mod encode;

#[cfg(not(target_arch = "x86_64"))]
pub(super) use none::*;
#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::*;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    pub(in crate::tiles) use super::decode::{DecodeTable, Work};
    pub(in crate::tiles) use super::encode::EncodeTable;
    use super::{decode, encode};
    use crate::tiles::TileToDecode;
    use crate::tiles::model::{self, CLOSE, FAR, ROOT_ROW};
    use crate::tiles::scalar::{self, Symbols};
    use crate::tiles::tile::{Band, Column, Strip};

    /// A machine with these instructions: only [`Avx512::new`] makes one.
    #[derive(Clone, Copy, Debug)]
    pub(in crate::tiles) struct Avx512(());

    impl Avx512 {
        /// `None` if this machine lacks an instruction.
        pub(in crate::tiles) fn new() -> Option<Self> {
            let has = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            has.then_some(Self(()))
        }

        /// Decodes one or two tiles, each into the columns that are its side. False if one of them is damaged: then columns
        /// hold anything.
        pub(in crate::tiles) fn decode(
            self,
            tiles: [Option<TileToDecode<'_>>; 2],
            table: &DecodeTable,
            work: &mut Work,
            columns: &mut [Vec<Column>; 2],
            sides: [usize; 2],
        ) -> bool {
            // SAFETY: `self` was made on a machine with these instructions.
            unsafe { decode::decode_tiles(tiles, table, work, columns, sides) }
        }

        /// Decodes one score of a tile and what comes before it; `None` if the tile is damaged.
        pub(in crate::tiles) fn decode_one(
            self,
            tile: TileToDecode<'_>,
            table: &DecodeTable,
            work: &mut Work,
            place: usize,
            lane: usize,
        ) -> Option<i8> {
            let step = place + usize::from(tile.band.depth[lane]);
            // SAFETY: `self` was made on a machine with these instructions.
            unsafe { decode::decode_steps(tile, table, work, step + 1) }?;
            Some(work.score(step, lane))
        }

        /// As [`scalar::symbols`].
        pub(in crate::tiles) fn symbols(self, band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]) {
            assert!(scores.len() == strip.n_cols() && symbols.len() == scores.len());
            scalar::symbols_of(band, strip, scores, 0, &mut symbols[0]);
            // SAFETY: `self` was made on a machine with these instructions.
            unsafe { encode::find_symbols(band, strip, scores, symbols) };
        }

        /// As [`scalar::encode`]; afterwards `symbols` holds anything.
        pub(in crate::tiles) fn encode(
            self,
            band: &Band,
            scores: &[Column],
            symbols: &mut [Symbols],
            table: &EncodeTable,
            code: &mut Vec<u8>,
            bytes: &mut Vec<u8>,
        ) {
            assert!(symbols.len() >= scores.len());
            // SAFETY: `self` was made on a machine with these instructions.
            unsafe { encode::encode_steps(band, scores, symbols, table, code, bytes) };
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) fn load(bytes: &[u8; 64]) -> __m512i {
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
}

/// No machine of this architecture has the instructions.
#[cfg(not(target_arch = "x86_64"))]
mod none {
    use crate::tiles::TileToDecode;
    use crate::tiles::frequencies::Frequencies;
    use crate::tiles::scalar::Symbols;
    use crate::tiles::tile::{Band, Column, Strip};

    /// Cannot be made.
    #[derive(Clone, Copy, Debug)]
    pub(in crate::tiles) enum Avx512 {}

    #[derive(Default)]
    pub(in crate::tiles) struct Work;

    pub(in crate::tiles) struct DecodeTable;

    impl DecodeTable {
        pub(in crate::tiles) fn new(_: &Frequencies) -> Self {
            Self
        }
    }

    pub(in crate::tiles) struct EncodeTable;

    impl EncodeTable {
        pub(in crate::tiles) fn new(_: &Frequencies) -> Self {
            Self
        }
    }

    impl Avx512 {
        pub(in crate::tiles) fn new() -> Option<Self> {
            None
        }

        pub(in crate::tiles) fn decode(
            self,
            _: [Option<TileToDecode<'_>>; 2],
            _: &DecodeTable,
            _: &mut Work,
            _: &mut [Vec<Column>; 2],
            _: [usize; 2],
        ) -> bool {
            match self {}
        }

        pub(in crate::tiles) fn decode_one(
            self,
            _: TileToDecode<'_>,
            _: &DecodeTable,
            _: &mut Work,
            _: usize,
            _: usize,
        ) -> Option<i8> {
            match self {}
        }

        pub(in crate::tiles) fn symbols(self, _: &Band, _: &Strip, _: &[Column], _: &mut [Symbols]) {
            match self {}
        }

        pub(in crate::tiles) fn encode(
            self,
            _: &Band,
            _: &[Column],
            _: &mut [Symbols],
            _: &EncodeTable,
            _: &mut Vec<u8>,
            _: &mut Vec<u8>,
        ) {
            match self {}
        }
    }
}
