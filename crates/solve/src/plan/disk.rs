//! Files of a solve that keeps the first layers only, without scores: slabs are written and released as in the solve. The bytes of a slab
//! are estimated ([`Density`]).

use std::ops::Range;

use dab_space::{Layer, Layout, SlabId};
use dab_store::{FILE_BLOCK, SlabSet};

use super::density::{Density, with_slack};

/// The most bytes of score files at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeakDisk {
    /// When the layers up to this one are kept.
    by_last: Vec<u64>,
}

impl PeakDisk {
    /// The peak when the layers up to `last` are kept.
    pub fn bytes(&self, last: usize) -> u64 {
        self.by_last[last.min(self.by_last.len() - 1)]
    }

    /// Bytes of disk that are enough when the layers up to `last` are kept, with room for errors of the forecast.
    pub fn least_disk(&self, last: usize) -> u128 {
        with_slack(self.bytes(last).into())
    }

    /// The largest `last` with which [`PeakDisk::least_disk`] stays within `bytes`, if any does.
    pub fn last_that_fits(&self, bytes: u128) -> Option<usize> {
        (0..self.by_last.len()).rev().find(|&last| self.least_disk(last) <= bytes)
    }
}

/// The score files at some time, and the most so far.
pub(super) struct Disk {
    /// By layer: the ends of its records, in the order in which they are written.
    ends: Vec<Vec<u64>>,
    /// By layer and slab: the place of a record in this order.
    places: Vec<Vec<usize>>,
    is_finished: Vec<bool>,
    holes: Vec<Holes>,
    /// Bytes of all layers, without holes.
    held: u64,
    /// Slabs that nothing reads, to be released when the stack is finished.
    unread: Vec<SlabId>,
    /// The most so far, when the layers up to this one are kept.
    by_last: Vec<u64>,
}

/// Holes of a layer.
#[derive(Clone, Debug, Default)]
struct Holes {
    /// Places of records.
    released: SlabSet,
    freed: u64,
}

impl Disk {
    pub(super) fn new(layout: &Layout) -> Self {
        let n_layers = layout.layers().len();
        Self {
            ends: vec![Vec::new(); n_layers],
            places: layout.layers().iter().map(|keys| vec![0; keys.len()]).collect(),
            is_finished: vec![false; n_layers],
            holes: vec![Holes::default(); n_layers],
            held: 0,
            unread: Vec::new(),
            by_last: vec![0; n_layers],
        }
    }

    /// The most of it.
    pub(super) fn peak(self) -> PeakDisk {
        PeakDisk { by_last: self.by_last }
    }

    /// A slab is written and takes `bytes`.
    pub(super) fn write(&mut self, id: SlabId, bytes: u64) {
        let ends = &mut self.ends[id.layer.0];
        self.places[id.layer.0][id.slab] = ends.len();
        ends.push(ends.last().copied().unwrap_or(0) + bytes);
        self.held += bytes;
        self.note();
    }

    /// Nothing reads these slabs any more. Those of the stack itself are released when it is finished.
    pub(super) fn unread(&mut self, slabs: &[SlabId]) {
        for &id in slabs {
            match self.is_finished[id.layer.0] {
                true => self.release(id),
                false => self.unread.push(id),
            }
        }
    }

    /// A stack is finished, and nothing reads the layers `done_with` any more.
    pub(super) fn finish(&mut self, layers: &[Layer], done_with: &[Layer]) {
        for layer in layers {
            self.is_finished[layer.0] = true;
            self.held += Density::LAYER;
        }
        self.note();
        std::mem::take(&mut self.unread).into_iter().for_each(|id| self.release(id));
        done_with.iter().for_each(|layer| self.discard(layer.0));
    }

    fn note(&mut self) {
        // Layers that are kept give nothing back.
        let mut bytes = self.held;
        for (holes, most) in self.holes.iter().zip(&mut self.by_last) {
            bytes += holes.freed;
            *most = bytes.max(*most);
        }
    }

    /// Bytes of whole blocks in the records of some neighbouring places.
    fn hole(&self, layer: usize, places: Range<usize>) -> u64 {
        let Some(last) = places.end.checked_sub(1).filter(|&last| last >= places.start) else { return 0 };
        let begin = places.start.checked_sub(1).map_or(0, |before| self.ends[layer][before]);
        (self.ends[layer][last] / FILE_BLOCK * FILE_BLOCK).saturating_sub(begin.next_multiple_of(FILE_BLOCK))
    }

    fn release(&mut self, id: SlabId) {
        let layer = id.layer.0;
        let place = self.places[layer][id.slab];
        let merged = self.holes[layer].released.insert(place);
        let freed = self.hole(layer, merged.clone())
            - self.hole(layer, merged.start..place)
            - self.hole(layer, place + 1..merged.end);
        self.holes[layer].freed += freed;
        self.held -= freed;
    }

    fn discard(&mut self, layer: usize) {
        let all = self.ends[layer].last().copied().unwrap_or(0) + Density::LAYER;
        self.held -= all - self.holes[layer].freed;
        self.holes[layer].freed = all;
    }
}

#[cfg(test)]
mod tests {
    use dab_space::{Budget, Space, SpaceKind};

    use super::super::load::Machines;
    use super::super::{DryRun, Plan};

    #[test]
    fn less_is_kept_in_less_room() {
        for (start, kind) in [("3x3", SpaceKind::Quiet), ("2x5", SpaceKind::Quiet), ("3x3", SpaceKind::Full)] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            let plan = Plan::new(space.layout());
            let peak = DryRun::new((&space, &plan), Machines::one(1, 1 << 30, 1e9), &Budget::unbounded()).unwrap().disk;
            let last = space.n_layers() - 1;
            assert!((0..last).all(|last| peak.bytes(last) <= peak.bytes(last + 1)));
            assert!(u128::from(peak.bytes(0)) < plan.bytes() && peak.bytes(usize::MAX) == peak.bytes(last));
            // All of it is there at the end; every slab is rounded up.
            let all = u128::from(peak.bytes(last)).abs_diff(plan.bytes());
            assert!(all <= (plan.slabs() + last + 1) as u128, "{all}");
        }
    }
}
