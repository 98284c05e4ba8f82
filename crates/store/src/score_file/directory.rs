//! The last bytes of a score file: they say where each record is, and that the file is complete.
//!
//! ```text
//! directory, for each record:   0      4      8      12            20       52
//!                               | slab | rows | cols | byte length | digest |
//!
//! footer:   0                  8             16      20
//!           | directory offset | file length | crc32 | end magic |  28 bytes
//! ```
//!
//! Offsets count from the start of the file. The checksum covers the directory and the footer up to it. Records are listed in the
//! order in which they lie, without gaps: the first begins after the header, the last ends where the directory begins.

use std::ops::Range;

use dab_codec::ReadError;

use super::front::Front;
use super::header::Header;
use crate::bytes::{array_at, check_magic, u32_at, u64_at};
use crate::digest::SlabDigest;
use crate::section::Section;
use crate::{Damage, Digest};

const ROWS_AT: usize = 4;
const COLS_AT: usize = ROWS_AT + 4;
const BYTE_LEN_AT: usize = COLS_AT + 4;
const DIGEST_AT: usize = BYTE_LEN_AT + 8;
const ENTRY_LEN: usize = DIGEST_AT + Digest::LEN;

const FILE_LEN_AT: usize = 8;
const CRC_AT: usize = FILE_LEN_AT + 8;
const END_MAGIC_AT: usize = CRC_AT + 4;
const END_MAGIC: [u8; 8] = *b"DABENDED";
const FOOTER_LEN: usize = END_MAGIC_AT + END_MAGIC.len();

/// A record as the directory lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) slab: usize,
    /// Where it lies in the file.
    pub(crate) offset: u64,
    pub(crate) byte_len: u64,
    /// Shape of the slab, and digest of its scores.
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

    fn parse(bytes: &[u8], offset: u64, header: &Header) -> Result<Self, Damage> {
        let (rows, cols) = (u32_at(bytes, ROWS_AT), u32_at(bytes, COLS_AT));
        let digest = SlabDigest { rows, cols, digest: Digest(array_at(bytes, DIGEST_AT)) };
        let front = Front { slab: u32_at(bytes, 0), digest, byte_len: u64_at(bytes, BYTE_LEN_AT) };
        front.check(header)?;
        Ok(Self { slab: front.slab as usize, offset, byte_len: front.byte_len, digest })
    }
}

/// Bytes of directory and footer of so many records.
pub(crate) fn tail_len(n_records: usize) -> u64 {
    (n_records * ENTRY_LEN + FOOTER_LEN) as u64
}

/// Directory and footer of a file whose records end at `end`.
pub(crate) fn to_bytes(entries: &[Entry], end: u64) -> Vec<u8> {
    let tail_len = tail_len(entries.len());
    let mut bytes = Vec::with_capacity(tail_len as usize);
    for Entry { slab, byte_len, digest, .. } in entries {
        for number in [*slab as u32, digest.rows, digest.cols] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&byte_len.to_le_bytes());
        bytes.extend_from_slice(&digest.digest.0);
    }
    bytes.extend_from_slice(&end.to_le_bytes());
    bytes.extend_from_slice(&(end + tail_len).to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend_from_slice(&END_MAGIC);
    bytes
}

/// Reads the directory of a complete file.
///
/// # Errors
/// The file cannot be read, is not complete, or its directory is damaged.
pub(crate) fn read(file: &Section, header: &Header) -> Result<Vec<Entry>, ReadError> {
    Damage::check_len("the file", (Header::LEN + FOOTER_LEN) as u64, file.len())?;
    let footer_at = file.len() - FOOTER_LEN as u64;
    let footer = file.read(footer_at..file.len())?;
    check_magic("last bytes", &END_MAGIC, &footer[END_MAGIC_AT..])?;
    Damage::check("file length", file.len(), u64_at(&footer, FILE_LEN_AT))?;
    let at = u64_at(&footer, 0);
    let is_within = (Header::LEN as u64..=footer_at).contains(&at) && (footer_at - at).is_multiple_of(ENTRY_LEN as u64);
    Damage::check("directory offset within the file", true, is_within)?;
    let tail = file.read(at..file.len())?;
    let sealed_len = tail.len() - FOOTER_LEN + CRC_AT;
    Damage::check_crc("directory and footer", u32_at(&footer, CRC_AT), crc32fast::hash(&tail[..sealed_len]))?;
    Ok(parse(&tail[..tail.len() - FOOTER_LEN], at, header)?)
}

