//! The choice among the ways to code a tile by vectors.

#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::frequencies::Frequencies;
use super::scalar::Symbols;
use super::tile::{Band, Column, Strip};
use super::{TileToDecode, vectors};
use dab_isa::{Isa, Set};

/// Memory of a decoder, whichever it is.
#[derive(Default)]
pub(super) struct Work {
    pub(super) vectors: vectors::Work,
    #[cfg(target_arch = "x86_64")]
    pub(super) avx512: avx512::Work,
}

/// Decodes tiles of a slab by vectors.
pub(super) trait DecodeTiles: Send + Sync {
    /// Decodes one or two tiles, each into the columns that are its side. False if one of them is damaged: then columns
    /// hold anything.
    fn decode(
        &self,
        tiles: [Option<TileToDecode<'_>>; 2],
        work: &mut Work,
        columns: &mut [Vec<Column>; 2],
        sides: [usize; 2],
    ) -> bool;

    /// Decodes one score of a tile and what comes before it; `None` if the tile is damaged.
    fn decode_one(&self, tile: TileToDecode<'_>, work: &mut Work, place: usize, lane: usize) -> Option<i8>;
}

/// Encodes tiles of a slab.
pub(super) trait EncodeTiles: Send + Sync {
    /// Contexts and symbols of all columns of a tile.
    fn symbols(&self, band: &Band, strip: &Strip, scores: &[Column], symbols: &mut [Symbols]);

    /// Appends the bytes of a tile. `symbols` has room for its columns, and `code` is memory.
    fn encode(
        &self,
        tile: (&Band, &Strip),
        scores: &[Column],
        symbols: &mut [Symbols],
        code: &mut Vec<u8>,
        bytes: &mut Vec<u8>,
    );
}

/// The decoder of an instruction set; `None` where only the definition decodes.
pub(super) fn decoder(isa: Isa, frequencies: &Frequencies) -> Option<Box<dyn DecodeTiles>> {
    Some(match isa.set() {
        Set::Portable => return None,
        #[cfg(target_arch = "x86_64")]
        Set::Sse42(simd) => Box::new(vectors::Coder::new(simd, frequencies)),
        #[cfg(target_arch = "x86_64")]
        Set::Avx2(simd) => Box::new(vectors::Coder::new(simd, frequencies)),
        #[cfg(target_arch = "x86_64")]
        Set::Avx512(has) => Box::new(avx512::Decoder::new(has, frequencies)),
        #[cfg(target_arch = "aarch64")]
        Set::Neon(simd) => Box::new(vectors::Coder::new(simd, frequencies)),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Set::Simd128(simd) => Box::new(vectors::Coder::new(simd, frequencies)),
    })
}

/// The encoder of an instruction set.
pub(super) fn encoder(isa: Isa, frequencies: &Frequencies) -> Box<dyn EncodeTiles> {
    match isa.set() {
        Set::Portable => Box::new(super::scalar::Encoder::new(frequencies)),
        #[cfg(target_arch = "x86_64")]
        Set::Sse42(simd) => Box::new(vectors::Coder::new(simd, frequencies)),
        #[cfg(target_arch = "x86_64")]
        Set::Avx2(simd) => Box::new(vectors::Coder::new(simd, frequencies)),
        #[cfg(target_arch = "x86_64")]
        Set::Avx512(has) => Box::new(avx512::Encoder::new(has, frequencies)),
        #[cfg(target_arch = "aarch64")]
        Set::Neon(simd) => Box::new(vectors::Coder::new(simd, frequencies)),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Set::Simd128(simd) => Box::new(vectors::Coder::new(simd, frequencies)),
    }
}
