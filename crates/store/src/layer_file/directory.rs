//! The last bytes of a score file: they say where each slab is, and that the file is complete.
//!
//! ```text
//! directory, for each record: 0        8      12     16       48
//!                             | offset | rows | cols | digest |
//!
//! footer:   0                  8             16             48      52
//!           | directory offset | file length | layer digest | crc32 | end magic |  60 bytes
//! ```
//!
//! Offsets count from the start of the file. The checksum covers the directory and the footer up to it. Records lie
//! without gaps: the first begins after the header, each ends where the next begins, the last at the directory. The first
//! record is that of the last slab; before format 3 it was that of slab 0. Of a layer in slab files the offsets are those
//! that the records would have without them.

use std::ops::Range;

use dab_codec::ReadError;

use super::header::Header;
use super::record;
use super::record_layout::RecordLayout;
use crate::bytes::{array_at, check_magic, u32_at, u64_at};
use crate::digest::SlabDigest;
use crate::section::Section;
use crate::{Damage, Digest};

const ROWS_AT: usize = 8;
const COLS_AT: usize = ROWS_AT + 4;
const DIGEST_AT: usize = COLS_AT + 4;
const ENTRY_LEN: usize = DIGEST_AT + Digest::LEN;

const FILE_LEN_AT: usize = 8;
const LAYER_DIGEST_AT: usize = FILE_LEN_AT + 8;
const CRC_AT: usize = LAYER_DIGEST_AT + Digest::LEN;
const END_MAGIC_AT: usize = CRC_AT + 4;
const END_MAGIC: [u8; 8] = *b"DABENDED";
const FOOTER_LEN: usize = END_MAGIC_AT + END_MAGIC.len();

/// Offsets of the records of a file, and the digests of their slabs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Directory {
    /// Offset of each record, and of the directory at the end.
    offsets: Vec<u64>,
    digests: Vec<SlabDigest>,
}

impl Directory {
    /// The directory of a file without slabs.
    pub(crate) fn new() -> Self {
        Self { offsets: vec![Header::LEN as u64], digests: Vec::new() }
    }

    /// Adds the next record.
    pub(crate) fn push(&mut self, byte_len: u64, digest: SlabDigest) {
        self.offsets.push(self.end() + byte_len);
        self.digests.push(digest);
    }

    /// Number of slabs.
    pub(crate) fn len(&self) -> usize {
        self.digests.len()
    }

    /// Offset of the end of the records.
    pub(crate) fn end(&self) -> u64 {
        self.offsets[self.len()]
    }

    /// Byte offsets of the record at a place, and the digest of its slab.
    pub(crate) fn record(&self, place: usize) -> Option<(Range<u64>, SlabDigest)> {
        let digest = *self.digests.get(place)?;
        Some((self.offsets[place]..self.offsets[place + 1], digest))
    }

    /// Number of positions of all slabs.
    pub(crate) fn positions(&self) -> u64 {
        self.digests.iter().map(|slab| u64::from(slab.rows) * u64::from(slab.cols)).fold(0, u64::saturating_add)
    }

    /// Digest of the layer, whose slabs are all there.
    pub(crate) fn layer_digest(&self, header: &Header) -> Digest {
        let digest = |slab| self.digests.get(header.place(slab)?).copied();
        Digest::of_layer(header.layer, &(0..self.len()).filter_map(digest).collect::<Vec<_>>())
    }

