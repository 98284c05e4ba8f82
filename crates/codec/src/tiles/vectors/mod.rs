//! The code that [`scalar`](super::scalar) defines, by vectors of 32 bytes: one body for every instruction set that can shuffle
//! bytes.
//!
//! What is generic over [`Simd`] must be inlined into a function that was compiled for the instruction set: an operation left in a
//! function of its own passes its vectors through memory.

mod bytes;
mod coded;
mod decode;
mod encode;
mod model;
mod search;
mod thresholds;

pub(super) use decode::Work;

use fearless_simd::Simd;

use super::TileToDecode;
use super::coder::{self, DecodeTiles, EncodeTiles};
use super::frequencies::Frequencies;
use super::scalar::Symbols;
use super::tile::{Band, Column, Strip};
use encode::Uncoded;
use thresholds::Thresholds;

/// Codes the tiles of a slab.
pub(super) struct Coder<S> {
    simd: S,
    thresholds: Thresholds,
    frequencies: Frequencies,
}

impl<S: Simd> Coder<S> {
    pub(super) fn new(simd: S, frequencies: &Frequencies) -> Self {
        Self { simd, thresholds: Thresholds::new(frequencies), frequencies: frequencies.clone() }
    }
}

impl<S: Simd> DecodeTiles for Coder<S> {
    fn decode(
        &self,
        tiles: [Option<TileToDecode<'_>>; 2],
        work: &mut coder::Work,
        columns: &mut [Vec<Column>; 2],
        sides: [usize; 2],
    ) -> bool {
        self.simd.vectorize(
            #[inline(always)]
            || decode::decode_tiles(self.simd, tiles, &self.thresholds, &mut work.vectors, columns, sides),
        )
    }

    fn decode_one(&self, tile: TileToDecode<'_>, work: &mut coder::Work, place: usize, lane: usize) -> Option<i8> {
        let step = place + usize::from(tile.band.depth[lane]);
        self.simd.vectorize(
            #[inline(always)]
            || decode::decode_steps(self.simd, tile, &self.thresholds, &mut work.vectors, step + 1),
        )?;
        Some(work.vectors.score(step, lane))
    }
}

impl<S: Simd> EncodeTiles for Coder<S> {
    fn symbols(&self, band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]) {
        self.simd.vectorize(
            #[inline(always)]
            || Uncoded::new(self.simd, band, strip, scores).find_symbols(symbols),
        );
    }

    fn encode(
        &self,
        (band, strip): (&Band, &Strip),
        scores: &[Column],
        symbols: &mut [Symbols],
        code: &mut Vec<u8>,
        bytes: &mut Vec<u8>,
    ) {
        let tables = (&self.thresholds, &self.frequencies);
        self.simd.vectorize(
            #[inline(always)]
            || encode::encode(Uncoded::new(self.simd, band, strip, scores), tables, symbols, code, bytes),
        );
    }
}
