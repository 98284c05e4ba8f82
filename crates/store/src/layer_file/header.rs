//! The first bytes of a score file.
//!
//! ```text
//!  0       8        12     16       24               28     32      48     52
//!  | magic | format | layer | slabs | block positions | flags | run id | crc32 |
//! ```
//!
//! All numbers little endian. Flags: bit 0 set when the last-move penalty is odd, so that scores have the opposite
//! parity of the open boxes; the others 0. The checksum covers everything before it. Magic, format and checksum keep their
//! places in all versions, so that a damaged format number is not taken for another version.

use dab_codec::Shape;
use dab_space::SlabShape;

use super::MAX_BLOCK_POSITIONS;
use crate::bytes::{array_at, check_magic, u32_at, u64_at};
use crate::origin::Origin;
use crate::section::Section;
use crate::{Damage, RunId, StoreError};

const MAGIC: [u8; 8] = *b"DABSCORE";
const FORMAT_AT: usize = MAGIC.len();
const LAYER_AT: usize = FORMAT_AT + 4;
const SLABS_AT: usize = LAYER_AT + 4;
const BLOCK_POSITIONS_AT: usize = SLABS_AT + 8;
const FLAGS_AT: usize = BLOCK_POSITIONS_AT + 4;
const RUN_AT: usize = FLAGS_AT + 4;
const CRC_AT: usize = RUN_AT + RunId::LEN;

/// The first format; the second one has another compression.
pub(crate) const PLAIN_FORMAT: u32 = 1;
/// The first format whose records come in the order in which slabs are solved, the last slab first.
const LAST_FIRST_FORMAT: u32 = 3;
/// The format that is written by one process.
pub(crate) const FORMAT: u32 = LAST_FIRST_FORMAT;
/// The newest format, of a layer that several processes solved: its records are in slab files, which have [`FORMAT`].
pub(crate) const IN_SLAB_FILES_FORMAT: u32 = 4;

/// Identity of a score file: its format, its layer, its run, and the size of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// From [`PLAIN_FORMAT`] to [`IN_SLAB_FILES_FORMAT`].
    pub(crate) format: u32,
    pub(crate) layer: u32,
    pub(crate) n_slabs: u64,
    pub(crate) block_positions: u32,
    /// Whether the last-move penalty is odd.
    pub(crate) is_odd: bool,
    pub(crate) run: RunId,
}

impl Header {
    /// Length in bytes.
    pub(crate) const LEN: usize = CRC_AT + 4;

