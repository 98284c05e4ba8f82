//! A matrix of scores becomes bytes, and bytes become scores again. This crate knows neither files nor the game.
//!
//! ```text
//!   scores, row-major, and a parity for each row and column ([`Shape`])
//!     |
//!     |  a compression, the first one listed that suits the size: `Tiles` for large matrices, else `Plain`
//!     v
//!   key, block 0, block 1, ...                 a block can be decoded by itself, with a part of the key
//!     |
//!     |  [`Payload`]: places, modes and checksums of the blocks
//!     v
//!   | key | block table | crc32 | block 0 | block 1 | ...        bytes of a slab's record in a score file
//! ```
//!
//! [`Payload`] makes such bytes, decodes them as a whole or at some places, and reads from a file what one score needs. Equal scores
//! make equal bytes, by one thread or by many ([`Crew`]). No byte is decoded before its checksum.
//!
//! **Another compression** is a file that implements the trait `Compression` below, and a line in `COMPRESSIONS`.
//!
//! Without the feature `encode` zstd is read in Rust, and what only encodes large matrices is left out: its many vectors take long to compile.
#![forbid(unsafe_code)]
// Nothing calls the encoders of a program that only reads, nor the vectors of a machine that has none.
#![cfg_attr(
    any(
        not(feature = "encode"),
        not(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))
    ),
    allow(dead_code, unused_imports, unused_variables)
)]

mod crew;
mod damage;
mod encoded;
mod parity;
mod part;
mod payload;
mod plain;
mod source;
mod tiles;

use std::fmt;

use encoded::{Blocks, Encoded};
use parity::Parities;
use payload::{BlockWriter, Size};
use source::Source;

pub use crew::{Crew, SHARED_OUT};
pub use damage::{Damage, Fault, ReadError};
pub use encoded::Body;
pub use parity::Shape;
pub use part::{Decoded, Wanted};
pub use payload::{CheckScores, Payload};

/// All compressions. The first one that suits the size of a matrix codes it.
const COMPRESSIONS: [&dyn Compression; 2] = [&tiles::Tiles, &plain::Plain];

/// The effort of finding a short code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A small part of the time of a solve.
    Run,
    /// Several percent fewer bytes, many times the search.
    Book,
}

/// A way to code matrices of scores in blocks.
trait Compression: fmt::Debug + Sync {
    /// Whether it codes matrices of this size.
    fn suits(&self, size: Size) -> bool;

    /// Number of blocks.
    fn n_blocks(&self, size: Size) -> usize;

    /// Most bytes of a block, whatever its scores: a reader allocates no more for it.
    fn most_bytes(&self, size: Size, block: usize) -> u64;

    /// Bytes of the key: what several blocks are decoded with.
    fn key_len(&self, size: Size) -> usize;

    /// The seals of all blocks, equally long, one after the other: each is a checksum of the part of the key that the block is
    /// decoded with. The checksum of a block covers its seal, so that it can be trusted without the rest of the key.
    fn seals(&self, size: Size, key: &[u8]) -> Vec<u8>;

    /// Hands the key, if there is one, and then all blocks to `out`.
    #[cfg(feature = "encode")]
    fn encode(&self, scores: &[i8], parities: &Parities, effort: Effort, crew: Crew, out: &mut BlockWriter<'_>);

    /// Decodes the blocks that hold wanted scores and are not decoded yet; hands each stretch of their scores to `check`.
    fn decode(
        &self,
        from: &Encoded<'_>,
        parities: &Parities,
        crew: Crew,
        part: (&Wanted, &mut Decoded, &mut [i8]),
        check: CheckScores<'_>,
    ) -> Result<(), Fault>;

    /// The scores at some places, given by `row * cols + col`, in their order: decodes the blocks that they are in.
    fn decode_some(&self, from: &Encoded<'_>, parities: &Parities, places: &[usize]) -> Result<Vec<i8>, Fault>;

    /// The score at (row, column): reads what it needs of the key and one block into `bytes`.
    fn decode_one(
        &self,
        from: &Source<'_>,
        shape: Shape<'_>,
        place: (usize, usize),
        bytes: &mut Vec<u8>,
    ) -> Result<i8, Fault>;
}

#[cfg(test)]
#[path = "../tests/laws.rs"]
mod tests;
