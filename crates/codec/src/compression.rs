//! Compressions: a compression is a way to code the matrix of a slab, or to read parts of it.

use std::fmt;

use crate::block_table::Size;
#[cfg(feature = "encode")]
use crate::block_writer::BlockWriter;
use crate::encoded::Encoded;
use crate::parity::Parities;
use crate::source::Source;
use crate::{Crew, Damage, Decoded, Fault, Shape, Wanted};

/// Judges decoded scores: some neighbours of a row, or several rows.
pub type CheckScores<'a> = &'a (dyn Fn(&[i8]) -> Result<(), Damage> + Sync);

/// The effort of finding a short code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A small part of the time of a solve.
    Run,
    /// Several percent fewer bytes, many times the search.
    Book,
}

/// A way to code matrices of scores in blocks.
pub(crate) trait Compression: fmt::Debug + Sync {
    /// Whether it codes matrices of this size.
    fn suits(&self, size: Size) -> bool;

    /// Number of blocks.
    fn n_blocks(&self, size: Size) -> usize;

    /// Bytes of the key: what several blocks are decoded with.
    fn key_len(&self, size: Size) -> usize;

    /// The seals of all blocks, equally long, one after the other: each is a checksum of the part of the key that the block is
    /// decoded with. The checksum of a block covers its seal, so that it can be trusted without the rest of the key.
    fn seals(&self, size: Size, key: &[u8]) -> Vec<u8>;

    /// Hands the key, if there is one, and then all blocks to `out`.
    #[cfg(feature = "encode")]
    fn encode(&self, scores: &[i8], parities: &Parities, effort: Effort, crew: Crew, out: &mut BlockWriter<'_>);

    /// The part of the scores in blocks that hold wanted ones, as far as it follows from the size.
    fn part(&self, _size: Size, _wanted: &Wanted) -> f64 {
        1.0
    }

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