    /// A slab of this shape as compressions see it.
    pub(super) fn shape<'a>(&self, shape: SlabShape<'a>) -> Shape<'a> {
        Shape { rows: shape.row_parity, cols: shape.col_parity, is_odd: self.is_odd }
    }

    /// Whether the records are in slab files.
    pub(crate) fn is_in_slab_files(&self) -> bool {
        self.format == IN_SLAB_FILES_FORMAT
    }

    /// The place of the record of a slab among the records, and just so the slab of the record at a place; `None` if there is no
    /// such slab.
    pub(crate) fn place(&self, slab: usize) -> Option<usize> {
        let after = self.n_slabs.checked_sub(slab as u64 + 1)?;
        Some(if self.format >= LAST_FIRST_FORMAT { after as usize } else { slab })
    }

    pub(crate) fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[..FORMAT_AT].copy_from_slice(&MAGIC);
        bytes[FORMAT_AT..LAYER_AT].copy_from_slice(&self.format.to_le_bytes());
        bytes[LAYER_AT..SLABS_AT].copy_from_slice(&self.layer.to_le_bytes());
        bytes[SLABS_AT..BLOCK_POSITIONS_AT].copy_from_slice(&self.n_slabs.to_le_bytes());
        bytes[BLOCK_POSITIONS_AT..FLAGS_AT].copy_from_slice(&self.block_positions.to_le_bytes());
        bytes[FLAGS_AT..RUN_AT].copy_from_slice(&u32::from(self.is_odd).to_le_bytes());
        bytes[RUN_AT..CRC_AT].copy_from_slice(&self.run.0);
        let crc = crc32fast::hash(&bytes[..CRC_AT]);
        bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The header of a file, which must belong to this run.
    pub(super) fn read(file: &Section, origin: &Origin, run: RunId) -> Result<Self, StoreError> {
        let header = Self::parse(&file.first(Self::LEN).map_err(origin.in_file())?, origin)?;
        if header.run == run {
            return Ok(header);
        }
        let (path, expected, got) = (origin.path.clone(), run.to_string(), header.run.to_string());
        Err(StoreError::ForeignFile { path, expected, got })
    }

    /// The header of the score file that begins with `bytes`.
    pub(crate) fn parse(bytes: &[u8], origin: &Origin) -> Result<Self, StoreError> {
        let damaged = origin.in_file::<Damage>();
        Damage::check_len("the header", Self::LEN as u64, bytes.len() as u64).map_err(&damaged)?;
        check_magic("first bytes", &MAGIC, &bytes[..FORMAT_AT]).map_err(&damaged)?;
        Damage::check_crc("the header", u32_at(bytes, CRC_AT), crc32fast::hash(&bytes[..CRC_AT])).map_err(&damaged)?;
        let format = u32_at(bytes, FORMAT_AT);
        if !(PLAIN_FORMAT..=IN_SLAB_FILES_FORMAT).contains(&format) {
            return Err(origin.other_version(IN_SLAB_FILES_FORMAT, format));
        }
        let header = Self {
            format,
            layer: u32_at(bytes, LAYER_AT),
            n_slabs: u64_at(bytes, SLABS_AT),
            block_positions: u32_at(bytes, BLOCK_POSITIONS_AT),
            is_odd: bytes[FLAGS_AT] & 1 == 1,
            run: RunId(array_at(bytes, RUN_AT)),
        };
        Damage::check("flags", u32::from(header.is_odd), u32_at(bytes, FLAGS_AT)).map_err(&damaged)?;
        if !(1..=MAX_BLOCK_POSITIONS).contains(&header.block_positions) {
            let expected = format!("1 to {MAX_BLOCK_POSITIONS}");
            let got = header.block_positions.to_string();
            return Err(damaged(Damage::Field { what: "positions of a block", expected, got }));
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const HEADER: Header = Header {
        format: FORMAT,
        layer: 7,
        n_slabs: 300,
        block_positions: 16384,
        is_odd: true,
        run: RunId([5; RunId::LEN]),
    };

    fn parse(bytes: &[u8]) -> Result<Header, StoreError> {
        Header::parse(bytes, &Origin::score_file(Path::new("layer-07.score")))
    }

    #[test]
    fn round_trip() {
        assert_eq!(parse(&HEADER.to_bytes()).unwrap(), HEADER);
        let even = Header { is_odd: false, format: PLAIN_FORMAT, ..HEADER };
        assert_eq!(parse(&even.to_bytes()).unwrap(), even);
    }

    #[test]
    fn places_are_those_of_the_format() {
        let (slabs, reversed) = ([0, 1, 2], [2, 1, 0]);
        let all = [(PLAIN_FORMAT, slabs), (2, slabs), (FORMAT, reversed), (IN_SLAB_FILES_FORMAT, reversed)];
        for (format, places) in all {
            let header = Header { format, n_slabs: 3, ..HEADER };
            assert_eq!(slabs.map(|slab| header.place(slab)), places.map(Some));
            assert_eq!(header.place(3), None);
        }
    }

    #[test]
    fn short_or_flipped_is_refused() {
        let bytes = HEADER.to_bytes();
        for len in 0..Header::LEN {
            assert!(parse(&bytes[..len]).is_err(), "{len}");
        }
        for bit in 0..8 * Header::LEN {
            let mut bytes = bytes;
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(parse(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn absurd_block_sizes_are_refused() {
        for block_positions in [0, MAX_BLOCK_POSITIONS + 1] {
            assert!(parse(&Header { block_positions, ..HEADER }.to_bytes()).is_err());
        }
    }

    #[test]
    fn a_newer_format_is_named() {
        let newer = Header { format: 9, ..HEADER }.to_bytes();
        assert!(matches!(parse(&newer), Err(StoreError::Version { expected: IN_SLAB_FILES_FORMAT, got: 9, .. })));
    }

    #[test]
    fn a_damaged_format_is_no_other_version() {
        for bit in 8 * FORMAT_AT..8 * LAYER_AT {
            let mut bytes = HEADER.to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(parse(&bytes), Err(StoreError::Damaged { .. })), "bit {bit}");
        }
    }
}
