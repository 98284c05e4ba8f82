//! The compression of small matrices: a block is a run of neighbouring positions.
//!
//! ```text
//! scores --codes--> packed codes --zstd, when that is shorter--> bytes of a block
//!
//! mode byte:  bit 0  0 nibbles, 1 bytes        bit 1  0 stored as packed, 1 one zstd frame
//! ```
//! Values with marks take a byte each.

mod codes;
#[cfg(all(feature = "encode", not(target_family = "wasm")))]
mod zstd_in_c;
#[cfg(any(test, not(feature = "encode"), target_family = "wasm"))]
mod zstd_in_rust;

use std::cell::RefCell;
use std::ops::Range;

use codes::Packing;
#[cfg(all(feature = "encode", not(target_family = "wasm")))]
use zstd_in_c::Zstd;
#[cfg(any(not(feature = "encode"), target_family = "wasm"))]
use zstd_in_rust::Zstd;

use crate::block_table::Size;
#[cfg(feature = "encode")]
use crate::block_writer::BlockWriter;
use crate::compression::{CheckScores, Compression, Effort};
use crate::encoded::{Blocks, Encoded};
use crate::parity::Parities;
use crate::source::Source;
use crate::{Crew, Damage, Decoded, Fault, Shape, Wanted};

/// Suits every matrix, and has no key.
#[derive(Debug)]
pub(crate) struct Plain;

impl Compression for Plain {
    fn suits(&self, _size: Size) -> bool {
        true
    }

    fn n_blocks(&self, size: Size) -> usize {
        size.positions().div_ceil(size.block_positions)
    }

    fn key_len(&self, _size: Size) -> usize {
        0
    }

