//! Encoding the record of a slab: the head, the payload, and the checksum of the head.
//!
//! Equal arguments make equal bytes, so the record of a recomputed slab is the one that was lost.

use dab_codec::{Crew, Effort, Shape};
use dab_space::SlabShape;

use super::front::Front;
use super::header::Header;
use super::record::Record;
use super::record_layout::{EncodedSlab, RecordLayout, parity_bits};
use crate::digest::SlabDigest;

/// The record of a slab in a file with this header.
///
/// # Panics
/// When the number of scores is not that of the shape.
pub(crate) fn encode(header: &Header, slab: usize, shape: SlabShape<'_>, scores: &[i8]) -> EncodedSlab {
    assert_eq!(scores.len(), shape.positions(), "slab {slab} of layer {} has another size", header.layer);
    let digest = SlabDigest::of(shape, scores, Crew::Together);
    let mut bytes = Vec::with_capacity(scores.len() / 3);
    let layout = begin(&mut bytes, header, slab, digest, &parity_bits(shape));
    layout.payload.encode(header.shape(shape), scores, Effort::Run, Crew::Together, &mut bytes);
    seal(&mut bytes, header, digest, &layout);
    EncodedSlab { bytes, digest }
}

/// The record of a slab as it is in another file, coded as densely as can be.
pub(super) fn recode(
    header: &Header,
    (slab, digest): (usize, SlabDigest),
    record: &Record<'_>,
    shape: Shape<'_>,
    scores: &[i8],
) -> EncodedSlab {
    let mut bytes = Vec::with_capacity(scores.len() / 4);
    let layout = begin(&mut bytes, header, slab, digest, record.parity_bits());
    layout.payload.encode(shape, scores, Effort::Book, Crew::Alone, &mut bytes);
    seal(&mut bytes, header, digest, &layout);
    EncodedSlab { bytes, digest }
}

/// Appends the head of a record up to the payload, with room for its front.
fn begin(
    bytes: &mut Vec<u8>,
    header: &Header,
    slab: usize,
    SlabDigest { rows, cols, .. }: SlabDigest,
    parity_bits: &[u8],
) -> RecordLayout {
    bytes.extend_from_slice(&[0; Front::LEN]);
    bytes.extend_from_slice(parity_bits);
    RecordLayout::new(header, slab, rows, cols).expect("a slab in memory can be addressed")
}

/// Writes the front of a record that is whole, and seals its head.
fn seal(record: &mut [u8], header: &Header, digest: SlabDigest, layout: &RecordLayout) {
    let front = Front { slab: layout.slab, digest, byte_len: record.len() as u64 };
    record[..Front::LEN].copy_from_slice(&front.to_bytes(header));
    let crc = crc32fast::hash(&record[..layout.crc_at()]);
    record[layout.crc_at()..layout.head_len()].copy_from_slice(&crc.to_le_bytes());
}
