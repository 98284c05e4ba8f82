//! The estimate of a solve before its schedule runs dry: positions and slabs exactly, bytes and work from them.

use std::time::Duration;

use dab_space::{Layer, Layout, SpaceKind};
use serde::Serialize;

use super::costs::Costs;
use super::density::{Density, Written, with_slack};
use super::memory::{self, IndexSize, PeakMemory};
use crate::constants::{HELD_OF_QUIET, INNER_UNIT, NS_PER_CHECK, NS_PER_RUN, SPARE, WITH_MARKS};

/// A layer before it is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LayerPlan {
    /// Filled units.
    pub layer: usize,
    /// Stored slabs.
    pub slabs: usize,
    /// Stored positions.
    pub positions: u128,
    /// Positions of the largest slab.
    pub largest_slab: u64,
    /// Bytes on disk.
    pub bytes: u128,
}

/// Seconds of a core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// To solve a position and write it to a file.
    pub position: f64,
    /// For a slab of any size.
    pub slab: f64,
    /// To decode a score.
    pub decode: f64,
    /// To derive a score again.
    pub check: f64,
    /// Scores of a slab that are derived again.
    pub checks: usize,
    /// For a process to begin: lists, tables of moves.
    pub begin: f64,
}

impl Work {
    /// Seconds of a core for a slab whose inputs are in memory.
    pub(crate) fn slab(&self, positions: f64) -> f64 {
        positions * self.position + self.slab + positions.min(self.checks as f64) * self.check
    }
}

/// Bytes of memory without which `threads` threads cannot solve a layout: known before its plan.
pub fn least_memory(layout: &Layout, threads: usize) -> u64 {
    IndexSize::of(layout).least_memory(layout.largest_slab(), threads)
}

/// A solve before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    kind: SpaceKind,
    /// Scores of every slab that are derived again.
    pub checks: usize,
    /// Whether scores have marks.
    marks: bool,
    /// Costs of its parts.
    pub costs: Costs,
    density: Density,
    /// Every layer that is solved, ascending.
    pub layers: Vec<LayerPlan>,
    /// The index as far as it takes memory.
    pub index: IndexSize,
    waist_units: usize,
    inner_units: usize,
    /// Whether slabs are read transposed.
    pub(super) turns: bool,
}

impl Plan {
    /// The plan of a solve of all positions of `layout`.
    pub fn new(layout: &Layout) -> Self {
        let density = Density::new(layout);
        let layers = layout.listed_layers().map(|Layer(layer)| {
            let (keys, positions) = (&layout.layers()[layer], layout.layer_positions(layer));
            LayerPlan {
                layer,
                slabs: keys.len(),
                positions,
                largest_slab: keys.iter().map(|&key| layout.positions(key)).max().unwrap_or(0),
                bytes: density.bytes(Layer(layer), positions, keys.len()),
            }
        });
        let layers: Vec<LayerPlan> = layers.collect();
        Self {
            kind: layout.units().kind(),
            checks: 0,
            marks: false,
            costs: Costs::recorded(),
            density,
            layers,
            index: IndexSize::of(layout),
            waist_units: layout.partition().sizes.waist,
            inner_units: layout.partition().n_inner(),
            turns: layout.symmetries().iter().any(|symmetry| symmetry.swaps),
        }
    }

    /// The same solve with marks.
    pub fn with_marks(mut self) -> Self {
        self.marks = true;
        self.density.scale(WITH_MARKS.0);
        self.update_bytes();
        self
    }

    /// Bytes of slabs and layers.
    pub(crate) fn density(&self) -> &Density {
        &self.density
    }

    /// Learns the bytes of all layers from those that `bytes` knows: the last ones of the solve.
    pub fn learn_bytes(&mut self, bytes: impl Fn(Layer) -> Option<u64>) {
        let foretold = self.layers.iter().rev().map(|plan| (Layer(plan.layer), plan.bytes));
        let written = foretold.map_while(|(layer, foretold)| Some(Written { layer, bytes: bytes(layer)?, foretold }));
        self.density.learn(&written.collect::<Vec<_>>());
        self.update_bytes();
    }

    fn update_bytes(&mut self) {
        for plan in &mut self.layers {
            plan.bytes = self.density.bytes(Layer(plan.layer), plan.positions, plan.slabs);
        }
    }

    /// Stored positions of all layers.
    pub fn positions(&self) -> u128 {
        self.layers.iter().map(|layer| layer.positions).sum()
    }

    /// Stored slabs of all layers.
    pub fn slabs(&self) -> usize {
        self.layers.iter().map(|layer| layer.slabs).sum()
    }

    /// Positions of the largest slab, which are also the bytes it takes decoded.
    pub fn largest_slab(&self) -> u64 {
        self.layers.iter().map(|layer| layer.largest_slab).max().unwrap_or(0)
    }

    /// Bytes on disk, all layers together.
    pub fn bytes(&self) -> u128 {
        self.layers.iter().map(|layer| layer.bytes).sum()
    }

    /// Bytes on disk at most, when only the layers up to `last` are kept and no slab is released before its layer;
    /// [`PeakDisk`](super::PeakDisk) has those of a solve that releases slabs.
    pub fn peak_bytes(&self, last: usize) -> u128 {
        match self.kind {
            // Opening a chain fills many units at once, so hardly a layer is done with before the last ones are.
            SpaceKind::Quiet => self.bytes(),
            SpaceKind::Full => {
                let at = |solving: usize| -> u128 {
                    let here = |layer: &&LayerPlan| layer.layer <= solving + 1 || layer.layer <= last;
                    self.layers[solving..].iter().filter(here).map(|layer| layer.bytes).sum()
                };
                (0..self.layers.len()).map(at).max().unwrap_or(0)
            }
        }
    }

