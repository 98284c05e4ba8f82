//! Reference counts: the number of unsolved slabs that read each slab. They are the moves from slab to slab, turned round.

use std::sync::atomic::{AtomicU32, Ordering};

use dab_space::{Layer, SlabId, SlabKey, Space};
use rayon::prelude::*;

use crate::kernel::Kernel;

/// For every slab how many unsolved slabs read it, and for every layer the lowest layer that does.
pub struct ReferenceCounts {
    /// By layer and slab.
    unsolved: Vec<Vec<AtomicU32>>,
    lowest: Vec<AtomicU32>,
}

impl ReferenceCounts {
    /// Counts the slabs of unsolved layers. Tables of moves may take `table_bytes` meanwhile.
    pub fn new(kernel: &Kernel<'_>, space: &Space, table_bytes: u64, layers_to_solve: &[Layer]) -> Self {
        let layers = space.layout().layers();
        let counts = Self {
            unsolved: layers.iter().map(|keys| keys.iter().map(|_| AtomicU32::new(0)).collect()).collect(),
            lowest: (0..layers.len() as u32).map(AtomicU32::new).collect(),
        };
        let mut keys: Vec<SlabKey> = layers_to_solve.iter().flat_map(|layer| &layers[layer.0]).copied().collect();
        keys.par_sort_unstable();
        keys.par_chunk_by(|a, b| a.waist == b.waist).for_each(|keys| {
            for (&key, reads) in keys.iter().zip(kernel.sources_of_waist(keys, table_bytes)) {
                let layer = space.layout().layer_of(key).0 as u32;
                for read in reads {
                    counts.unsolved[read.layer.0][read.slab].fetch_add(1, Ordering::Relaxed);
                    counts.lowest[read.layer.0].fetch_min(layer, Ordering::Relaxed);
                }
            }
        });
        counts
    }

    /// Each layer with the lowest unsolved layer that reads it, or itself if none does.
    pub fn lowest(&self) -> impl Iterator<Item = (Layer, Layer)> {
        let lowest = self.lowest.iter().map(|layer| Layer(layer.load(Ordering::Relaxed) as usize));
        lowest.enumerate().map(|(layer, lowest)| (Layer(layer), lowest))
    }

    /// The number of unsolved slabs that read this one.
    pub(super) fn of(&self, id: SlabId) -> u32 {
        self.unsolved[id.layer.0][id.slab].load(Ordering::Relaxed)
    }

    /// These numbers for the slabs of a layer.
    pub(super) fn of_layer(&self, layer: usize) -> impl Iterator<Item = u32> {
        self.unsolved[layer].iter().map(|count| count.load(Ordering::Relaxed))
    }

    /// The slabs that no unsolved slab reads.
    pub fn unread(&self) -> impl Iterator<Item = SlabId> {
        self.unsolved.iter().enumerate().flat_map(|(layer, slabs)| {
            let unread = slabs.iter().enumerate().filter(|(_, count)| count.load(Ordering::Relaxed) == 0);
            unread.map(move |(slab, _)| SlabId::new(layer, slab))
        })
    }

    /// Notes that a slab that read these ones is solved; returns those that nothing reads any more. The caller then sees everything
    /// that other threads did before they noted the other readers of these slabs.
    pub fn solved(&self, sources: &[SlabId]) -> Vec<SlabId> {
        let is_last = |id: &&SlabId| self.unsolved[id.layer.0][id.slab].fetch_sub(1, Ordering::AcqRel) == 1;
        sources.iter().filter(is_last).copied().collect()
    }
}
