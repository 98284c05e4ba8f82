//! The compression of large matrices: every score is predicted from a similar row and a similar column.
//!
//! Rows of a slab come in families that hardly differ, and so do its columns. A row `r` has a *reference row* `u`, a
//! column `c` a *reference column* `l`, and three known scores predict a fourth:
//!
//! ```text
//!             column l        column c
//!  row u      UL              U               planar = U + (L - UL)
//!  row r      L               score           prediction = planar, kept between U and L, made of the right parity
//!                                             residual = (score - prediction) / 2
//! ```
//!
//! Two thirds of the residuals are 0. The differences `U - UL` and `L - UL` tell how safe a prediction is, so they are
//! the *context* in which a residual is coded ([`model`]); each slab has a table of frequencies for each context
//! ([`frequencies`]), and range coding by asymmetric numeral systems (rANS, Duda 2013) spends as many bits as these
//! say ([`tile`]).
//!
//! A *band* is up to 32 similar rows, a *strip* up to 512 neighbouring columns, and a band in a strip is a *tile*: a
//! block of the file. References stay within band and strip, so a tile is decoded by itself. The rows of a band are
//! the lanes of a vector. A row lags behind its reference row by one column, so that all lanes advance at once and
//! everything that a step reads was decoded in an earlier step:
//!
//! ```text
//!  step           0   1   2   3   4   ...          lane 0 refers to nothing, lanes 1 and 2 to lane 0, lane 3 to 1
//!  lane 0         c0  c1  c2  c3  c4
//!  lane 1             c0  c1  c2  c3               U  = the last step, permuted by reference lane
//!  lane 2             c0  c1  c2  c3               L  = an earlier step, one vector load for each depth
//!  lane 3                 c0  c1  c2               UL = the L of the last step, permuted likewise
//! ```
//!
//! Marks have a model of their own ([`marks`]). They are coded step by step like scores, after all scores of their tile, by the same states.
//!
//! [`references`] finds the references from samples ([`samples`]) of the slab's own scores, so equal scores make
//! equal bytes. [`scalar`] is the definition of how tiles are decoded; [`vectors`] does the same to 32 scores at a time.

mod decoder;
#[cfg(all(test, feature = "encode"))]
mod definition;
#[cfg(feature = "encode")]
mod distances;
#[cfg(feature = "encode")]
mod encoder;
mod frequencies;
mod key;
mod marks;
mod model;
#[cfg(feature = "encode")]
mod references;
#[cfg(feature = "encode")]
mod samples;
mod scalar;
#[cfg(all(test, feature = "encode"))]
mod tests;
mod tile;
mod tiling;
mod transpose;
mod vectors;

use decoder::{Decoder, MODE, TileDecoder, check_mode, tile_of};
#[cfg(feature = "encode")]
use encoder::Encoder;
use key::KeyPart;
use tiling::Tiling;

use crate::block_table::Size;
#[cfg(feature = "encode")]
use crate::block_writer::BlockWriter;
use crate::compression::{CheckScores, Compression, Effort};
use crate::encoded::Encoded;
use crate::parity::Parities;
use crate::source::Source;
use crate::{Crew, Decoded, Fault, Shape, Wanted};

/// Bytes of a key that one read costs less for than reads of its parts.
const KEY_AT_ONCE: usize = 1 << 13;

/// Suits large matrices.
#[derive(Debug)]
pub(crate) struct Tiles;

impl Compression for Tiles {
    fn suits(&self, size: Size) -> bool {
        Tiling::of(size.rows, size.cols, size.block_positions).is_some()
    }

    fn n_blocks(&self, size: Size) -> usize {
        tiling(size).n_tiles()
    }

    fn key_len(&self, size: Size) -> usize {
        tiling(size).key_len()
    }

    fn seals(&self, size: Size, key: &[u8]) -> Vec<u8> {
        key::seals(tiling(size), key)
    }

    fn part(&self, size: Size, wanted: &Wanted) -> f64 {
        tiling(size).part(wanted)
    }

    #[cfg(feature = "encode")]
    fn encode(&self, scores: &[i8], parities: &Parities, effort: Effort, crew: Crew, out: &mut BlockWriter<'_>) {
        let encoder = Encoder::new(tiling(out.table.size), scores, parities, effort, crew);
        let key = encoder.key();
        out.key(key, self.seals(out.table.size, key));
        encoder.for_each_tile(|tile| out.block(MODE, tile));
    }

    fn decode(
        &self,
        from: &Encoded<'_>,
        parities: &Parities,
        crew: Crew,
        (wanted, decoded, scores): (&Wanted, &mut Decoded, &mut [i8]),
        check: CheckScores<'_>,
    ) -> Result<(), Fault> {
        let decoder = Decoder::new(tiling(from.table.size), from.key(), parities)?;
        let missing = decoder.missing(wanted, decoded);
        decoder.some(crew, from, &missing, scores, check)?;
        decoder.note(&missing, decoded);
        Ok(())
    }

    fn decode_some(&self, from: &Encoded<'_>, parities: &Parities, places: &[usize]) -> Result<Vec<i8>, Fault> {
        let decoder = Decoder::new(tiling(from.table.size), from.key(), parities)?;
        let (located, mut found) = (decoder.locate(places), vec![0; places.len()]);
        let (mut order, mut room): (Vec<usize>, _) = ((0..places.len()).collect(), Vec::new());
        order.sort_unstable_by_key(|&i| located[i].block);
        for wanted in order.chunk_by(|&a, &b| located[a].block == located[b].block) {
            let block = located[wanted[0]].block;
            let blocks = from.blocks(block..block + 1, &mut room).map_err(Fault::in_block(block))?;
            decoder.tile(block, tile_of(from, block, &blocks), |columns| {
                wanted.iter().for_each(|&i| found[i] = columns[located[i].col][located[i].lane]);
            })?;
        }
        Ok(found)
    }

    fn decode_one(
        &self,
        from: &Source<'_>,
        shape: Shape<'_>,
        place: (usize, usize),
        bytes: &mut Vec<u8>,
    ) -> Result<i8, Fault> {
        let tiling = tiling(from.table.size);
        let tile = tiling.tile(place.0, place.1);
        let ranges = tile.key_ranges(tiling);
        bytes.clear();
        let key = if ranges[2].end <= KEY_AT_ONCE {
            from.key(0..ranges[2].end, bytes)?;
            KeyPart::of(bytes, &tile, tiling)
        } else {
            ranges.iter().try_for_each(|range| from.key(range.clone(), bytes))?;
            KeyPart::of_ranges(bytes, &ranges)
        };
        let seal = key.seal();
        let decoder = TileDecoder::new(tiling, &tile, &key, shape, place)?;
        let mode = from.block(decoder.block, tiling.most_bytes(), &seal, bytes)?;
        check_mode(mode).and_then(|()| decoder.score(bytes)).map_err(Fault::in_block(decoder.block))
    }
}

fn tiling(size: Size) -> Tiling {
    let tiling = Tiling::of(size.rows, size.cols, size.block_positions);
    tiling.expect("it was chosen because it suits").with_marks(size.marks)
}
