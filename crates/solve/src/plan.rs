//! What a solve would take, from the layout alone: nothing is listed, nothing runs.
//!
//! Positions and slabs are exact. Bytes, memory and time rest on the constants below, which are measured averages.

use std::time::Duration;

use dab_space::Layout;

/// Bits that a position takes in a score file.
pub const BITS_PER_POSITION: f64 = 2.2;
/// Nanoseconds in which one core solves a position, compression and checksums included.
pub const NS_PER_POSITION: f64 = 11.0;
/// Nanoseconds that one core spends on a slab whatever its size.
pub const NS_PER_SLAB: f64 = 110_000.0;
/// Bytes that a listed configuration of a half takes, its place in the rank table included.
pub const BYTES_PER_CONFIGURATION: u64 = 48;
/// Slabs that a thread holds at once: the one it solves and those it reads just then.
pub const SLABS_PER_THREAD: u64 = 8;

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
}

/// A solve before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Every layer, from 0 on.
    pub layers: Vec<LayerPlan>,
    /// Configurations that the index lists.
    pub configurations: u64,
}

impl Plan {
    /// The plan of a solve of all positions of `layout`.
    pub fn new(layout: &Layout) -> Self {
        let layers = layout.layers().iter().enumerate().map(|(layer, keys)| LayerPlan {
            layer,
            slabs: keys.len(),
            positions: layout.layer_positions(layer),
            largest_slab: keys.iter().map(|&key| layout.positions(key)).max().unwrap_or(0),
        });
        let [upper, lower] = layout.halves();
        // Halves that look alike share their lists.
        let alike = upper.shape == lower.shape && upper.patterns == lower.patterns;
        let listed = if alike { &layout.halves()[..1] } else { &layout.halves()[..] };
        let configurations = listed.iter().flat_map(|half| half.counts.iter().flatten()).sum();
        Self { layers: layers.collect(), configurations }
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

    /// Bytes on disk.
    pub fn bytes(&self) -> u128 {
        bytes(self.positions())
    }

    /// Bytes of the lists of the index.
    pub fn index_bytes(&self) -> u64 {
        self.configurations.saturating_mul(BYTES_PER_CONFIGURATION)
    }

    /// Bytes of memory without which `threads` threads cannot solve at all.
    pub fn least_memory(&self, threads: usize) -> u64 {
        let slabs = self.largest_slab().saturating_mul(SLABS_PER_THREAD).saturating_mul(threads as u64);
        self.index_bytes().saturating_add(slabs)
    }

    /// Bytes of memory at most, when `budget` bytes of decoded slabs are kept.
    pub fn memory(&self, threads: usize, budget: u64) -> u64 {
        let kept = self.positions().min(budget.into()) as u64;
        self.least_memory(threads).saturating_add(kept)
    }

    /// Time that `threads` cores take.
    pub fn time(&self, threads: usize) -> Duration {
        let ns = self.positions() as f64 * NS_PER_POSITION + self.slabs() as f64 * NS_PER_SLAB;
        Duration::from_secs_f64(ns * 1e-9 / threads.max(1) as f64)
    }
}

impl LayerPlan {
    /// Bytes on disk.
    pub fn bytes(&self) -> u128 {
        bytes(self.positions)
    }
}

fn bytes(positions: u128) -> u128 {
    (positions as f64 * BITS_PER_POSITION / 8.0).ceil() as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use dab_space::{SpaceKind, Units};

    #[test]
    fn adds_up() {
        let layout = Layout::new(Units::new("3x3".parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
        let plan = Plan::new(&layout);
        assert_eq!(plan.layers.len(), 25);
        assert_eq!((plan.positions(), plan.slabs()), (layout.total_positions(), layout.n_slabs()));
        assert_eq!(plan.largest_slab(), layout.largest_slab());
        assert!(plan.least_memory(1) < plan.memory(1, 1) && plan.memory(1, 1) <= plan.memory(2, 100));
        assert!(plan.time(2) < plan.time(1));
    }
}
