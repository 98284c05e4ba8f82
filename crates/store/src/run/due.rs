//! The notes of a run about slabs that are to be released.

use std::collections::BTreeMap;

use dab_space::{Layer, SlabId};

/// Slabs to be released, and the room that released ones gave back.
#[derive(Debug, Default)]
pub(super) struct Releases {
    due: Vec<SlabId>,
    due_bytes: u64,
    /// Bytes that were written when slabs were last released.
    written: u64,
    /// Bytes given back, by layer.
    freed: BTreeMap<Layer, u64>,
}

impl Releases {
    /// Adds a slab to be released, whose record has so many bytes.
    pub(super) fn push(&mut self, id: SlabId, bytes: u64) {
        self.due.push(id);
        self.due_bytes += bytes;
    }

    /// Takes the slabs to be released, unless they have fewer than `least` bytes; `written` bytes are written by now.
    pub(super) fn take(&mut self, least: u64, written: u64) -> Vec<SlabId> {
        self.written = written;
        if self.due_bytes < least {
            return Vec::new();
        }
        self.due_bytes = 0;
        std::mem::take(&mut self.due)
    }

    /// Bytes written since slabs were last released, of `written` by now.
    pub(super) fn written_since(&self, written: u64) -> u64 {
        written.saturating_sub(self.written)
    }

    /// Notes the bytes that all released slabs of a layer have given back.
    pub(super) fn set_freed(&mut self, layer: Layer, bytes: u64) {
        self.freed.insert(layer, bytes);
    }

    /// Bytes that released slabs of all layers have given back.
    pub(super) fn freed(&self) -> u64 {
        self.freed.values().sum()
    }

    /// Forgets a layer, which is discarded.
    pub(super) fn forget(&mut self, layer: Layer) {
        self.freed.remove(&layer);
        self.due.retain(|id| id.layer != layer);
    }
}
