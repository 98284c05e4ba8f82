//! The payload of a matrix: key and blocks of its compression, with the places and checksums of the blocks.
//!
//! Which compression it is, and the number of blocks, follow from the size of the matrix.

use crate::block_table::{BlockTable, Entry, Size};
#[cfg(feature = "encode")]
use crate::block_writer::BlockWriter;
use crate::compression::{CheckScores, Compression, Effort};
use crate::encoded::{Blocks, Body, Encoded};
use crate::parity::Parities;
use crate::source::{Read, Source};
use crate::{Crew, Damage, Decoded, Fault, Shape, Wanted, plain, tiles};

/// All compressions. The first one that suits the size of a matrix codes it.
const COMPRESSIONS: [&dyn Compression; 2] = [&tiles::Tiles, &plain::Plain];

/// The payload of a slab: its layout, and the way to make and read it.
#[derive(Clone, Copy, Debug)]
pub struct Payload {
    compression: &'static dyn Compression,
    table: BlockTable,
}

impl Payload {
    /// The payload of a slab of a layer with so many rows and columns, with so many positions a block, of scores or of values with marks.
    ///
    /// # Errors
    /// The slab is larger than memory can address.
    pub fn new(
        place: (u32, u64),
        (rows, cols): (u32, u32),
        block_positions: usize,
        marks: bool,
    ) -> Result<Self, Damage> {
        let size = Size { rows: rows as usize, cols: cols as usize, block_positions, marks };
        let payload = || {
            size.rows.checked_mul(size.cols)?;
            let &compression = COMPRESSIONS.iter().find(|by| by.suits(size))?;
            let (key_len, n_blocks) = (compression.key_len(size), compression.n_blocks(size));
            Some(Self { compression, table: BlockTable::new(place, size, key_len, n_blocks)? })
        };
        payload().ok_or_else(|| {
            let expected = "a slab that memory can address".into();
            Damage::Field { what: "shape", expected, got: format!("{rows} x {cols}") }
        })
    }

    /// Length of the head: everything before the first block.
    #[inline]
    pub fn head_len(&self) -> usize {
        self.table.head_len
    }

    /// Bytes of key and block table, if there is a key.
    pub fn keyed_overhead(&self) -> Option<u64> {
        (self.table.key_len > 0).then_some(self.table.len() as u64)
    }

    /// The part of its scores that is decoded where these are wanted, as far as it follows from the size. Rows of a block of a large slab
    /// resemble each other; they count as neighbours here.
    pub fn part(&self, wanted: &Wanted) -> f64 {
        self.compression.part(self.table.size, wanted)
    }

    /// Length in bytes, as the block table in this head says.
    ///
    /// # Errors
    /// The end of the last block lies before that of another one.
    pub fn byte_len(&self, head: &[u8]) -> Result<u64, Damage> {
        let last = self.table.n_blocks.checked_sub(1);
        let body_len =
            last.map_or(Ok(0), |block| Ok(Entry::parse(&head[self.table.entry(block)], u64::MAX)?.range.end));
        Ok((self.table.head_len as u64).saturating_add(body_len?))
    }

    /// Appends the payload of these scores, row-major. The checksum at the end of the head stays 0.
    ///
    /// # Panics
    /// When the number of scores is not that of the matrix.
    #[cfg(feature = "encode")]
    pub fn encode(self, shape: Shape<'_>, scores: &[i8], effort: Effort, crew: Crew, bytes: &mut Vec<u8>) {
        assert_eq!(scores.len(), self.table.size.positions(), "the scores are those of another matrix");
        let mut out = BlockWriter::new(self.table, bytes);
        self.compression.encode(scores, &Parities::of(shape), effort, crew.for_slab(scores.len()), &mut out);
        out.finish();
    }

    /// Decodes the scores, row-major, that are wanted and not decoded yet; others of their blocks, too. The owner of the bytes has
    /// checked the head, and that the body is as long as it says. All that is decoded is handed to `check`.
    ///
    /// # Errors
    /// The key or a block is damaged, or a check fails; scores of other blocks may have been written.
    ///
    /// # Panics
    /// When the head has fewer bytes than it should have.
    pub fn decode(
        self,
        (head, body): (&[u8], Body<'_>),
        shape: Shape<'_>,
        crew: Crew,
        (wanted, decoded, scores): (&Wanted, &mut Decoded, &mut [i8]),
        check: CheckScores<'_>,
    ) -> Result<(), Fault> {
        let crew = crew.for_slab(scores.len());
        let part = (wanted, decoded, scores);
        self.compression.decode(&self.encoded(head, body), &Parities::of(shape), crew, part, check)
    }

    /// The scores at some places, given by `row * cols + col`, in their order: decodes the blocks that they are in. Else as
    /// [`Payload::decode`].
    ///
    /// # Errors
    /// The key or one of these blocks is damaged.
    ///
    /// # Panics
    /// When a place lies outside the slab.
    pub fn scores(self, (head, body): (&[u8], Body<'_>), shape: Shape<'_>, places: &[usize]) -> Result<Vec<i8>, Fault> {
        let positions = self.table.size.positions();
        assert!(places.iter().all(|&place| place < positions), "a place lies outside the slab");
        self.compression.decode_some(&self.encoded(head, body), &Parities::of(shape), places)
    }

    /// The score at (row, column) of a payload of `byte_len` bytes somewhere else, such as in a file, whose head was not checked.
    /// `read` appends a range of it to others, or fails if there is none; it is asked for a few short ones. `bytes` are room for
    /// them.
    ///
    /// # Errors
    /// The bytes cannot be read, or the block is damaged, or the part of the key that it is decoded with.
    ///
    /// # Panics
    /// When the place lies outside `shape`.
    pub fn score(
        self,
        shape: Shape<'_>,
        place: (usize, usize),
        byte_len: u64,
        read: Read<'_>,
        bytes: &mut Vec<u8>,
    ) -> Result<i8, Fault> {
        self.compression.decode_one(&Source { table: self.table, byte_len, read }, shape, place, bytes)
    }

    /// The faults of all blocks of a payload in memory that do not match their checksums; else as [`Payload::decode`].
    pub fn faults<'a>(self, (head, body): (&'a [u8], &'a [u8])) -> impl Iterator<Item = Fault> + 'a {
        let encoded = self.encoded(head, Body::Here(body));
        let all = Blocks { start: 0, bytes: body };
        (0..self.table.n_blocks).filter_map(move |block| encoded.block(block, &all).err().map(Fault::in_block(block)))
    }

    fn encoded<'a>(&self, head: &'a [u8], body: Body<'a>) -> Encoded<'a> {
        let seals = self.compression.seals(self.table.size, &head[..self.table.key_len]);
        Encoded { table: self.table, head, body, seals }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_sizes_have_no_payload() {
        let new = |rows, cols, block_positions| Payload::new((1, 2), (rows, cols), block_positions, false);
        // Fewer rows than a tile has.
        assert!(new(15, u32::MAX, 1).is_ok());
        assert!(new(u32::MAX, 63, 1).is_ok());
        assert!(new(u32::MAX, u32::MAX, 1).is_ok());
        assert_eq!(new(0, 5, 16384).unwrap().table.n_blocks, 0);
    }
}
