//! The last bytes of a score file: they say where each record is, and that the file is complete.
//!
//! ```text
//! directory:   an entry for each record, 52 bytes, with marks 84 (entry.rs)
//!
//! footer:      0                  8             16      20
//!              | directory offset | file length | crc32 | end magic |  28 bytes
//! ```
//!
//! Offsets count from the start of the file. The checksum covers the directory and the footer up to it. Records are listed in the
//! order in which they lie, without gaps: the first begins after the header, the last ends where the directory begins.

use dab_codec::ReadError;

use super::entry::Entry;
use super::header::Header;
use super::record_layout::entry_len;
use crate::Damage;
use crate::bytes::{CRC_LEN, Fields, check_seal, sealed};
use crate::section::Section;

const END_MAGIC: [u8; 8] = *b"DABENDED";
const FOOTER_LEN: usize = 8 + 8 + CRC_LEN + END_MAGIC.len();

/// Bytes of directory and footer of so many records in a file with this header.
pub(crate) fn tail_len(header: &Header, n_records: usize) -> u64 {
    (n_records * entry_len(header.marks) + FOOTER_LEN) as u64
}

/// Directory and footer of a file with this header, whose records end at `end`.
pub(crate) fn to_bytes(header: &Header, entries: &[Entry], end: u64) -> Vec<u8> {
    let mut bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    bytes.extend([end, end + tail_len(header, entries.len())].map(u64::to_le_bytes).as_flattened());
    [&sealed(bytes)[..], &END_MAGIC].concat()
}

/// Reads the directory of a complete file.
///
/// # Errors
/// The file cannot be read, is not complete, or its directory is damaged.
pub(crate) fn read(file: &Section, header: &Header) -> Result<Vec<Entry>, ReadError> {
    Damage::check_len("the file", (Header::LEN + FOOTER_LEN) as u64, file.len())?;
    let footer_at = file.len() - FOOTER_LEN as u64;
    let footer = file.read(footer_at..file.len())?;
    let mut fields = Fields(&footer);
    let (at, byte_len, _crc) = (fields.u64(), fields.u64(), fields.u32());
    fields.magic("last bytes", &END_MAGIC)?;
    Damage::check("file length", file.len(), byte_len)?;
    let is_whole = |directory: u64| directory.is_multiple_of(entry_len(header.marks) as u64);
    let is_within = (Header::LEN as u64..=footer_at).contains(&at) && is_whole(footer_at - at);
    Damage::check("directory offset within the file", true, is_within)?;
    let tail = file.read(at..file.len())?;
    check_seal("directory and footer", &tail[..tail.len() - END_MAGIC.len()])?;
    Ok(parse(&tail[..tail.len() - FOOTER_LEN], at, header)?)
}

/// The entries of a directory that begins at offset `directory_at`.
fn parse(bytes: &[u8], directory_at: u64, header: &Header) -> Result<Vec<Entry>, Damage> {
    let (entries_of, mut offset) = (bytes.chunks_exact(entry_len(header.marks)), Header::LEN as u64);
    let mut entries = Vec::with_capacity(entries_of.len());
    for bytes in entries_of {
        let entry = Entry::parse(header, bytes, offset)?;
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
    use crate::digest::{Digests, SlabDigest};
    use crate::{Digest, RunId};

    const HEADER: Header =
        Header { layer: 2, n_slabs: 5, block_positions: 16, is_odd: false, marks: false, run: RunId([0; RunId::LEN]) };

    /// A file whose records are zeros; slab, rows, columns and length of each.
    fn file(slabs: &[(usize, u32, u32, u64)]) -> (Vec<Entry>, Vec<u8>) {
        let (mut entries, mut end) = (Vec::new(), Header::LEN as u64);
        for &(slab, rows, cols, byte_len) in slabs {
            let digests = Digests { scores: Digest::of_scores(&[0]), marks: None };
            let digest = SlabDigest { rows, cols, digests };
            entries.push(Entry { slab, offset: end, byte_len, digest });
            end += byte_len;
        }
        let mut bytes = vec![0; end as usize];
        bytes.extend(to_bytes(&HEADER, &entries, end));
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
            assert_eq!(
                bytes.len() as u64,
                entries.last().map_or(52, |last| last.range().end) + tail_len(&HEADER, slabs.len())
            );
        }
    }

    #[test]
    fn short_or_flipped_is_refused() {
        let (_, bytes) = file(&[(1, 1, 1, 90), (0, 3, 40, 260)]);
        for len in 0..bytes.len() {
            assert!(read_of(&bytes[..len]).is_err(), "{len}");
        }
        for bit in 8 * (bytes.len() - 2 * entry_len(false) - FOOTER_LEN)..8 * bytes.len() {
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
            let bytes = [&bytes[..232], &to_bytes(&HEADER, &entries, 232)].concat();
            assert!(read_of(&bytes).is_err(), "{byte_len}");
        }
    }
}
