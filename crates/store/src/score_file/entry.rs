//! A record as its front and the directory list it: the slab that it has, and its length.
//!
//! ```text
//!  entry, 52 bytes:   0      4      8      12            20       52                  84 with marks
//!                     | slab | rows | cols | byte length | digest | digest of the marks |
//!                       u32    u32    u32    u64
//!
//!  front, 60 bytes or 92:   | magic "slab" | entry | crc32 |
//! ```
//! A record is found by its front alone: in a file that is still written, or that has lost its directory. The checksum covers the
//! layer (u32) and the bytes before it. Nothing in it says that the rest of the record is intact: that has checksums of its own.

use std::ops::Range;

use dab_codec::ReadError;

use super::header::Header;
use super::record_layout::{FRONT_MAGIC, RecordLayout, front_len};
use crate::Damage;
use crate::bytes::{CRC_LEN, Fields};
use crate::digest::{Digests, SlabDigest};
use crate::section::Section;

/// A record, as it is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) slab: usize,
    /// Where it lies in the file.
    pub(crate) offset: u64,
    pub(crate) byte_len: u64,
    /// Shape of the slab, and digests of its scores and marks.
    pub(crate) digest: SlabDigest,
}

impl Entry {
    /// Byte offsets of the record.
    pub(crate) fn range(&self) -> Range<u64> {
        self.offset..self.offset + self.byte_len
    }

    /// Number of positions of the slab.
    pub(crate) fn positions(&self) -> u64 {
        u64::from(self.digest.rows) * u64::from(self.digest.cols)
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let SlabDigest { rows, cols, digests } = self.digest;
        let numbers = [self.slab as u32, rows, cols].map(u32::to_le_bytes);
        [numbers.as_flattened(), &self.byte_len.to_le_bytes(), &digests.to_bytes()].concat()
    }

    /// The entry of a record at an offset of a file with this header.
    ///
    /// # Errors
    /// There is no such slab in the layer, or the record is too short for its own tables.
    pub(super) fn parse(header: &Header, bytes: &[u8], offset: u64) -> Result<Self, Damage> {
        let mut fields = Fields(bytes);
        let (slab, rows, cols, byte_len) = (fields.u32(), fields.u32(), fields.u32(), fields.u64());
        if u64::from(slab) >= header.n_slabs {
            let expected = format!("less than {}", header.n_slabs);
            return Err(Damage::Field { what: "slab number", expected, got: slab.to_string() });
        }
        let slab = slab as usize;
        let least = RecordLayout::new(header, slab, (rows, cols))?.head_len() as u64;
        if byte_len < least {
            let expected = format!("at least {least} bytes for {rows} x {cols} positions");
            return Err(Damage::Field { what: "length of a record", expected, got: byte_len.to_string() });
        }
        let digests = Digests::read(&mut fields, header.marks);
        Ok(Self { slab, offset, byte_len, digest: SlabDigest { rows, cols, digests } })
    }

    /// The first bytes of the record in a file with this header.
    pub(super) fn front(self, header: &Header) -> Vec<u8> {
        let bytes = [&FRONT_MAGIC[..], &self.to_bytes()].concat();
        let crc = crc(header, &bytes).to_le_bytes();
        [bytes, crc.into()].concat()
    }

    /// The entry of a record that begins with `bytes`, at an offset of a file with this header.
    ///
    /// # Errors
    /// The front is too short or damaged, or as [`Entry::parse`].
    pub(super) fn parse_front(header: &Header, bytes: &[u8], offset: u64) -> Result<Self, Damage> {
        let front_len = front_len(header.marks);
        Damage::check_len("the front of a record", front_len as u64, bytes.len() as u64)?;
        let (sealed, rest) = bytes.split_at(front_len - CRC_LEN);
        let mut fields = Fields(sealed);
        fields.magic("record magic", &FRONT_MAGIC)?;
        Damage::check_crc("the front of a record", Fields(rest).u32(), crc(header, sealed))?;
        Self::parse(header, fields.0, offset)
    }

    /// The record at an offset of a file, if its front is intact and the file reaches to its end. The rest of it is not checked.
    pub(super) fn find(file: &Section, header: &Header, offset: u64) -> Result<Option<Self>, ReadError> {
        let (left, front_len) = (file.len().saturating_sub(offset), front_len(header.marks) as u64);
        if left < front_len {
            return Ok(None);
        }
        let front = file.read(offset..offset + front_len)?;
        Ok(Self::parse_front(header, &front, offset).ok().filter(|found| found.byte_len <= left))
    }
}

/// The checksum of some bytes of a front, which does not fit another layer.
fn crc(header: &Header, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header.layer.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Digest, RunId};

    #[test]
    fn just_what_was_written_is_believed() {
        let run = RunId([5; RunId::LEN]);
        for (marks, len) in [(false, 60), (true, 92)] {
            let header = Header { layer: 7, n_slabs: 9, block_positions: 16, is_odd: false, marks, run };
            let digests =
                Digests { scores: Digest([7; Digest::LEN]), marks: marks.then_some(Digest([8; Digest::LEN])) };
            let entry = Entry { slab: 8, offset: 5, digest: SlabDigest { rows: 3, cols: 40, digests }, byte_len: 300 };
            let bytes = entry.front(&header);
            let parse = |header: &Header, bytes: &[u8]| Entry::parse_front(header, bytes, 5);
            assert_eq!((parse(&header, &bytes), bytes.len()), (Ok(entry), len));
            for bit in 0..8 * len {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(parse(&header, &bytes).is_err(), "bit {bit}");
            }
            assert!((0..len).all(|len| parse(&header, &bytes[..len]).is_err()));
            assert!(parse(&Header { layer: 6, ..header }, &bytes).is_err());
            assert!(parse(&Header { n_slabs: 8, ..header }, &bytes).is_err());
            assert!(parse(&Header { marks: !marks, ..header }, &bytes).is_err());
            for byte_len in [0, 60, 173] {
                assert!(parse(&header, &Entry { byte_len, ..entry }.front(&header)).is_err(), "{byte_len}");
            }
        }
    }
}
