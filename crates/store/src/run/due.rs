//! The notes of a run about slabs that are to be released.

use std::collections::BTreeMap;

use dab_space::{Layer, SlabId};

/// Slabs to be released, and the room that released ones gave back.
#[derive(Debug, Default)]
pub(super) struct Releases {
    pub(super) due: Vec<SlabId>,
    pub(super) due_bytes: u64,
    /// Bytes that were written when slabs were last released.
    pub(super) written: u64,
    /// Bytes given back, by layer.
    pub(super) freed: BTreeMap<Layer, u64>,
    /// Whether the file system makes holes, once it was asked.
    pub(super) has_holes: Option<bool>,
}