    /// Directory and footer.
    pub(crate) fn to_bytes(&self, header: &Header) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.tail_len());
        for (offset, slab) in self.offsets.iter().zip(&self.digests) {
            bytes.extend_from_slice(&offset.to_le_bytes());
            bytes.extend_from_slice(&slab.rows.to_le_bytes());
            bytes.extend_from_slice(&slab.cols.to_le_bytes());
            bytes.extend_from_slice(&slab.digest.0);
        }
        bytes.extend_from_slice(&self.end().to_le_bytes());
        bytes.extend_from_slice(&self.file_len().to_le_bytes());
        bytes.extend_from_slice(&self.layer_digest(header).0);
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend_from_slice(&END_MAGIC);
        bytes
    }

    /// Makes up the directory of a slab file, which has none: its records from slab `first` on, one after the other.
    pub(crate) fn walk(file: &Section, header: &Header, first: usize) -> Result<Self, ReadError> {
        let (mut directory, mut head) = (Self::new(), Vec::new());
        while directory.end() < file.len() {
            let (slab, at) = (first + directory.len(), directory.end());
            Damage::check("slab within the layer", true, (slab as u64) < header.n_slabs)?;
            let layout = record::layout_at(file, at, header, slab)?;
            let head = record::read_head_at(file, at, layout, &mut head)?;
            let byte_len = head.byte_len()?;
            Damage::check_len("the record", byte_len, file.len() - at)?;
            directory.push(byte_len, head.digest());
        }
        Ok(directory)
    }

    /// The digests of the slabs, in the order of their records.
    pub(crate) fn digests(&self) -> &[SlabDigest] {
        &self.digests
    }

    /// Length of directory and footer.
    fn tail_len(&self) -> usize {
        self.len() * ENTRY_LEN + FOOTER_LEN
    }

    /// Length of a file that has all these records, its directory and its footer.
    pub(crate) fn file_len(&self) -> u64 {
        self.end() + self.tail_len() as u64
    }

    /// Reads the directory of a whole file and the digest of its layer; also returns the offset of the directory in the file.
    pub(crate) fn read(file: &Section, header: &Header) -> Result<(Self, Digest, u64), ReadError> {
        let n_slabs = usize::try_from(header.n_slabs).unwrap_or(usize::MAX);
        let tail_len = n_slabs.saturating_mul(ENTRY_LEN).saturating_add(FOOTER_LEN) as u64;
        Damage::check_len("the file", tail_len.saturating_add(Header::LEN as u64), file.len())?;
        let at = file.len() - tail_len;
        let tail = file.read(at..file.len())?;
        // Without the records the directory is not where it says.
        let directory_at = match header.is_in_slab_files() {
            true => u64_at(&tail, tail.len() - FOOTER_LEN),
            false => at,
        };
        let (directory, digest) = Self::parse(&tail, directory_at, header)?;
        Ok((directory, digest, at))
    }

    /// The directory in the last bytes of a file, from offset `directory_at` on.
    fn parse(tail: &[u8], directory_at: u64, header: &Header) -> Result<(Self, Digest), Damage> {
        Damage::check("directory offset below 2^63", true, directory_at < 1 << 63)?;
        let file_len = directory_at + tail.len() as u64;
        let (entries, footer) = tail.split_at(tail.len() - FOOTER_LEN);
        check_magic("last bytes", &END_MAGIC, &footer[END_MAGIC_AT..])?;
        let crc = crc32fast::hash(&tail[..entries.len() + CRC_AT]);
        Damage::check_crc("directory and footer", u32_at(footer, CRC_AT), crc)?;
        Damage::check("directory offset", directory_at, u64_at(footer, 0))?;
        Damage::check("file length", file_len, u64_at(footer, FILE_LEN_AT))?;

        let mut directory = Self::new();
        let entries = entries.chunks_exact(ENTRY_LEN);
        let ends = entries.clone().skip(1).map(|entry| u64_at(entry, 0)).chain([directory_at]);
        for (entry, end) in entries.zip(ends) {
            let offset = directory.end();
            Damage::check("offset of a record", offset, u64_at(entry, 0))?;
            let (rows, cols) = (u32_at(entry, ROWS_AT), u32_at(entry, COLS_AT));
            let least = RecordLayout::new(header, 0, rows, cols)?.head_len() as u64;
            if end < offset || end > file_len || end - offset < least {
                let expected = format!("at least {least} bytes for {rows} x {cols} positions");
                let got = format!("bytes {offset} to {end}");
                return Err(Damage::Field { what: "place of a record", expected, got });
            }
            directory.push(end - offset, SlabDigest { rows, cols, digest: Digest(array_at(entry, DIGEST_AT)) });
        }
        Damage::check("end of the records", directory_at, directory.end())?;
        let digest = Digest(array_at(footer, LAYER_DIGEST_AT));
        Damage::check("layer digest", directory.layer_digest(header), digest)?;
        Ok((directory, digest))
    }
}

#[cfg(test)]
mod tests {
    use super::super::header::FORMAT;
    use super::*;
    use crate::RunId;

    /// A file whose records are zeros; rows, columns and length of each.
    fn file(slabs: &[(u32, u32, u64)]) -> (Header, Directory, Vec<u8>) {
        let n_slabs = slabs.len() as u64;
        let header = Header {
            format: FORMAT,
            layer: 2,
            n_slabs,
            block_positions: 16,
            is_odd: false,
            run: RunId([0; RunId::LEN]),
        };
        let mut directory = Directory::new();
        for &(rows, cols, byte_len) in slabs {
            directory.push(byte_len, SlabDigest { rows, cols, digest: Digest::of_scores(&[0]) });
        }
        let mut bytes = vec![0; directory.end() as usize];
        bytes.extend(directory.to_bytes(&header));
        (header, directory, bytes)
    }

    fn read(bytes: &[u8], header: &Header) -> Result<(Directory, Digest), ReadError> {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
        Directory::read(&Section::of(file).unwrap(), header).map(|(directory, digest, _)| (directory, digest))
    }

    #[test]
    fn round_trip() {
        for slabs in [&[][..], &[(1, 1, 80)], &[(1, 1, 80), (3, 40, 250), (0, 2, 60)]] {
            let (header, directory, bytes) = file(slabs);
            let (parsed, digest) = read(&bytes, &header).unwrap();
            assert_eq!((&parsed, digest), (&directory, directory.layer_digest(&header)));
        }
    }

    #[test]
    fn short_or_flipped_is_refused() {
        let (header, _, bytes) = file(&[(1, 1, 80), (3, 40, 250)]);
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len], &header).is_err(), "{len}");
        }
        for bit in 8 * (bytes.len() - 2 * ENTRY_LEN - FOOTER_LEN)..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&bytes, &header).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn records_too_short_for_their_shape_are_refused() {
        for slabs in [[(100, 100, 80)], [(u32::MAX, u32::MAX, 80)]] {
            let (header, _, bytes) = file(&slabs);
            assert!(matches!(read(&bytes, &header), Err(ReadError::Damage(Damage::Field { .. }))));
        }
        let (header, _, bytes) = file(&[(1, 1, 80)]);
        for n_slabs in [0, 2, u64::MAX] {
            assert!(read(&bytes, &Header { n_slabs, ..header }).is_err());
        }
    }
}
