//! Scores that a solve decodes because not all slabs fit in memory that are still to be read, replayed without scores.
//!
//! The replay drops the slab that was not used for longest. A solve drops the slab that is read last, which takes a list of all
//! readers; it decodes a fixed part of that (`DECODED_OF_OLDEST`).

use dab_space::{Layout, SlabId};

use super::constants::DECODED_OF_OLDEST;

/// A cache of slabs without scores.
pub struct Decodes<'a> {
    layout: &'a Layout,
    /// Bytes that slabs may take, and those that they take.
    room: u64,
    held: u64,
    /// By layer and slab: the time of its last use, 0 if it is not held.
    used: Vec<Vec<u64>>,
    clock: u64,
    /// The slabs that are held, and some that were dropped.
    in_cache: Vec<SlabId>,
    decoded: u64,
}

impl<'a> Decodes<'a> {
    /// A cache with room for so many bytes of slabs.
    pub fn within(layout: &'a Layout, room: u64) -> Self {
        let used = layout.layers().iter().map(|keys| vec![0; keys.len()]).collect();
        Self { layout, room, held: 0, used, clock: 0, in_cache: Vec::new(), decoded: 0 }
    }

    /// Bytes that slabs may take.
    pub(super) fn room(&self) -> u64 {
        self.room
    }

    /// Scores decoded so far, as a solve decodes them.
    pub fn scores(&self) -> f64 {
        self.decoded as f64 * DECODED_OF_OLDEST
    }

    /// A slab is solved from others; nothing reads some of these any more. Returns how many of them are decoded.
    pub(super) fn solve(&mut self, id: SlabId, reads: &[SlabId], unread: &[SlabId]) -> u64 {
        let mut n = 0;
        for &read in reads {
            if self.hold(read) {
                self.decoded += self.positions(read);
                n += 1;
            }
        }
        unread.iter().for_each(|&id| self.drop(id));
        self.hold(id);
        n
    }

    /// Uses a slab; returns whether it was not held.
    fn hold(&mut self, id: SlabId) -> bool {
        self.clock += 1;
        let is_new = std::mem::replace(&mut self.used[id.layer.0][id.slab], self.clock) == 0;
        if is_new {
            self.held += self.positions(id);
            self.in_cache.push(id);
            if self.held > self.room {
                self.make_room();
            }
        }
        is_new
    }

    /// Drops slabs until nine tenths of the room are taken, as a solve does.
    fn make_room(&mut self) {
        let mut in_cache = std::mem::take(&mut self.in_cache);
        in_cache.retain(|id| self.used[id.layer.0][id.slab] > 0);
        in_cache.sort_unstable_by_key(|id| self.used[id.layer.0][id.slab]);
        in_cache.dedup();
        let n_dropped = in_cache.iter().take_while(|&&id| {
            let is_full = self.held > self.room / 10 * 9;
            if is_full {
                self.drop(id);
            }
            is_full
        });
        let n_dropped = n_dropped.count();
        self.in_cache = in_cache.split_off(n_dropped);
    }

    fn drop(&mut self, id: SlabId) {
        if std::mem::take(&mut self.used[id.layer.0][id.slab]) > 0 {
            self.held -= self.positions(id);
        }
    }

    fn positions(&self, id: SlabId) -> u64 {
        self.layout.positions(self.layout.key(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::peak_memory::PeakMemory;
    use crate::cost::plan::Plan;
    use dab_space::{Budget, Space, SpaceKind};

    #[test]
    fn the_less_room_the_more_is_decoded() {
        let space = Space::new("3x4".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let all = space.layout().total_positions() as u64;
        let decoded = [1, 16, 4, 2, 1].map(|part| {
            let mut decodes = Decodes::within(space.layout(), if part == 1 { all } else { all / part });
            PeakMemory::and_disk((&space, &Plan::new(space.layout())), &Budget::unbounded(), &mut decodes).unwrap();
            decodes.scores()
        });
        assert!(decoded[0] == 0.0 && decoded[1] > all as f64, "{decoded:?}");
        assert!(decoded[1..].is_sorted_by(|a, b| a > b), "{decoded:?}");
    }
}
