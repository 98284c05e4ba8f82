//! The last bytes of a score file: where each slab is, and that the file is complete.
//!
//! ```text
//! directory, for each slab:   0        8      12     16       48
//!                             | offset | rows | cols | digest |
//!
//! footer:   0                  8             16             48      52
//!           | directory offset | file length | layer digest | crc32 | end magic |  60 bytes
//! ```
//!
//! Offsets count from the start of the file. The checksum covers the directory and the footer up to it. Records lie
//! without gaps: the first begins after the header, each ends where the next begins, the last at the directory.

use super::Header;
use super::record::{Record, RecordLayout};
use crate::bytes::{array_at, u32_at, u64_at};
use crate::digest::SlabDigest;
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

/// Where the records of a file are.
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

    /// Adds the record of the next slab.
    pub(crate) fn push(&mut self, byte_len: usize, digest: SlabDigest) {
        self.offsets.push(self.end() + byte_len as u64);
        self.digests.push(digest);
    }

    /// Number of slabs.
    pub(crate) fn len(&self) -> usize {
        self.digests.len()
    }

    /// Where the records end.
    pub(crate) fn end(&self) -> u64 {
        self.offsets[self.len()]
    }

    /// First and last byte offset of a record, and what its digest sees.
    pub(crate) fn slab(&self, slab: usize) -> Option<(std::ops::Range<usize>, SlabDigest)> {
        let digest = *self.digests.get(slab)?;
        Some((self.offsets[slab] as usize..self.offsets[slab + 1] as usize, digest))
    }

    /// Number of positions of all slabs.
    pub(crate) fn positions(&self) -> u64 {
        self.digests.iter().map(|slab| u64::from(slab.rows) * u64::from(slab.cols)).sum()
    }

    /// Digest of the layer.
    pub(crate) fn layer_digest(&self, layer: u32) -> Digest {
        Digest::of_layer(layer, &self.digests)
    }

    /// Directory and footer.
    pub(crate) fn to_bytes(&self, layer: u32) -> Vec<u8> {
        let byte_len = self.len() * ENTRY_LEN + FOOTER_LEN;
        let mut bytes = Vec::with_capacity(byte_len);
        for (offset, slab) in self.offsets.iter().zip(&self.digests) {
            bytes.extend_from_slice(&offset.to_le_bytes());
            bytes.extend_from_slice(&slab.rows.to_le_bytes());
            bytes.extend_from_slice(&slab.cols.to_le_bytes());
            bytes.extend_from_slice(&slab.digest.0);
        }
        bytes.extend_from_slice(&self.end().to_le_bytes());
        bytes.extend_from_slice(&(self.end() + byte_len as u64).to_le_bytes());
        bytes.extend_from_slice(&self.layer_digest(layer).0);
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend_from_slice(&END_MAGIC);
        bytes
    }

    /// The directory that a slab file does without: its records from slab `first` on, one after the other.
    pub(crate) fn walk(file: &[u8], header: &Header, first: usize) -> Result<Self, Damage> {
        let mut directory = Self::new();
        while directory.end() < file.len() as u64 {
            let slab = first + directory.len();
            let record = Record::find(header.layer, slab, header.block_positions, &file[directory.end() as usize..])?;
            Damage::check("slab within the layer", true, (slab as u64) < header.n_slabs)?;
            directory.push(record.byte_len()?, record.digest());
        }
        Ok(directory)
    }

    /// Digest of the slabs of a slab file: that of a layer which has just these.
    pub(crate) fn digests(&self) -> &[SlabDigest] {
        &self.digests
    }

    /// The directory of a whole file and the digest of its layer.
    pub(crate) fn parse(file: &[u8], header: &Header) -> Result<(Self, Digest), Damage> {
        let file_len = file.len() as u64;
        let n_slabs = usize::try_from(header.n_slabs).unwrap_or(usize::MAX);
        let tail_len = n_slabs.saturating_mul(ENTRY_LEN).saturating_add(FOOTER_LEN);
        let expected = (tail_len as u64).saturating_add(Header::LEN as u64);
        if file_len < expected {
            return Err(Damage::Short { what: "the file", expected, got: file_len });
        }
        let (directory_at, footer_at) = (file.len() - tail_len, file.len() - FOOTER_LEN);
        let (tail, footer) = (&file[directory_at..], &file[footer_at..]);
        Damage::check_magic("last bytes", &END_MAGIC, &footer[END_MAGIC_AT..])?;
        let crc = crc32fast::hash(&tail[..tail_len - FOOTER_LEN + CRC_AT]);
        Damage::check_crc("directory and footer", u32_at(footer, CRC_AT), crc)?;
        Damage::check("directory offset", directory_at as u64, u64_at(footer, 0))?;
        Damage::check("file length", file_len, u64_at(footer, FILE_LEN_AT))?;

        let mut directory = Self::new();
        let offsets =
            tail.chunks_exact(ENTRY_LEN).skip(1).map(|entry| u64_at(entry, 0)).take(n_slabs.saturating_sub(1));
        let ends = offsets.chain([directory_at as u64]);
        for (entry, end) in tail.chunks_exact(ENTRY_LEN).take(n_slabs).zip(ends) {
            let offset = directory.end();
            Damage::check("offset of a record", offset, u64_at(entry, 0))?;
            let (rows, cols) = (u32_at(entry, ROWS_AT), u32_at(entry, COLS_AT));
            let least = RecordLayout::new(rows, cols, header.block_positions)?.body_at() as u64;
            if end < offset || end > file_len || end - offset < least {
                let expected = format!("at least {least} bytes for {rows} x {cols} positions");
                let got = format!("bytes {offset} to {end}");
                return Err(Damage::Field { what: "place of a record", expected, got });
            }
            directory
                .push((end - offset) as usize, SlabDigest { rows, cols, digest: Digest(array_at(entry, DIGEST_AT)) });
        }
        Damage::check("end of the records", directory_at as u64, directory.end())?;
        let digest = Digest(array_at(footer, LAYER_DIGEST_AT));
        Damage::check("layer digest", directory.layer_digest(header.layer), digest)?;
        Ok((directory, digest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunId;

    /// A file whose records are zeros; rows, columns and length of each.
    fn file(slabs: &[(u32, u32, usize)]) -> (Header, Directory, Vec<u8>) {
        let n_slabs = slabs.len() as u64;
        let header = Header { layer: 2, n_slabs, block_positions: 16, is_odd: false, run: RunId([0; RunId::LEN]) };
        let mut directory = Directory::new();
        for &(rows, cols, byte_len) in slabs {
            directory.push(byte_len, SlabDigest { rows, cols, digest: Digest::of_scores(&[0]) });
        }
        let mut bytes = vec![0; directory.end() as usize];
        bytes.extend(directory.to_bytes(header.layer));
        (header, directory, bytes)
    }

    #[test]
    fn round_trip() {
        for slabs in [&[][..], &[(1, 1, 80)], &[(1, 1, 80), (3, 40, 250), (0, 2, 60)]] {
            let (header, directory, bytes) = file(slabs);
            let (parsed, digest) = Directory::parse(&bytes, &header).unwrap();
            assert_eq!((&parsed, digest), (&directory, directory.layer_digest(2)));
        }
    }

    #[test]
    fn short_or_flipped_is_refused() {
        let (header, _, bytes) = file(&[(1, 1, 80), (3, 40, 250)]);
        for len in 0..bytes.len() {
            assert!(Directory::parse(&bytes[..len], &header).is_err(), "{len}");
        }
        for bit in 8 * (bytes.len() - 2 * ENTRY_LEN - FOOTER_LEN)..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Directory::parse(&bytes, &header).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn records_too_short_for_their_shape_are_refused() {
        for slabs in [[(100, 100, 80)], [(u32::MAX, u32::MAX, 80)]] {
            let (header, _, bytes) = file(&slabs);
            assert!(matches!(Directory::parse(&bytes, &header), Err(Damage::Field { .. })));
        }
        let (header, _, bytes) = file(&[(1, 1, 80)]);
        for n_slabs in [0, 2, u64::MAX] {
            assert!(Directory::parse(&bytes, &Header { n_slabs, ..header }).is_err());
        }
    }
}
