//! Encoding the record of a slab: the head, the payload, and the checksum of the head.
//!
//! Equal arguments make equal bytes, so the record of a recomputed slab is the one that was lost.

use dab_codec::{Crew, Effort, Shape};
use dab_space::SlabShape;

use super::header::Header;
use super::record::RecordHead;
use super::record_layout::{EncodedSlab, MAGIC, RecordLayout, parity_bits};
use crate::digest::SlabDigest;

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
    let digest = SlabDigest::of(shape, scores, Crew::Together);
    let at = bytes.len();
    let layout = begin(bytes, header, slab, digest, &parity_bits(shape));
    layout.payload.encode(header.shape(shape), scores, Effort::Run, Crew::Together, bytes);
    finish(&mut bytes[at..], &layout);
    digest
}

/// The record of a slab that was read with this head, in another file and coded as densely as can be.
pub(super) fn recode(header: &Header, slab: usize, head: &RecordHead<'_>, shape: Shape<'_>, scores: &[i8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(scores.len() / 4);
    let layout = begin(&mut bytes, header, slab, head.digest(), head.parity_bits());
    layout.payload.encode(shape, scores, Effort::Book, Crew::Alone, &mut bytes);
    finish(&mut bytes, &layout);
    bytes
}

/// Appends the head of a record up to the payload.
fn begin(
    bytes: &mut Vec<u8>,
    header: &Header,
    slab: usize,
    SlabDigest { rows, cols, digest }: SlabDigest,
    parity_bits: &[u8],
) -> RecordLayout {
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&(slab as u64).to_le_bytes());
    bytes.extend_from_slice(&rows.to_le_bytes());
    bytes.extend_from_slice(&cols.to_le_bytes());
    bytes.extend_from_slice(&digest.0);
    bytes.extend_from_slice(parity_bits);
    RecordLayout::new(header, slab, rows, cols).expect("a slab in memory can be addressed")
}

/// Seals the head of a record that is whole.
fn finish(record: &mut [u8], layout: &RecordLayout) {
    let crc = crc32fast::hash(&record[..layout.crc_at()]);
    record[layout.crc_at()..layout.head_len()].copy_from_slice(&crc.to_le_bytes());
}
