//! The first bytes of a score file.
//!
//! ```text
//!  0       8        12     16       24               28     32      48     52
//!  | magic | format | layer | slabs | block positions | flags | run id | crc32 |
//! ```
//!
//! All numbers little endian. Flags: bit 0 set when the last-move penalty is odd, so that scores have the opposite
//! parity of the open boxes; bit 1 set when scores have marks; the others 0. The checksum covers everything before it. Magic, format and checksum keep their
//! places in all versions, so that a damaged format number is not taken for another version.

use dab_codec::Shape;
use dab_space::SlabShape;

use crate::bytes::{CRC_LEN, Fields, check_seal, sealed};
use crate::origin::Origin;
use crate::section::Section;
use crate::{Damage, FORMAT_VERSION, RunId, StoreError};

const MAGIC: [u8; 8] = *b"DABSCORE";

/// Positions of a block, unless a run says otherwise.
pub const BLOCK_POSITIONS: u32 = 16384;

/// Most positions of a block; bounds what reading one block may allocate.
pub(crate) const MAX_BLOCK_POSITIONS: u32 = 1 << 24;

/// Identity of a score file: its layer, its run, and the size of its blocks. All files of a layer have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) layer: u32,
    /// Slabs of the layer, of which the file may have some.
    pub(crate) n_slabs: u64,
    pub(crate) block_positions: u32,
    /// Whether the last-move penalty is odd.
    pub(crate) is_odd: bool,
    /// Whether scores have marks.
    pub(crate) marks: bool,
    pub(crate) run: RunId,
}

impl Header {
    /// Length in bytes.
    pub(crate) const LEN: usize = MAGIC.len() + 4 + 4 + 8 + 4 + 4 + RunId::LEN + CRC_LEN;

    /// A slab of this shape as compressions see it.
    pub(super) fn shape<'a>(&self, shape: SlabShape<'a>) -> Shape<'a> {
        Shape { rows: shape.row_parity, cols: shape.col_parity, is_odd: self.is_odd }
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let (format, flags) = (FORMAT_VERSION.to_le_bytes(), self.flags().to_le_bytes());
        let (layer, n_slabs) = (self.layer.to_le_bytes(), self.n_slabs.to_le_bytes());
        let block_positions = self.block_positions.to_le_bytes();
        sealed([&MAGIC[..], &format, &layer, &n_slabs, &block_positions, &flags, &self.run.0].concat())
    }

    fn flags(self) -> u32 {
        u32::from(self.is_odd) | u32::from(self.marks) << 1
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
        let mut fields = Fields(bytes);
        fields.magic("first bytes", &MAGIC).map_err(&damaged)?;
        check_seal("the header", &bytes[..Self::LEN]).map_err(&damaged)?;
        origin.check_version(fields.u32())?;
        let (layer, n_slabs, block_positions, flags) = (fields.u32(), fields.u64(), fields.u32(), fields.u32());
        let (is_odd, marks, run) = (flags & 1 != 0, flags & 2 != 0, RunId(fields.array()));
        let header = Self { layer, n_slabs, block_positions, is_odd, marks, run };
        Damage::check("flags", header.flags(), flags).map_err(&damaged)?;
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

    const HEADER: Header = Header {
        layer: 7,
        n_slabs: 300,
        block_positions: 16384,
        is_odd: true,
        marks: true,
        run: RunId([5; RunId::LEN]),
    };

    fn parse(bytes: &[u8]) -> Result<Header, StoreError> {
        Header::parse(bytes, &Origin::score_file(Path::new("layer-07.score")))
    }

    #[test]
    fn just_what_was_written_is_believed() {
        for (is_odd, marks) in [(true, true), (true, false), (false, true), (false, false)] {
            let header = Header { is_odd, marks, ..HEADER };
            assert_eq!(parse(&header.to_bytes()).unwrap(), header);
        }
        let bytes = HEADER.to_bytes();
        assert_eq!(bytes.len(), Header::LEN);
        assert!((0..Header::LEN).all(|len| parse(&bytes[..len]).is_err()));
        // A damaged format, too, is no other version.
        for bit in 0..8 * Header::LEN {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(parse(&bytes), Err(StoreError::Damaged { .. })), "bit {bit}");
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
            other[MAGIC.len()] = format;
            other.truncate(Header::LEN - CRC_LEN);
            let error = parse(&sealed(other)).unwrap_err();
            assert!(matches!(error, StoreError::Version { got, .. } if got == u32::from(format)), "{error}");
        }
    }
}