/// The entries of a directory that begins at offset `directory_at`.
fn parse(bytes: &[u8], directory_at: u64, header: &Header) -> Result<Vec<Entry>, Damage> {
    let (mut entries, mut offset) = (Vec::with_capacity(bytes.len() / ENTRY_LEN), Header::LEN as u64);
    for bytes in bytes.chunks_exact(ENTRY_LEN) {
        let entry = Entry::parse(bytes, offset, header)?;
        offset = offset.checked_add(entry.byte_len).filter(|&end| end <= directory_at).ok_or_else(|| {
            let expected = format!("at most {} bytes", directory_at - offset);
            Damage::Field { what: "length of a record", expected, got: entry.byte_len.to_string() }
        })?;
        entries.push(entry);
    }
    Damage::check("end of the records", directory_at, offset)?;
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunId;

    const HEADER: Header =
        Header { layer: 2, n_slabs: 5, block_positions: 16, is_odd: false, run: RunId([0; RunId::LEN]) };

    /// A file whose records are zeros; slab, rows, columns and length of each.
    fn file(slabs: &[(usize, u32, u32, u64)]) -> (Vec<Entry>, Vec<u8>) {
        let (mut entries, mut end) = (Vec::new(), Header::LEN as u64);
        for &(slab, rows, cols, byte_len) in slabs {
            let digest = SlabDigest { rows, cols, digest: Digest::of_scores(&[0]) };
            entries.push(Entry { slab, offset: end, byte_len, digest });
            end += byte_len;
        }
        let mut bytes = vec![0; end as usize];
        bytes.extend(to_bytes(&entries, end));
        (entries, bytes)
    }

    fn read_of(bytes: &[u8]) -> Result<Vec<Entry>, ReadError> {
        read(&Section::of_bytes(bytes.into()), &HEADER)
    }

    #[test]
    fn round_trip() {
        for slabs in [&[][..], &[(4, 1, 1, 90)], &[(3, 1, 1, 90), (0, 3, 40, 260), (1, 0, 2, 70)]] {
            let (entries, bytes) = file(slabs);
            assert_eq!(read_of(&bytes).unwrap(), entries);
            assert_eq!(bytes.len() as u64, entries.last().map_or(52, |last| last.range().end) + tail_len(slabs.len()));
        }
    }

    #[test]
    fn short_or_flipped_is_refused() {
        let (_, bytes) = file(&[(1, 1, 1, 90), (0, 3, 40, 260)]);
        for len in 0..bytes.len() {
            assert!(read_of(&bytes[..len]).is_err(), "{len}");
        }
        for bit in 8 * (bytes.len() - 2 * ENTRY_LEN - FOOTER_LEN)..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(read_of(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn records_that_cannot_be_are_refused() {
        for slabs in [[(0, 100, 100, 80)], [(0, u32::MAX, u32::MAX, 80)], [(5, 1, 1, 90)]] {
            assert!(matches!(read_of(&file(&slabs).1), Err(ReadError::Damage(Damage::Field { .. }))));
        }
        // Records that reach beyond the directory, or not as far.
        for byte_len in [89, 91, u64::MAX, u64::MAX - 100] {
            let (mut entries, bytes) = file(&[(1, 1, 1, 90), (0, 1, 1, 90)]);
            entries[1].byte_len = byte_len;
            let bytes = [&bytes[..232], &to_bytes(&entries, 232)].concat();
            assert!(read_of(&bytes).is_err(), "{byte_len}");
        }
    }
}
