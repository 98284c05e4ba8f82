//! A block: a run of positions of one slab, the unit of compression, checksum and random access.
//!
//! ```text
//! scores --codec--> packed codes --zstd, when that is shorter--> bytes on disk
//!
//! mode byte:  bit 0  0 nibbles, 1 bytes        bit 1  0 stored as packed, 1 one zstd frame
//! checksum:   crc32 (IEEE) of layer u32, slab u64, block u64, mode u8, of a tile its seal, then the bytes on disk
//! ```
//!
//! Layer, slab and block are in the checksum so that an intact block in the wrong place is an error too.

use std::cell::RefCell;

use crate::Damage;
use crate::codec::{self, Packing};
use crate::parity::Parities;
#[cfg(not(target_family = "wasm"))]
use crate::zstd_in_c::Zstd;
#[cfg(target_family = "wasm")]
use crate::zstd_in_rust::Zstd;

/// The block's layer, slab and number in its slab.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockId {
    pub(crate) layer: u32,
    pub(crate) slab: u64,
    pub(crate) block: u64,
}

impl BlockId {
    /// Checksum of a block at this place; the seal of a tile covers the other bytes that decode it.
    pub(crate) fn crc(self, mode: u8, seal: &[u8], bytes: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.layer.to_le_bytes());
        hasher.update(&self.slab.to_le_bytes());
        hasher.update(&self.block.to_le_bytes());
        hasher.update(&[mode]);
        hasher.update(seal);
        hasher.update(bytes);
        hasher.finalize()
    }
}

/// The steps by which the scores of a block became bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mode {
    packing: Packing,
    is_compressed: bool,
}

impl Mode {
    fn to_byte(self) -> u8 {
        u8::from(self.packing == Packing::Bytes) | u8::from(self.is_compressed) << 1
    }

    fn from_byte(byte: u8) -> Result<Self, Damage> {
        let packing = if byte & 1 == 0 { Packing::Nibbles } else { Packing::Bytes };
        let mode = Self { packing, is_compressed: byte & 2 != 0 };
        Damage::check("mode", mode.to_byte(), byte)?;
        Ok(mode)
    }
}

/// Buffers and the zstd context, kept by each thread.
struct Workspace {
    zstd: Zstd,
    parities: Vec<u8>,
    packed: Vec<u8>,
    compressed: Vec<u8>,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace {
        zstd: Zstd::new(),
        parities: Vec::new(),
        packed: Vec::new(),
        compressed: Vec::new(),
    });
}

/// Appends the block of `scores`, which are those from position `first` of the slab on; returns its mode byte.
pub(crate) fn encode(scores: &[i8], parities: &Parities, first: usize, out: &mut Vec<u8>) -> u8 {
    WORKSPACE.with_borrow_mut(|work| {
        work.parities.resize(scores.len(), 0);
        parities.fill(first, &mut work.parities);
        let packing = codec::encode(scores, &mut work.parities, &mut work.packed);
        let is_compressed = work.zstd.compress(&work.packed, &mut work.compressed);
        out.extend_from_slice(if is_compressed { &work.compressed } else { &work.packed });
        Mode { packing, is_compressed }.to_byte()
    })
}

/// Scores of a block, as many as `scores` holds, from position `first` of the slab on.
pub(crate) fn decode(
    mode: u8,
    bytes: &[u8],
    parities: &Parities,
    first: usize,
    scores: &mut [i8],
) -> Result<(), Damage> {
    WORKSPACE.with_borrow_mut(|work| {
        let Workspace { zstd, parities: parity_bytes, packed, .. } = work;
        let (packing, packed) = unpack(mode, bytes, scores.len(), zstd, packed)?;
        parity_bytes.resize(scores.len(), 0);
        parities.fill(first, parity_bytes);
        codec::decode(packing, packed, parity_bytes, scores);
        Ok(())
    })
}

/// The score at `index` of a block of `positions` positions, given its parity.
pub(crate) fn decode_one(mode: u8, bytes: &[u8], positions: usize, index: usize, parity: u8) -> Result<i8, Damage> {
    WORKSPACE.with_borrow_mut(|work| {
        let (packing, packed) = unpack(mode, bytes, positions, &mut work.zstd, &mut work.packed)?;
        Ok(codec::decode_one(packing, packed, index, parity))
    })
}

/// The packed codes of a block: its bytes themselves or, decompressed, those in `buffer`.
fn unpack<'a>(
    mode: u8,
    bytes: &'a [u8],
    positions: usize,
    zstd: &mut Zstd,
    buffer: &'a mut Vec<u8>,
) -> Result<(Packing, &'a [u8]), Damage> {
    let Mode { packing, is_compressed } = Mode::from_byte(mode)?;
    let byte_len = packing.byte_len(positions);
    let packed = if is_compressed {
        buffer.resize(byte_len, 0);
        let len = zstd.decompress(bytes, buffer)?;
        &buffer[..len]
    } else {
        bytes
    };
    Damage::check("length of the codes", byte_len, packed.len())?;
    Ok((packing, packed))
}

#[cfg(test)]
mod tests {
    use bitvec::prelude::*;
    use dab_space::SlabShape;

    use super::*;

    /// A row of parities and scores that have them.
    fn row(len: usize, code: impl Fn(usize) -> i8) -> (Parities, Vec<i8>) {
        let bits: BitVec = (0..len).map(|i| i % 3 == 0).collect();
        let shape = SlabShape { row_parity: &bits[1..2], col_parity: &bits };
        (Parities::of(shape, false), (0..len).map(|i| 2 * code(i) - i8::from(bits[i])).collect())
    }

    #[track_caller]
    fn check(mode: u8, len: usize, code: impl Fn(usize) -> i8) {
        let (parities, scores) = row(len, code);
        let mut bytes = vec![7];
        assert_eq!(encode(&scores, &parities, 0, &mut bytes), mode);
        let bytes = &bytes[1..];
        let mut decoded = vec![0; len];
        decode(mode, bytes, &parities, 0, &mut decoded).unwrap();
        assert_eq!(decoded, scores);
        assert_eq!(decode_one(mode, bytes, len, len - 1, u8::from((len - 1).is_multiple_of(3))), Ok(scores[len - 1]));
        assert!(decode(mode, bytes, &parities, 0, &mut decoded[..len - 2]).is_err());
        assert!(decode(mode, &bytes[1..], &parities, 0, &mut decoded).is_err());
        assert!(decode(mode | 4, bytes, &parities, 0, &mut decoded).is_err());
    }

    #[test]
    fn the_four_modes() {
        check(0, 5, |i| i as i8);
        check(1, 5, |i| 10 * i as i8);
        check(2, 1000, |i| (i % 2) as i8);
        check(3, 1000, |i| 40 * (i % 2) as i8);
    }

    #[test]
    fn place_and_mode_are_in_the_checksum() {
        let place = BlockId { layer: 1, slab: 2, block: 3 };
        let crc = place.crc(0, &[], b"scores");
        assert_ne!(crc, BlockId { layer: 2, ..place }.crc(0, &[], b"scores"));
        assert_ne!(crc, BlockId { slab: 3, ..place }.crc(0, &[], b"scores"));
        assert_ne!(crc, BlockId { block: 2, ..place }.crc(0, &[], b"scores"));
        assert_ne!(crc, place.crc(1, &[], b"scores"));
        assert_ne!(crc, place.crc(0, &[1], b"scores"));
    }
}
