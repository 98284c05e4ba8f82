//! The payload of a matrix: key and blocks of its compression, with the places and checksums of the blocks.
//!
//! ```text
//!  | key | block table | crc32 | block 0 | block 1 | ...
//!        |             |
//!        |             4 bytes left to the owner: a checksum of all of its record up to here
//!        for each block:  | end u64 | crc32 | mode |    13 bytes
//! ```
//!
//! `end` counts from the first byte of block 0, so one table entry and the one before it find a block. The mode says how the
//! compression coded the block. The checksum of a block covers layer, slab, block, mode, seal and its bytes: an intact block in the
//! wrong place is an error too. Which compression it is, and the number of blocks, follow from the size of the matrix.

use std::ops::Range;

use crate::encoded::{Blocks, Body, Encoded};
use crate::parity::Parities;
use crate::source::{Read, Source};
use crate::{COMPRESSIONS, Compression, Crew, Damage, Decoded, Effort, Fault, Shape, Wanted};

const ENTRY_CRC_AT: usize = 8;
const ENTRY_MODE_AT: usize = ENTRY_CRC_AT + 4;
const ENTRY_LEN: usize = ENTRY_MODE_AT + 1;
const CRC_LEN: usize = 4;

/// Judges decoded scores: some neighbours of a row, or several rows.
pub type CheckScores<'a> = &'a (dyn Fn(&[i8]) -> Result<(), Damage> + Sync);

/// Rows and columns of a matrix, the positions of a block that is a run of neighbouring positions, and whether scores have marks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) block_positions: usize,
    pub(crate) marks: bool,
}

/// The payload of a slab: its layout, and the way to make and read it.
#[derive(Clone, Copy, Debug)]
pub struct Payload {
    pub(crate) compression: &'static dyn Compression,
    pub(crate) size: Size,
    layer: u32,
    slab: u64,
    pub(crate) key_len: usize,
    pub(crate) n_blocks: usize,
    head_len: usize,
}

impl Payload {
    /// The payload of a slab of a layer with so many rows and columns, with so many positions a block, of scores or of values with marks.
    ///
    /// # Errors
    /// The slab is larger than memory can address.
    pub fn new(
        (layer, slab): (u32, u64),
        (rows, cols): (u32, u32),
        block_positions: usize,
        marks: bool,
    ) -> Result<Self, Damage> {
        let size = Size { rows: rows as usize, cols: cols as usize, block_positions, marks };
        let payload = || {
            size.rows.checked_mul(size.cols)?;
            let &compression = COMPRESSIONS.iter().find(|by| by.suits(size))?;
            let (key_len, n_blocks) = (compression.key_len(size), compression.n_blocks(size));
            let head_len = n_blocks.checked_mul(ENTRY_LEN)?.checked_add(key_len + CRC_LEN)?;
            let payload = Self { compression, size, layer, slab, key_len, n_blocks, head_len };
            (head_len <= isize::MAX as usize).then_some(payload)
        };
        payload().ok_or_else(|| {
            let expected = "a slab that memory can address".into();
            Damage::Field { what: "shape", expected, got: format!("{rows} x {cols}") }
        })
    }

    /// Length of the head: everything before the first block.
    #[inline]
    pub fn head_len(&self) -> usize {
        self.head_len
    }

    /// Bytes of key and block table, if there is a key.
    pub fn keyed_overhead(&self) -> Option<u64> {
        (self.key_len > 0).then_some((self.head_len - CRC_LEN) as u64)
    }

    /// Length in bytes, as the block table in this head says.
    ///
    /// # Errors
    /// The end of the last block lies before that of another one.
    pub fn byte_len(&self, head: &[u8]) -> Result<u64, Damage> {
        let last = self.n_blocks.checked_sub(1);
        let body_len = last.map_or(Ok(0), |block| Ok(Entry::parse(&head[self.entry(block)], u64::MAX)?.range.end));
        Ok((self.head_len as u64).saturating_add(body_len?))
    }

    /// Appends the payload of these scores, row-major. The checksum at the end of the head stays 0.
    ///
    /// # Panics
    /// When the number of scores is not that of the matrix.
    #[cfg(feature = "encode")]
    pub fn encode(self, shape: Shape<'_>, scores: &[i8], effort: Effort, crew: Crew, bytes: &mut Vec<u8>) {
        assert_eq!(scores.len(), self.size.rows * self.size.cols, "the scores are those of another matrix");
        let at = bytes.len();
        bytes.resize(at + self.head_len, 0);
        let mut out = BlockWriter { payload: self, bytes, at, seals: Vec::new(), n_written: 0 };
        let crew = crew.for_slab(scores.len());
        self.compression.encode(scores, &Parities::of(shape), effort, crew, &mut out);
        assert_eq!(out.n_written, self.n_blocks, "a compression makes as many blocks as it says");
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
        self.compression.decode(&Encoded::new(self, head, body), &Parities::of(shape), crew, part, check)
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
        let positions = self.size.rows * self.size.cols;
        assert!(places.iter().all(|&place| place < positions), "a place lies outside the slab");
        self.compression.decode_some(&Encoded::new(self, head, body), &Parities::of(shape), places)
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
        self.compression.decode_one(&Source { payload: self, byte_len, read }, shape, place, bytes)
    }

    /// The faults of all blocks of a payload in memory that do not match their checksums; else as [`Payload::decode`].
    pub fn faults<'a>(self, (head, body): (&'a [u8], &'a [u8])) -> impl Iterator<Item = Fault> + 'a {
        let encoded = Encoded::new(self, head, Body::Here(body));
        let all = Blocks { start: 0, bytes: body };
        (0..self.n_blocks).filter_map(move |block| encoded.block(block, &all).err().map(Fault::in_block(block)))
    }

