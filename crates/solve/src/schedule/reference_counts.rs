//! Reference counts: the number of unsolved slabs that read each slab. They are the moves from slab to slab, turned round.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use dab_space::{Layer, Layout, SlabId, SlabKey, Space};
use rayon::prelude::*;

use super::observer::Observer;
use crate::SolveError;
use crate::kernel::Kernel;

/// For every slab how many unsolved slabs read it, and for every layer the lowest layer that does.
pub struct ReferenceCounts {
    /// By layer and slab.
    unsolved: Vec<Vec<AtomicU32>>,
    lowest: Vec<AtomicU32>,
}

impl ReferenceCounts {
    /// Counts the slabs of unsolved layers. Tables of moves may take `table_bytes` meanwhile.
    ///
    /// # Errors
    /// [`Observer::should_stop`] says so.
    pub fn new(
        kernel: &Kernel<'_>,
        space: &Space,
        table_bytes: u64,
        layers_to_solve: &[Layer],
        observer: &dyn Observer,
    ) -> Result<Self, SolveError> {
        let layers = space.layout().layers();
        let slabs = layers_to_solve.iter().flat_map(|&layer| layers[layer.0].iter().map(|&key| (key, ())));
        Self::telling((kernel, space), slabs.collect(), table_bytes, observer, |(), _| {})
    }

    /// As [`ReferenceCounts::new`], of some unsolved slabs; tells `tell` what each of them reads, together with what is given for it.
    pub(super) fn telling<T: Copy + Ord + Send + Sync>(
        (kernel, space): (&Kernel<'_>, &Space),
        slabs: Vec<(SlabKey, T)>,
        table_bytes: u64,
        observer: &dyn Observer,
        tell: impl Fn(T, &[SlabId]) + Sync,
    ) -> Result<Self, SolveError> {
        let layers = space.layout().layers();
        let counts = Self {
            unsolved: layers.iter().map(|keys| keys.iter().map(|_| AtomicU32::new(0)).collect()).collect(),
            lowest: (0..layers.len() as u32).map(AtomicU32::new).collect(),
        };
        for_each_reader((kernel, space.layout()), slabs, table_bytes, observer, |key, given, reads| {
            let reader = space.layout().layer_of(key);
            for read in reads {
                counts.unsolved[read.layer.0][read.slab].fetch_add(1, Ordering::Relaxed);
                counts.lowest[read.layer.0].fetch_min(reader.0 as u32, Ordering::Relaxed);
            }
            tell(given, reads);
        })?;
        Ok(counts)
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

    /// Notes that all slabs of a layer are solved, which was counted; returns the slabs that nothing reads any more.
    ///
    /// # Errors
    /// [`Observer::should_stop`] says so.
    pub fn solved_layer(
        &self,
        (kernel, space): (&Kernel<'_>, &Space),
        table_bytes: u64,
        layer: Layer,
        observer: &dyn Observer,
    ) -> Result<Vec<SlabId>, SolveError> {
        let unread = Mutex::new(Vec::new());
        let slabs = space.layout().layers()[layer.0].iter().map(|&key| (key, ())).collect();
        for_each_reader((kernel, space.layout()), slabs, table_bytes, observer, |_, (), reads| {
            unread.lock().unwrap_or_else(PoisonError::into_inner).extend(self.solved(reads));
        })?;
        Ok(unread.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that a slab that read these ones is solved; returns those that nothing reads any more. The caller then sees everything
    /// that other threads did before they noted the other readers of these slabs.
    pub fn solved(&self, sources: &[SlabId]) -> Vec<SlabId> {
        let is_last = |id: &&SlabId| self.unsolved[id.layer.0][id.slab].fetch_sub(1, Ordering::AcqRel) == 1;
        sources.iter().filter(is_last).copied().collect()
    }
}

/// Tells `tell` each of some slabs, what is given for it, and the slabs that it reads.
///
/// # Errors
/// [`Observer::should_stop`] says so.
fn for_each_reader<T: Copy + Ord + Send + Sync>(
    (kernel, layout): (&Kernel<'_>, &Layout),
    mut slabs: Vec<(SlabKey, T)>,
    table_bytes: u64,
    observer: &dyn Observer,
    tell: impl Fn(SlabKey, T, &[SlabId]) + Sync,
) -> Result<(), SolveError> {
    slabs.par_sort_unstable();
    slabs.par_chunk_by(|(a, _), (b, _)| a.waist == b.waist).try_for_each(|readers| {
        if observer.should_stop() {
            return Err(SolveError::Stopped { layer: layout.layer_of(readers[0].0) });
        }
        let keys: Vec<SlabKey> = readers.iter().map(|&(key, _)| key).collect();
        for (&(key, given), reads) in readers.iter().zip(kernel.sources_of_waist(&keys, table_bytes)) {
            tell(key, given, &reads);
        }
        Ok(())
    })
}
