//! Encoding the record of a slab: scores become blocks, the block table and the checksum of the head follow.
//!
//! Equal arguments make equal bytes, so the record of a recomputed slab is the one that was lost.

use dab_space::SlabShape;

use super::header::Header;
use super::record::RecordHead;
use super::record_layout::{BlockEntry, EncodedSlab, MAGIC, RecordLayout};
use crate::Crew;
use crate::block::{self, BlockId};
use crate::digest::SlabDigest;
use crate::matrix::{self, Effort, Seals, Tiling};
use crate::parity::{self, Parities};

/// The record of a slab in a file with this header.
pub(crate) fn encode(header: &Header, slab: usize, shape: SlabShape<'_>, scores: &[i8]) -> EncodedSlab {
    let mut bytes = Vec::with_capacity(scores.len() / 3);
    let digest = append(&mut bytes, header, slab, shape, scores);
    EncodedSlab { bytes, digest }
}

/// Appends the record of a slab to `bytes`.
pub(crate) fn append(
    bytes: &mut Vec<u8>,
    header: &Header,
    slab: usize,
    shape: SlabShape<'_>,
    scores: &[i8],
) -> SlabDigest {
    assert_eq!(scores.len(), shape.positions(), "slab {slab} of layer {} has another size", header.layer);
    let crew = Crew::Together.for_slab(scores.len());
    let digest = SlabDigest::of(shape, scores, crew);
    let parities = Parities::of(shape, header.is_odd);
    let parity_bits = parity_bits(shape);
    let record = OpenRecord::begin(bytes, header, slab, &parity_bits, digest);
    record.fill(scores, &parities, Effort::Run, crew);
    digest
}

/// The packed parity of a slab: that of its rows, then that of its columns.
fn parity_bits(shape: SlabShape<'_>) -> Vec<u8> {
    let mut bits = Vec::new();
    parity::pack(shape.row_parity, &mut bits);
    parity::pack(shape.col_parity, &mut bits);
    bits
}

/// The record of a slab that was read with this head, in another file and coded as densely as can be.
pub(crate) fn recode(
    header: &Header,
    slab: usize,
    head: &RecordHead<'_>,
    parities: &Parities,
    scores: &[i8],
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(scores.len() / 4);
    let record = OpenRecord::begin(&mut bytes, header, slab, head.parity_bits(), head.digest());
    record.fill(scores, parities, Effort::Book, Crew::Alone);
    bytes
}

/// A record at the end of `bytes` whose blocks are still to come.
struct OpenRecord<'a> {
    bytes: &'a mut Vec<u8>,
    /// Offset of the record in `bytes`.
    at: usize,
    layout: RecordLayout,
    layer: u32,
    slab: u64,
    /// Of a slab in tiles.
    seals: Option<Seals>,
}

impl<'a> OpenRecord<'a> {
    /// Appends the head, its table and checksum still zeros.
    fn begin(
        bytes: &'a mut Vec<u8>,
        header: &Header,
        slab: usize,
        parity_bits: &[u8],
        SlabDigest { rows, cols, digest }: SlabDigest,
    ) -> Self {
        let layout = RecordLayout::new(rows, cols, header.blocking()).expect("a slab in memory can be addressed");
        let at = bytes.len();
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&(slab as u64).to_le_bytes());
        bytes.extend_from_slice(&rows.to_le_bytes());
        bytes.extend_from_slice(&cols.to_le_bytes());
        bytes.extend_from_slice(&digest.0);
        bytes.extend_from_slice(parity_bits);
        bytes.resize(at + layout.head_len(), 0);
        Self { bytes, at, layout, layer: header.layer, slab: slab as u64, seals: None }
    }

    /// Adds all blocks and seals the head.
    fn fill(mut self, scores: &[i8], parities: &Parities, effort: Effort, crew: Crew) {
        match self.layout.tiling {
            Some(tiling) => {
                let encoder = matrix::Encoder::new(tiling, scores, parities, effort, crew);
                self.set_key(tiling, encoder.key());
                let mut block = 0;
                encoder.for_each_tile(|tile| {
                    self.push(block, |bytes| {
                        bytes.extend_from_slice(tile);
                        matrix::MODE
                    });
                    block += 1;
                });
            }
            None => {
                for block in 0..self.layout.n_blocks() {
                    let positions = self.layout.block_range(block);
                    let scores = &scores[positions.clone()];
                    self.push(block, |bytes| block::encode(scores, parities, positions.start, bytes));
                }
            }
        }
        self.finish();
    }

    /// Sets the key of a slab in tiles, before its tiles are added.
    fn set_key(&mut self, tiling: Tiling, key: &[u8]) {
        self.bytes[self.at..][self.layout.key_range()].copy_from_slice(key);
        self.seals = Some(Seals::new(tiling, key));
    }

    /// Adds the next block: `encode` appends its bytes and returns its mode byte.
    fn push(&mut self, block: usize, encode: impl FnOnce(&mut Vec<u8>) -> u8) {
        let body_at = self.at + self.layout.head_len();
        let start = self.bytes.len();
        let mode = encode(self.bytes);
        let id = BlockId { layer: self.layer, slab: self.slab, block: block as u64 };
        let seal = self.seals.as_ref().map(|seals| seals.of(block));
        let crc = id.crc(mode, seal.as_ref().map_or(&[], |seal| &seal[..]), &self.bytes[start..]);
        let range = (start - body_at) as u64..(self.bytes.len() - body_at) as u64;
        BlockEntry { range, crc, mode }.write(&self.layout, block, &mut self.bytes[self.at..]);
    }

    /// Seals the head.
    fn finish(self) {
        let (crc_at, head_len) = (self.layout.crc_at, self.layout.head_len());
        let head = &mut self.bytes[self.at..][..head_len];
        let crc = crc32fast::hash(&head[..crc_at]);
        head[crc_at..].copy_from_slice(&crc.to_le_bytes());
    }
}

/// The record of a slab whose scores are 0 in all blocks but the last one, and 4 there: as it would be encoded, but for
/// the digest, without having the scores.
#[cfg(test)]
pub(crate) fn hollow(header: &Header, slab: usize, shape: SlabShape<'_>, digest: SlabDigest) -> Vec<u8> {
    let parities = Parities::of(shape, header.is_odd);
    let block_of = |score: i8, len: usize| {
        let mut bytes = Vec::new();
        (block::encode(&vec![score; len], &parities, 0, &mut bytes), bytes)
    };
    let mut bytes = Vec::new();
    let parity_bits = parity_bits(shape);
    let mut record = OpenRecord::begin(&mut bytes, header, slab, &parity_bits, digest);
    let n = record.layout.n_blocks();
    let last_len = record.layout.block_range(n - 1).len();
    let (other, last) = (block_of(0, header.block_positions as usize), block_of(4, last_len));
    for block in 0..n {
        let (mode, body) = if block == n - 1 { &last } else { &other };
        record.push(block, |bytes| {
            bytes.extend_from_slice(body);
            *mode
        });
    }
    record.finish();
    bytes
}
