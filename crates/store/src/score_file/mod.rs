//! A score file: slabs of one layer, in the order in which they were finished.
//!
//! ```text
//! header      52 bytes            magic, format, layer, run (header.rs)
//! record      \
//! record       | a slab each      front, parity, block table, blocks (entry.rs, record.rs)
//! ...         /
//! directory   52 bytes a record   which slab, where, its digest (entry.rs); with marks 84
//! footer      28 bytes            written last: the file is complete (directory.rs)
//! ```
//!
//! [`PartFile`] writes it as `….score.part`, record after record, goes on with one that was interrupted, and renames it when it is
//! complete. [`ScoreFile`] reads a complete one, and [`GrowingFile`] one that another process is still writing. A layer has one score
//! file or several, and [`StoredLayer`] is all of them. [`StoredRecord`] is a slab in any of these: it is read in one way.

mod directory;
mod entry;
mod file;
mod header;
mod layer;
mod layer_summary;
mod part_file;
mod record;
mod record_layout;
mod source;
mod stored_record;
#[cfg(all(test, unix, feature = "encode"))]
mod tests;

use dab_codec::{Payload, Wanted};

pub use layer::StoredLayer;
pub use layer_summary::LayerSummary;
pub use stored_record::StoredRecord;

pub(crate) use file::{GrowingFile, OfLayer, ScoreFile};
pub use header::BLOCK_POSITIONS;
pub(crate) use header::{Header, MAX_BLOCK_POSITIONS};
pub(crate) use layer::digests_of;
pub(crate) use part_file::PartFile;
#[cfg(feature = "encode")]
pub(crate) use record::encode;
pub(crate) use record_layout::entry_len;

/// Bytes of key and block table of a slab of this shape without marks, if its blocks are decoded with a key.
pub fn keyed_overhead(rows: u64, cols: u64) -> Option<u64> {
    payload(rows, cols)?.keyed_overhead()
}

/// The part of a slab of this shape that is decoded where these scores are wanted, as far as it follows from the shape.
pub fn part_decoded(rows: u64, cols: u64, wanted: &Wanted) -> f64 {
    payload(rows, cols).map_or(1.0, |payload| payload.part(wanted))
}

/// The payload of a slab of this shape without marks, if memory can address it.
fn payload(rows: u64, cols: u64) -> Option<Payload> {
    let size = (u32::try_from(rows).ok()?, u32::try_from(cols).ok()?);
    Payload::new((0, 0), size, BLOCK_POSITIONS as usize, false).ok()
}
