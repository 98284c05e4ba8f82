//! The slabs that a cache holds, replayed without scores. It drops the slab that was not used for longest.

use dab_space::{Layout, SlabId};

/// A cache of slabs without scores.
pub(super) struct Held<'a> {
    layout: &'a Layout,
    /// Bytes that slabs may take, and those that they take.
    room: u64,
    bytes: u64,
    /// By layer and slab: the time of its last use, 0 if it is not held.
    used: Vec<Vec<u64>>,
    clock: u64,
    /// The time at which the current layer was begun.
    layer_begin: u64,
    /// The slabs that are held, and some that were dropped.
    ids: Vec<SlabId>,
}

impl<'a> Held<'a> {
    /// A cache with room for so many bytes of slabs.
    pub(super) fn within(layout: &'a Layout, room: u64) -> Self {
        let used = layout.layers().iter().map(|keys| vec![0; keys.len()]).collect();
        Self { layout, room, bytes: 0, used, clock: 0, layer_begin: 0, ids: Vec::new() }
    }

    /// Bytes that slabs may take.
    pub(super) fn room(&self) -> u64 {
        self.room
    }

    /// Positions of a slab.
    pub(super) fn positions(&self, id: SlabId) -> u64 {
        self.layout.positions(self.layout.key(id))
    }

    /// Uses a slab; returns whether it was not held.
    pub(super) fn hold(&mut self, id: SlabId) -> bool {
        self.clock += 1;
        let is_new = std::mem::replace(&mut self.used[id.layer.0][id.slab], self.clock) == 0;
        if is_new {
            self.bytes += self.positions(id);
            self.ids.push(id);
            if self.bytes > self.room {
                self.make_room();
            }
        }
        is_new
    }

    /// Drops a slab if it is held.
    pub(super) fn drop(&mut self, id: SlabId) {
        if std::mem::take(&mut self.used[id.layer.0][id.slab]) > 0 {
            self.bytes -= self.positions(id);
        }
    }

    /// Begins a layer: drops the slabs that were not used during the last one.
    pub(super) fn next_layer(&mut self) {
        let mut ids = std::mem::take(&mut self.ids);
        ids.retain(|&id| {
            let is_used = self.used[id.layer.0][id.slab] > self.layer_begin;
            if !is_used {
                self.drop(id);
            }
            is_used
        });
        self.ids = ids;
        self.layer_begin = self.clock;
    }

    /// Drops slabs until nine tenths of the room are taken, as a solve does.
    fn make_room(&mut self) {
        let mut ids = std::mem::take(&mut self.ids);
        ids.retain(|id| self.used[id.layer.0][id.slab] > 0);
        ids.sort_unstable_by_key(|id| self.used[id.layer.0][id.slab]);
        ids.dedup();
        let n_dropped = ids.iter().take_while(|&&id| {
            let is_full = self.bytes > self.room / 10 * 9;
            if is_full {
                self.drop(id);
            }
            is_full
        });
        let n_dropped = n_dropped.count();
        self.ids = ids.split_off(n_dropped);
    }
}
