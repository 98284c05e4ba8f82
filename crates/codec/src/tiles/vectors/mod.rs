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
mod machine;
mod model;
mod search;
#[cfg(feature = "encode")]
mod slots;
#[cfg(all(test, feature = "encode"))]
mod tests;
mod thresholds;

pub(super) use decode::Work;

use dab_isa::Isa;
use fearless_simd::{Simd, dispatch};

use super::frequencies::Frequencies;
use super::scalar::Symbols;
use super::tile::{Band, Column, Strip, TileToDecode, Values};
#[cfg(feature = "encode")]
use slots::Uncoded;
use thresholds::Thresholds;

/// Codes the tiles of a slab.
pub(super) trait TileCoder: Send + Sync {
    /// Decodes one or two tiles, each into its columns. False if one of them is damaged: then columns hold anything.
    fn decode(
        &self,
        tiles: (TileToDecode<'_>, Option<TileToDecode<'_>>),
        work: &mut Work,
        columns: &mut [Vec<Column>; 2],
    ) -> bool;

    /// Decodes one score of a tile and what comes before it; `None` if the tile is damaged.
    fn decode_one(&self, tile: TileToDecode<'_>, work: &mut Work, place: usize, lane: usize) -> Option<i8>;

    /// Contexts and symbols of all columns of a tile.
    #[cfg(feature = "encode")]
    fn symbols(&self, band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]);

    /// Contexts and marks of all columns of a tile with these scores.
    #[cfg(feature = "encode")]
    fn mark_symbols(&self, band: &Band, strip: &Strip, scores: &[Column], marks: &[Column], symbols: &mut [Symbols]);

    /// Appends the bytes of a tile, which has marks if the frequencies have some. `symbols` has room for its columns, and `code` is memory.
    #[cfg(feature = "encode")]
    fn encode(
        &self,
        tile: (&Band, &Strip),
        values: Values<'_>,
        symbols: &mut [Symbols],
        code: &mut Vec<u8>,
        bytes: &mut Vec<u8>,
    );
}

/// The coder of an instruction set.
pub(super) fn coder(isa: Isa, frequencies: &Frequencies) -> Box<dyn TileCoder> {
    dispatch!(isa.level(), simd => Box::new(Coder::new(simd, frequencies)) as Box<dyn TileCoder>)
}

/// Does so by the vectors of an instruction set.
struct Coder<S> {
    simd: S,
    thresholds: Thresholds,
    frequencies: Frequencies,
}

impl<S: Simd> Coder<S> {
    fn new(simd: S, frequencies: &Frequencies) -> Self {
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
