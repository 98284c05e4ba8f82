//! The code that [`scalar`](super::scalar) defines, by vectors of 32 bytes: one body for every instruction set. One that cannot
//! shuffle bytes looks them up one by one, and does all else by vectors.
//!
//! What is generic over [`Simd`] must be inlined into a function that was compiled for the instruction set: an operation left in a
//! function of its own passes its vectors through memory.

mod bytes;
mod coded;
mod decode;
#[cfg(feature = "encode")]
mod encode;
mod model;
mod search;
#[cfg(feature = "encode")]
mod slots;
mod thresholds;

pub(super) use decode::Work;

use fearless_simd::Simd;

use super::TileToDecode;
use super::coder::TileCoder;
use super::frequencies::Frequencies;
use super::scalar::Symbols;
use super::tile::{Band, Column, Strip, Values};
#[cfg(feature = "encode")]
use slots::Uncoded;
use thresholds::Thresholds;

/// Whether the machine permutes 64 bytes as they come, and compresses and expands vectors. Elsewhere these are many instructions.
#[inline(always)]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "only x86-64 has such machines"))]
fn permutes<S: Simd>(simd: S) -> bool {
    #[cfg(target_arch = "x86_64")]
    let permutes = simd.level().as_avx512().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    let permutes = false;
    permutes
}

/// Whether the machine shuffles bytes, by an index for each.
#[inline(always)]
fn shuffles<S: Simd>(simd: S) -> bool {
    #[cfg(target_arch = "x86_64")]
    let shuffles = simd.level().as_sse4_2().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    let shuffles = !simd.level().is_fallback();
    shuffles
}

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

    fn marks(&self) -> bool {
        self.frequencies.marks.is_some()
    }
}

impl<S: Simd> TileCoder for Coder<S> {
    fn decode(
        &self,
        tiles: (TileToDecode<'_>, Option<TileToDecode<'_>>),
        work: &mut Work,
        columns: &mut [Vec<Column>; 2],
    ) -> bool {
        self.simd.vectorize(
            #[inline(always)]
            || decode::decode_tiles(self.simd, tiles, (&self.thresholds, self.marks()), work, columns),
        )
    }

    fn decode_one(&self, tile: TileToDecode<'_>, work: &mut Work, place: usize, lane: usize) -> Option<i8> {
        let step = place + usize::from(tile.band.depth[lane]);
        self.simd.vectorize(
            #[inline(always)]
            || decode::decode_steps(self.simd, tile, (&self.thresholds, self.marks()), work, step + 1),
        )?;
        Some(work.value(step, lane, self.marks()))
    }

    #[cfg(feature = "encode")]
    fn symbols(&self, band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]) {
        self.simd.vectorize(
            #[inline(always)]
            || Uncoded::new(self.simd, band, strip, scores).find_symbols(symbols),
        );
    }

    #[cfg(feature = "encode")]
    fn mark_symbols(&self, band: &Band, strip: &Strip, scores: &[Column], marks: &[Column], symbols: &mut [Symbols]) {
        self.simd.vectorize(
            #[inline(always)]
            || Uncoded::new(self.simd, band, strip, scores).find_marks(marks, symbols),
        );
    }

    #[cfg(feature = "encode")]
    fn encode(
        &self,
        (band, strip): (&Band, &Strip),
        Values { scores, marks }: Values<'_>,
        symbols: &mut [Symbols],
        code: &mut Vec<u8>,
        bytes: &mut Vec<u8>,
    ) {
        let tables = (&self.thresholds, &self.frequencies);
        self.simd.vectorize(
            #[inline(always)]
            || encode::encode((Uncoded::new(self.simd, band, strip, scores), marks), tables, symbols, code, bytes),
        );
    }
}