    /// Bytes of the head that tell where a block lies: its table entry and the one before, if there is one.
    pub(crate) fn entry(&self, block: usize) -> Range<usize> {
        self.key_len + block.saturating_sub(1) * ENTRY_LEN..self.key_len + (block + 1) * ENTRY_LEN
    }
}

/// Takes the key and the blocks of a payload while it is made.
pub(crate) struct BlockWriter<'a> {
    pub(crate) payload: Payload,
    bytes: &'a mut Vec<u8>,
    /// Offset of the payload in `bytes`.
    at: usize,
    seals: Vec<u8>,
    n_written: usize,
}

impl BlockWriter<'_> {
    /// Takes the key, before any block.
    pub(crate) fn key(&mut self, key: &[u8]) {
        self.bytes[self.at..][..self.payload.key_len].copy_from_slice(key);
        self.seals = self.payload.compression.seals(self.payload.size, key);
    }

    /// Takes the next block.
    pub(crate) fn block(&mut self, mode: u8, block: &[u8]) {
        let Self { payload, n_written, .. } = *self;
        self.bytes.extend_from_slice(block);
        let crc = payload.crc(n_written, mode, payload.seal(&self.seals, n_written), block);
        let end = (self.bytes.len() - self.at - payload.head_len) as u64;
        let entry = &mut self.bytes[self.at + payload.key_len + n_written * ENTRY_LEN..][..ENTRY_LEN];
        entry[..ENTRY_CRC_AT].copy_from_slice(&end.to_le_bytes());
        entry[ENTRY_CRC_AT..ENTRY_MODE_AT].copy_from_slice(&crc.to_le_bytes());
        entry[ENTRY_MODE_AT] = mode;
        self.n_written += 1;
    }
}

impl Payload {
    /// The seal of a block among those of all blocks.
    pub(crate) fn seal<'a>(&self, seals: &'a [u8], block: usize) -> &'a [u8] {
        let len = seals.len() / self.n_blocks;
        &seals[block * len..][..len]
    }

    /// Checksum of a block.
    fn crc(self, block: usize, mode: u8, seal: &[u8], bytes: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.layer.to_le_bytes());
        hasher.update(&self.slab.to_le_bytes());
        hasher.update(&(block as u64).to_le_bytes());
        hasher.update(&[mode]);
        hasher.update(seal);
        hasher.update(bytes);
        hasher.finalize()
    }

    /// `Ok` when `bytes` are the block of this table entry.
    pub(crate) fn check(self, block: usize, entry: &Entry, seal: &[u8], bytes: &[u8]) -> Result<(), Damage> {
        Damage::check_crc("the block", entry.crc, self.crc(block, entry.mode, seal, bytes))
    }
}

/// An entry of the block table.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Bytes of the block, counted from the first byte of block 0.
    pub(crate) range: Range<u64>,
    crc: u32,
    pub(crate) mode: u8,
}

impl Entry {
    /// The entry of a block in its [`Payload::entry`].
    ///
    /// # Errors
    /// The block does not lie within the `body_len` bytes after the head.
    pub(crate) fn parse(bytes: &[u8], body_len: u64) -> Result<Self, Damage> {
        let (before, entry) = bytes.split_at(bytes.len() - ENTRY_LEN);
        let end_in = |entry: &[u8]| entry.first_chunk().map_or(0, |&end| u64::from_le_bytes(end));
        let (start, end) = (end_in(before), end_in(entry));
        let crc = entry[ENTRY_CRC_AT..].first_chunk().map_or(0, |&crc| u32::from_le_bytes(crc));
        let found = Self { range: start..end, crc, mode: entry[ENTRY_MODE_AT] };
        if start <= end && end <= body_len { Ok(found) } else { Err(found.misplaced(&(0..body_len))) }
    }

    /// The block does not lie within these bytes.
    pub(crate) fn misplaced(&self, bytes: &Range<u64>) -> Damage {
        let [expected, got] = [bytes, &self.range].map(|Range { start, end }| format!("{start} to {end}"));
        Damage::Field { what: "place of the block", expected: format!("bytes within {expected}"), got }
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
        assert_eq!(new(0, 5, 16384).unwrap().n_blocks, 0);
    }

    #[test]
    fn entries_of_a_table() {
        let payload = Payload::new((1, 2), (3, 5), 4, false).unwrap();
        assert_eq!((payload.n_blocks, payload.key_len, payload.keyed_overhead()), (4, 0, None));
        assert_eq!((payload.entry(0), payload.entry(3)), (0..ENTRY_LEN, 2 * ENTRY_LEN..payload.head_len - CRC_LEN));
        let payload = Payload::new((1, 2), (16, 64), 16, false).unwrap();
        assert_eq!(payload.entry(0).start as u64 + ENTRY_LEN as u64, payload.keyed_overhead().unwrap());
    }

    #[test]
    fn place_and_mode_are_in_the_checksum() {
        let place = Payload::new((1, 2), (3, 5), 4, false).unwrap();
        let crc = place.crc(3, 0, &[], b"scores");
        assert_ne!(crc, Payload { layer: 2, ..place }.crc(3, 0, &[], b"scores"));
        assert_ne!(crc, Payload { slab: 3, ..place }.crc(3, 0, &[], b"scores"));
        assert_ne!(crc, place.crc(2, 0, &[], b"scores"));
        assert_ne!(crc, place.crc(3, 1, &[], b"scores"));
        assert_ne!(crc, place.crc(3, 0, &[1], b"scores"));
    }
}
