//! Peak disk of a solve that keeps the first layers only, replayed: slabs are written and released as in the solve, but without
//! scores. The bytes of a slab are estimated ([`Density`]).

use std::ops::Range;

use dab_space::{Budget, Layer, SlabId, Space, SpaceError, Spent};
use dab_store::{FILE_BLOCK, SlabSet};

use super::density::{Density, with_slack};
use super::plan::Plan;
use super::replay::{Replay, Step};

/// The most bytes of score files at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeakDisk {
    /// When the layers up to this one are kept.
    by_last: Vec<u64>,
}

impl PeakDisk {
    /// Replays the solve of `space` that is planned, by one process with room for so many bytes of slabs in memory, or layer by layer by
    /// several.
    ///
    /// # Errors
    /// If that takes longer than the budget allows.
    pub fn new(space: &Space, plan: &Plan, budget: &Budget<'_>, room: Option<u64>) -> Result<Self, SpaceError> {
        Self::of((space, plan), budget, room, |_| {}).map_err(|spent| spent.of(space.layout().units().start()))
    }

    /// As [`PeakDisk::new`]; `told` hears of every step.
    pub(crate) fn of(
        (space, plan): (&Space, &Plan),
        budget: &Budget<'_>,
        room: Option<u64>,
        mut told: impl FnMut(&Step<'_>),
    ) -> Result<Self, Spent> {
        let replay = Replay::new(space, budget)?;
        let (layout, density) = (space.layout(), plan.density());
        let n_layers = space.n_layers();
        let mut disk = Disk {
            ends: layout.layers().iter().map(|keys| vec![0; keys.len()]).collect(),
            holes: vec![Holes::default(); n_layers],
            held: 0,
        };
        let (mut by_last, mut is_finished, mut unread) = (vec![0; n_layers], vec![false; n_layers], Vec::new());
        // Several processes give room back while they solve the next layer.
        let (mut late, mut late_layers): (Vec<SlabId>, Vec<Layer>) = Default::default();
        let mut most = |disk: &Disk| {
            // Layers that are kept give nothing back.
            let mut bytes = disk.held;
            for (last, most) in by_last.iter_mut().enumerate() {
                bytes += disk.holes[last].freed;
                *most = bytes.max(*most);
            }
        };
        replay.run(budget, room, |step| {
            told(&step);
            match step {
                Step::Slab(id, _, done_with) => {
                    let key = layout.key(id);
                    disk.write(id, density.record(id.layer, layout.rows(key), layout.cols(key)).ceil() as u64);
                    most(&disk);
                    for &id in done_with {
                        match is_finished[id.layer.0] && room.is_some() {
                            true => disk.release(id),
                            false => unread.push(id),
                        }
                    }
                }
                // Slabs of the stack itself are released when it is finished.
                Step::Stack(layers, done_with) => {
                    for layer in layers {
                        is_finished[layer.0] = true;
                        disk.finish(layer.0);
                    }
                    disk.held += Density::LAYER * layers.len() as u64;
                    most(&disk);
                    late.drain(..).for_each(|id| disk.release(id));
                    late_layers.drain(..).for_each(|layer| disk.discard(layer.0));
                    match room {
                        Some(_) => {
                            unread.drain(..).for_each(|id| disk.release(id));
                            done_with.iter().for_each(|layer| disk.discard(layer.0));
                        }
                        None => {
                            late.append(&mut unread);
                            late_layers.extend(done_with);
                        }
                    }
                }
            }
        })?;
        Ok(Self { by_last })
    }

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

/// The score files at some time.
struct Disk {
    /// By layer: the bytes of the records, that of the last slab first, and their ends once the layer is finished.
    ends: Vec<Vec<u64>>,
    holes: Vec<Holes>,
    /// Bytes of all layers, without holes.
    held: u64,
}

/// Holes of a layer.
#[derive(Clone, Debug, Default)]
struct Holes {
    /// Places of records.
    released: SlabSet,
    freed: u64,
}

impl Disk {
    fn write(&mut self, id: SlabId, bytes: u64) {
        let records = &mut self.ends[id.layer.0];
        let place = records.len() - 1 - id.slab;
        records[place] = bytes;
        self.held += bytes;
    }

    fn finish(&mut self, layer: usize) {
        let mut end = 0;
        for record in &mut self.ends[layer] {
            end += *record;
            *record = end;
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
        let place = self.ends[layer].len() - 1 - id.slab;
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
    use super::*;
    use dab_space::SpaceKind;

    #[test]
    fn less_is_kept_in_less_room() {
        for (start, kind) in [("3x3", SpaceKind::Quiet), ("2x5", SpaceKind::Quiet), ("3x3", SpaceKind::Full)] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            let plan = Plan::new(space.layout());
            let peak = |room| PeakDisk::new(&space, &plan, &Budget::unbounded(), room).unwrap();
            let (several, peak) = (peak(None), peak(Some(0)));
            let last = space.n_layers() - 1;
            for peak in [&peak, &several] {
                assert!((0..last).all(|last| peak.bytes(last) <= peak.bytes(last + 1)));
            }
            assert!(u128::from(several.bytes(0)) < plan.bytes() && several.bytes(last) == peak.bytes(last));
            assert!(u128::from(peak.bytes(0)) < plan.bytes() && peak.bytes(usize::MAX) == peak.bytes(last));
            // All of it is there at the end; every slab is rounded up.
            let all = u128::from(peak.bytes(last)).abs_diff(plan.bytes());
            assert!(all <= (plan.slabs() + last + 1) as u128, "{all}");
        }
    }
}