    fn seals(&self, _size: Size, _key: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    #[cfg(feature = "encode")]
    fn encode(&self, scores: &[i8], parities: &Parities, _effort: Effort, _crew: Crew, out: &mut BlockWriter<'_>) {
        for (block, scores) in scores.chunks(out.table.size.block_positions).enumerate() {
            let at = (out.table.size.marks, range(out.table.size, block).start);
            encode(scores, parities, at, |mode, bytes| out.block(mode, bytes));
        }
    }

    /// Decodes all blocks: the matrix is small.
    fn decode(
        &self,
        from: &Encoded<'_>,
        parities: &Parities,
        _crew: Crew,
        (_, decoded, scores): (&Wanted, &mut Decoded, &mut [i8]),
        check: CheckScores<'_>,
    ) -> Result<(), Fault> {
        if decoded.is_whole() || scores.is_empty() {
            return Ok(());
        }
        let mut room = Vec::new();
        let blocks = from.blocks(0..from.table.n_blocks, &mut room)?;
        for block in 0..from.table.n_blocks {
            let scores = &mut scores[range(from.table.size, block)];
            decode_block((from, &blocks), block, parities, scores)?;
            check(scores)?;
        }
        *decoded = Decoded::whole(scores.len());
        Ok(())
    }

    fn decode_some(&self, from: &Encoded<'_>, parities: &Parities, places: &[usize]) -> Result<Vec<i8>, Fault> {
        let (mut found, mut scores, mut room) = (vec![0; places.len()], Vec::new(), Vec::new());
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_unstable_by_key(|&i| places[i]);
        let block_of = |i: usize| places[i] / from.table.size.block_positions;
        for wanted in order.chunk_by(|&a, &b| block_of(a) == block_of(b)) {
            let block = block_of(wanted[0]);
            let range = range(from.table.size, block);
            scores.resize(range.len(), 0);
            let blocks = from.blocks(block..block + 1, &mut room).map_err(Fault::in_block(block))?;
            decode_block((from, &blocks), block, parities, &mut scores)?;
            wanted.iter().for_each(|&i| found[i] = scores[places[i] - range.start]);
        }
        Ok(found)
    }

    fn decode_one(
        &self,
        from: &Source<'_>,
        shape: Shape<'_>,
        (row, col): (usize, usize),
        bytes: &mut Vec<u8>,
    ) -> Result<i8, Fault> {
        let position = row * shape.cols.len() + col;
        let block = position / from.table.size.block_positions;
        let range = range(from.table.size, block);
        let mode = from.block(block, range.len() as u64, &[], bytes)?;
        let (marks, parity) = (from.table.size.marks, shape.parity(row, col));
        decode_one(mode, bytes, (marks, range.len()), position - range.start, parity).map_err(Fault::in_block(block))
    }
}

/// Positions of a block.
fn range(size: Size, block: usize) -> Range<usize> {
    let start = block * size.block_positions;
    start..size.positions().min(start + size.block_positions)
}

/// The scores of a block, as many as `scores` holds.
fn decode_block(
    (from, blocks): (&Encoded<'_>, &Blocks<'_>),
    block: usize,
    parities: &Parities,
    scores: &mut [i8],
) -> Result<(), Fault> {
    let at = (from.table.size.marks, block * from.table.size.block_positions);
    let decoded = from.block(block, blocks).and_then(|(mode, bytes)| decode(mode, bytes, parities, at, scores));
    decoded.map_err(Fault::in_block(block))
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

/// Hands mode and bytes of the block of `scores`, with marks or without, which are those from position `first` of the matrix on, to `put`.
fn encode(scores: &[i8], parities: &Parities, (marks, first): (bool, usize), put: impl FnOnce(u8, &[u8])) {
    WORKSPACE.with_borrow_mut(|work| {
        work.parities.resize(scores.len(), 0);
        parities.fill(first, &mut work.parities);
        let packing = match marks {
            true => codes::encode_marked(scores, &work.parities, &mut work.packed),
            false => codes::encode(scores, &mut work.parities, &mut work.packed),
        };
        let is_compressed = work.zstd.compress(&work.packed, &mut work.compressed);
        let bytes = if is_compressed { &work.compressed } else { &work.packed };
        put(Mode { packing, is_compressed }.to_byte(), bytes);
    });
}

/// Scores of a block, with marks or without, as many as `scores` holds, from position `first` of the matrix on.
fn decode(
    mode: u8,
    bytes: &[u8],
    parities: &Parities,
    (marks, first): (bool, usize),
    scores: &mut [i8],
) -> Result<(), Damage> {
    WORKSPACE.with_borrow_mut(|work| {
        let Workspace { zstd, parities: parity_bytes, packed, .. } = work;
        let (packing, packed) = unpack(mode, bytes, (marks, scores.len()), zstd, packed)?;
        parity_bytes.resize(scores.len(), 0);
        parities.fill(first, parity_bytes);
        if marks {
            for ((value, &code), &parity) in scores.iter_mut().zip(packed).zip(&*parity_bytes) {
                *value = codes::decode_marked(code, parity);
            }
        } else {
            codes::decode(packing, packed, parity_bytes, scores);
        }
        Ok(())
    })
}

/// The score at `index` of a block of so many positions, with marks or without, given its parity.
fn decode_one(
    mode: u8,
    bytes: &[u8],
    (marks, positions): (bool, usize),
    index: usize,
    parity: u8,
) -> Result<i8, Damage> {
    WORKSPACE.with_borrow_mut(|work| {
        let (packing, packed) = unpack(mode, bytes, (marks, positions), &mut work.zstd, &mut work.packed)?;
        Ok(match marks {
            true => codes::decode_marked(packed[index], parity),
            false => codes::decode_one(packing, packed, index, parity),
        })
    })
}

/// The packed codes of a block: its bytes themselves or, decompressed, those in `buffer`.
fn unpack<'a>(
    mode: u8,
    bytes: &'a [u8],
    (marks, positions): (bool, usize),
    zstd: &mut Zstd,
    buffer: &'a mut Vec<u8>,
) -> Result<(Packing, &'a [u8]), Damage> {
    let Mode { packing, is_compressed } = Mode::from_byte(mode)?;
    Damage::check("mode of a block with marks", true, packing == Packing::Bytes || !marks)?;
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

#[cfg(all(test, feature = "encode"))]
mod tests {
    use bitvec::prelude::*;

    use super::*;

    /// A row of parities and scores that have them.
    fn row(len: usize, code: impl Fn(usize) -> i8) -> (Parities, Vec<i8>) {
        let bits: BitVec = (0..len).map(|i| i % 3 == 0).collect();
        let shape = Shape { rows: &bits[1..2], cols: &bits, is_odd: false };
        (Parities::of(shape), (0..len).map(|i| 2 * code(i) - i8::from(bits[i])).collect())
    }

    #[track_caller]
    fn check(mode: u8, len: usize, code: impl Fn(usize) -> i8) {
        let (parities, scores) = row(len, code);
        let mut bytes = Vec::new();
        encode(&scores, &parities, (false, 0), |got, block| {
            assert_eq!(got, mode);
            bytes.extend_from_slice(block);
        });
        let bytes = &bytes[..];
        let mut decoded = vec![0; len];
        decode(mode, bytes, &parities, (false, 0), &mut decoded).unwrap();
        assert_eq!(decoded, scores);
        assert_eq!(
            decode_one(mode, bytes, (false, len), len - 1, u8::from((len - 1).is_multiple_of(3))),
            Ok(scores[len - 1])
        );
        assert!(decode(mode, bytes, &parities, (false, 0), &mut decoded[..len - 2]).is_err());
        assert!(decode(mode, &bytes[1..], &parities, (false, 0), &mut decoded).is_err());
        assert!(decode(mode | 4, bytes, &parities, (false, 0), &mut decoded).is_err());
    }

    #[test]
    fn the_four_modes() {
        check(0, 5, |i| i as i8);
        check(1, 5, |i| 10 * i as i8);
        check(2, 1000, |i| (i % 2) as i8);
        check(3, 1000, |i| 40 * (i % 2) as i8);
    }
}
