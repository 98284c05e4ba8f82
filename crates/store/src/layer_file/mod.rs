//! A score file: the scores of one layer.
//!
//! ```text
//! header      52 bytes            magic, layer, run (header.rs)
//! slab n - 1  \
//! slab n - 2   | records          digest, parity, block table, blocks (record_layout.rs)
//! ...         /
//! directory   48 bytes a slab     offsets of the records (directory.rs)
//! footer      60 bytes            written last: the file is complete (directory.rs)
//! ```
//!
//! [`LayerWriter`] writes it as `layer-NN.score.part`, slab after slab, and renames it when complete; [`LayerFile`]
//! reads it by position. The last slab comes first, because slabs are solved in this order. Equal scores make equal bytes,
//! whatever the order in which slabs arrive and however often the writer was interrupted.

mod directory;
mod header;
mod reader;
mod record;
#[cfg(feature = "encode")]
pub(crate) mod record_encoder;
mod record_layout;
mod reorder_buffer;
mod room;
mod score_reader;
mod slab_decoder;
mod slab_files;
#[cfg(all(test, unix, feature = "encode"))]
mod tests;
mod writer;

pub use reader::LayerFile;
pub(crate) use writer::LayerWriter;

pub(crate) use directory::Directory;
pub(crate) use header::{FORMAT, Header, IN_SLAB_FILES_FORMAT};
pub(crate) use room::Room;
pub(crate) use slab_files::{slab_file_name, slab_file_table};

/// Bytes of key and block table of a slab of this shape in files of the newest format, if its blocks are decoded with a key.
pub fn keyed_overhead(rows: u64, cols: u64) -> Option<u64> {
    let size = (u32::try_from(rows).ok()?, u32::try_from(cols).ok()?);
    dab_codec::Payload::new((0, 0), size, BLOCK_POSITIONS as usize, FORMAT).ok()?.keyed_overhead()
}

/// Positions of a block, unless a run says otherwise.
pub const BLOCK_POSITIONS: u32 = 16384;

/// Bytes of memory for slabs that come before their turn, unless a run says otherwise.
pub(crate) const REORDER_BYTES: u64 = 64 << 20;

/// Most positions of a block; bounds what reading one block may allocate.
pub(crate) const MAX_BLOCK_POSITIONS: u32 = 1 << 24;