    /// Bytes of disk that are enough when only the layers up to `last` are kept, with room for errors of the forecast.
    pub fn least_disk(&self, last: usize) -> u128 {
        with_slack(self.peak_bytes(last))
    }

    /// The largest `last` with which [`Plan::least_disk`] stays within `bytes`, if any does.
    pub fn last_that_fits(&self, bytes: u128) -> Option<usize> {
        (0..self.layers.len()).rev().find(|&last| self.least_disk(last) <= bytes)
    }

    /// Bytes of memory without which `threads` threads cannot solve.
    pub fn least_memory(&self, threads: usize) -> u64 {
        self.index.least_memory(self.largest_slab(), threads)
    }

    /// Bytes that are left for slabs of `memory` bytes in all.
    pub fn slab_budget(&self, memory: u64, threads: usize) -> u64 {
        (memory - memory / SPARE).saturating_sub(self.fixed_memory(threads))
    }

    /// Bytes held at a time, roughly. In the quiet space they are a fixed part of all positions, in the full space two
    /// neighbouring layers.
    pub(super) fn guess(&self) -> PeakMemory {
        let bytes = match self.kind {
            SpaceKind::Quiet => self.positions() * HELD_OF_QUIET / 100,
            SpaceKind::Full => {
                let two = |layers: &[LayerPlan]| layers.iter().map(|layer| layer.positions).sum();
                self.layers.windows(2).map(two).max().unwrap_or(0)
            }
        };
        PeakMemory { bytes: bytes.min(u64::MAX.into()) as u64, ..PeakMemory::default() }
    }

    fn fixed_memory(&self, threads: usize) -> u64 {
        memory::fixed(self.index, threads)
    }

    /// Seconds of the parts of a solve.
    pub fn work(&self) -> Work {
        let Costs { slab, configuration, decode, .. } = self.costs;
        let position = self.costs.position_at(self.waist_units) * (1.0 + INNER_UNIT * self.inner_units as f64);
        let configuration = match self.kind {
            SpaceKind::Quiet => configuration * self.waist_units as f64,
            // A half shows little at the waist.
            SpaceKind::Full => 0.0,
        };
        let begin = self.index.configurations as f64 * configuration + NS_PER_RUN;
        let seconds = 1e-9;
        let of_score = seconds * if self.marks { WITH_MARKS.1 } else { 1.0 };
        Work {
            position: position * of_score,
            slab: slab * seconds,
            decode: decode * of_score,
            check: NS_PER_CHECK * seconds,
            checks: self.checks,
            begin: begin * seconds,
        }
    }

    /// Time that `threads` cores take where no slab is decoded and no thread waits, within a factor of 2 where it was measured.
    pub fn time(&self, threads: usize) -> Duration {
        let work = self.work();
        // Checks are few, so that slabs as large as on average tell them.
        let of_layer = |layer: &LayerPlan| {
            let mean = layer.positions as f64 / layer.slabs.max(1) as f64;
            layer.slabs as f64 * work.slab(mean)
        };
        let seconds = self.layers.iter().map(of_layer).sum::<f64>() + work.begin;
        Duration::from_secs_f64(seconds / threads.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::Units;

    #[test]
    fn adds_up() {
        let layout = Layout::new(Units::new("3x3".parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
        let plan = Plan::new(&layout);
        assert_eq!(plan.layers.len(), 25);
        assert_eq!((plan.positions(), plan.slabs()), (layout.total_positions(), layout.n_slabs()));
        assert_eq!(plan.largest_slab(), layout.largest_slab());
        assert!(plan.memory(1, 1, None) <= plan.least_memory(1));
        assert!(plan.memory(1, u64::MAX, None) < plan.memory(2, u64::MAX, None));
        assert!(plan.time(2) < plan.time(1));
        let checked = |checks| Plan { checks, ..plan.clone() }.time(1);
        assert!(checked(0) == plan.time(1) && checked(1) > plan.time(1) && checked(20) > checked(1));
        let marked = plan.clone().with_marks();
        assert!(marked.bytes() > plan.bytes() && marked.bytes() < 2 * plan.bytes() && marked.time(1) > plan.time(1));
        // No slab has as many positions.
        assert_eq!(checked(1 << 40), checked(1 << 41));
    }

    #[test]
    fn layers_that_are_not_kept_leave_room() {
        let plan = |kind| Plan::new(&Layout::new(Units::new("3x3".parse().unwrap(), kind).unwrap()).unwrap());
        let full = plan(SpaceKind::Full);
        let two = full.layers.windows(2).map(|pair| pair[0].bytes + pair[1].bytes).max().unwrap();
        assert_eq!((full.peak_bytes(0), full.peak_bytes(24)), (two, full.bytes()));
        assert!((0..24).all(|last| full.peak_bytes(last) <= full.peak_bytes(last + 1)));
        assert_eq!(
            full.last_that_fits(full.least_disk(12)).map(|last| full.peak_bytes(last)),
            Some(full.peak_bytes(12))
        );
        assert_eq!(full.last_that_fits(1), None);
        let quiet = plan(SpaceKind::Quiet);
        assert_eq!(quiet.peak_bytes(0), quiet.bytes());
    }
}
