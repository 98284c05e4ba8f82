//! What a solve would take, from the layout alone: nothing is listed, nothing runs.
//!
//! Positions and slabs are exact. Bytes, memory and time rest on the constants below, which are measured averages.

use std::time::Duration;

use dab_space::{Layout, SpaceKind};

use crate::density::Density;
use crate::memory::{self, Shares};

/// Nanoseconds in which one core solves a position, compression and checksums included.
pub const NS_PER_POSITION: f64 = 11.0;
/// Nanoseconds that one core spends on a slab whatever its size.
pub const NS_PER_SLAB: f64 = 110_000.0;

/// A layer before it is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A solve before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    kind: SpaceKind,
    /// Every layer, from 0 on.
    pub layers: Vec<LayerPlan>,
    /// Configurations that the index lists.
    pub configurations: u64,
}

impl Plan {
    /// The plan of a solve of all positions of `layout`.
    pub fn new(layout: &Layout) -> Self {
        let density = Density::new(layout);
        let layers = layout.layers().iter().enumerate().map(|(layer, keys)| LayerPlan {
            layer,
            slabs: keys.len(),
            positions: layout.layer_positions(layer),
            largest_slab: keys.iter().map(|&key| layout.positions(key)).max().unwrap_or(0),
            bytes: density.bytes(layout.layer_positions(layer), keys.len()),
        });
        let [upper, lower] = layout.halves();
        // Halves that look alike share their lists.
        let alike = upper.shape == lower.shape && upper.patterns == lower.patterns;
        let listed = if alike { &layout.halves()[..1] } else { &layout.halves()[..] };
        let configurations = listed.iter().flat_map(|half| half.counts.iter().flatten()).sum();
        let layers: Vec<LayerPlan> = layers.collect();
        Self { kind: layout.units().kind(), layers, configurations }
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

    /// Bytes on disk at most, when only the layers up to `last` are kept.
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

    /// The largest `last` with which [`Plan::peak_bytes`] stays within `bytes`, if any does.
    pub fn last_that_fits(&self, bytes: u128) -> Option<usize> {
        (0..self.layers.len()).rev().find(|&last| self.peak_bytes(last) <= bytes)
    }

    /// Bytes of memory without which `threads` threads cannot solve.
    pub fn least_memory(&self, threads: usize) -> u64 {
        self.fixed_memory(threads).saturating_add(Shares::least(self.largest_slab(), threads))
    }

    /// Bytes that are left for slabs of `memory` bytes in all.
    pub fn slab_budget(&self, memory: u64, threads: usize) -> u64 {
        memory.saturating_sub(self.fixed_memory(threads))
    }

    /// Bytes of memory at most, when `memory` bytes are allowed.
    pub fn memory(&self, threads: usize, memory: u64) -> u64 {
        let working = 3 * threads as u64 * self.largest_slab();
        let wanted = self.kept().saturating_add(working.into()).saturating_add(self.fixed_memory(threads).into());
        wanted.min(memory.max(self.least_memory(threads)).into()) as u64
    }

    /// Most positions that are kept decoded at a time, if memory allows.
    fn kept(&self) -> u128 {
        match self.kind {
            // Slabs leave with their last reader: 0.48 to 0.71 of all positions on boards of 24 to 41 units.
            SpaceKind::Quiet => self.positions() * 7 / 10,
            // The layer that is solved, and what is left of the one it reads.
            SpaceKind::Full => {
                let two = |layers: &[LayerPlan]| layers.iter().map(|layer| layer.positions).sum();
                self.layers.windows(2).map(two).max().unwrap_or(0)
            }
        }
    }

    fn fixed_memory(&self, threads: usize) -> u64 {
        memory::fixed(self.configurations, threads)
    }

    /// Time that `threads` cores take.
    pub fn time(&self, threads: usize) -> Duration {
        let ns = self.positions() as f64 * NS_PER_POSITION + self.slabs() as f64 * NS_PER_SLAB;
        Duration::from_secs_f64(ns * 1e-9 / threads.max(1) as f64)
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
        assert_eq!(plan.memory(1, 1), plan.least_memory(1));
        assert!(plan.memory(1, 1) < plan.memory(2, 1) && plan.memory(2, 1) <= plan.memory(2, u64::MAX));
        assert!(plan.time(2) < plan.time(1));
    }

    #[test]
    fn layers_that_are_not_kept_leave_room() {
        let plan = |kind| Plan::new(&Layout::new(Units::new("3x3".parse().unwrap(), kind).unwrap()).unwrap());
        let full = plan(SpaceKind::Full);
        let two = full.layers.windows(2).map(|pair| pair[0].bytes + pair[1].bytes).max().unwrap();
        assert_eq!((full.peak_bytes(0), full.peak_bytes(24)), (two, full.bytes()));
        assert!((0..24).all(|last| full.peak_bytes(last) <= full.peak_bytes(last + 1)));
        assert_eq!(
            full.last_that_fits(full.peak_bytes(12)).map(|last| full.peak_bytes(last)),
            Some(full.peak_bytes(12))
        );
        assert_eq!(full.last_that_fits(1), None);
        let quiet = plan(SpaceKind::Quiet);
        assert_eq!(quiet.peak_bytes(0), quiet.bytes());
    }
}
