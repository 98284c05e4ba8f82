//! The codec of large slabs: every score is predicted from a similar row and a similar column.
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
//! [`references`] finds the references from samples ([`samples`]) of the slab's own scores, so equal scores make
//! equal bytes. [`scalar`] is the definition of how tiles are coded; [`avx512`] does the same to two tiles at a time.

mod avx512;
mod decoder;
mod distances;
mod encoder;
mod frequencies;
mod key;
mod model;
mod references;
mod samples;
mod scalar;
#[cfg(test)]
mod tests;
mod tile;
mod tiling;
mod transpose;

pub(crate) use decoder::{Decoder, TileDecoder};
pub(crate) use encoder::Encoder;
pub(crate) use key::{KeyPart, Seals};
pub(crate) use samples::Effort;
pub(crate) use tile::Column;
pub(crate) use tiling::{Tile, Tiling};

use self::tile::{Band, Parts, Strip};
use crate::Damage;

/// Rows of a band, lanes of a vector.
const LANES: usize = 32;

/// A tile, and all that it is decoded by but the frequencies.
#[derive(Clone, Copy)]
struct TileToDecode<'a> {
    band: &'a Band,
    strip: &'a Strip,
    parts: Parts<'a>,
}

/// Mode byte of a tile.
pub(crate) const MODE: u8 = 4;

/// `Ok` when a block has the mode of a tile.
pub(crate) fn check_mode(mode: u8) -> Result<(), Damage> {
    Damage::check("mode of a tile", MODE, mode)
}
