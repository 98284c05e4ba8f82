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
use crate::{Damage, FORMAT_VERSION, RunId, StoreError};

const MAGIC: [u8; 8] = *b"DABSCORE";
const FORMAT_AT: usize = MAGIC.len();
const LAYER_AT: usize = FORMAT_AT + 4;
const SLABS_AT: usize = LAYER_AT + 4;
const BLOCK_POSITIONS_AT: usize = SLABS_AT + 8;
const FLAGS_AT: usize = BLOCK_POSITIONS_AT + 4;
const RUN_AT: usize = FLAGS_AT + 4;
const CRC_AT: usize = RUN_AT + RunId::LEN;

/// Identity of a score file: its layer, its run, and the size of its blocks. All files of a layer have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) layer: u32,
    /// Slabs of the layer, of which the file may have some.
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

    pub(crate) fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[..FORMAT_AT].copy_from_slice(&MAGIC);
        bytes[FORMAT_AT..LAYER_AT].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
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
    pub(crate) fn read(file: &Section, origin: &Origin, run: RunId) -> Result<Self, StoreError> {
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
        origin.check_version(u32_at(bytes, FORMAT_AT))?;
        let header = Self {
            layer: u32_at(bytes, LAYER_AT),
            n_slabs: u64_at(bytes, SLABS_AT),
            block_positions: u32_at(bytes, BLOCK_POSITIONS_AT),
            is_odd: bytes[FLAGS_AT] & 1 == 1,
            run: RunId(array_at(bytes, RUN_AT)),
        };
        Damage::check("flags", u32::from(header.is_odd), u32_at(bytes, FLAGS_AT)).map_err(&damaged)?;
        // Records and directory have 32 bits for the number of a slab.
        Damage::check("number of slabs below 2^32", true, header.n_slabs < 1 << 32).map_err(&damaged)?;
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

    const HEADER: Header =
        Header { layer: 7, n_slabs: 300, block_positions: 16384, is_odd: true, run: RunId([5; RunId::LEN]) };

    fn parse(bytes: &[u8]) -> Result<Header, StoreError> {
        Header::parse(bytes, &Origin::score_file(Path::new("layer-07.score")))
    }

    #[test]
    fn round_trip() {
        assert_eq!(parse(&HEADER.to_bytes()).unwrap(), HEADER);
        let even = Header { is_odd: false, ..HEADER };
        assert_eq!(parse(&even.to_bytes()).unwrap(), even);
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
    fn other_formats_are_named() {
        for format in [3, 9] {
            let mut other = HEADER.to_bytes();
            other[FORMAT_AT] = format;
            let crc = crc32fast::hash(&other[..CRC_AT]);
            other[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
            let error = parse(&other).unwrap_err();
            assert!(matches!(error, StoreError::Version { got, .. } if got == u32::from(format)), "{error}");
        }
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
