//! The next reader of every slab, so that a cache that is full drops the slab that is needed last.

use std::sync::atomic::{AtomicU32, Ordering};

use dab_space::{Layer, SlabId, Space};

use super::observer::Observer;
use super::reference_counts::{ReferenceCounts, for_each_read};
use super::stacks::order;
use crate::SolveError;
use crate::cache::shares::Shares;
use crate::kernel::Kernel;

/// The next readers take at most one part in so many of the memory for slabs.
const PART: u64 = 64;

/// For every slab the places of the slabs that read it, in the order in which slabs are solved.
pub(super) struct NextReaders<'a> {
    counts: &'a ReferenceCounts,
    /// By layer and slab the end of its readers.
    ends: Vec<Vec<u32>>,
    /// Of all readers, ascending for each slab.
    places: Vec<u32>,
}

impl<'a> NextReaders<'a> {
    /// The readers that `counts` counts, the slabs of some stacks, all of which are unsolved yet. `None` if they take more than their
    /// share of memory: a cache does without.
    pub(super) fn new(
        kernel: &Kernel<'_>,
        space: &Space,
        counts: &'a ReferenceCounts,
        stacks: &[Vec<Layer>],
        shares: Shares,
        observer: &dyn Observer,
    ) -> Result<Option<Self>, SolveError> {
        let most = shares.kept / PART;
        let layers = space.layout().layers();
        let n_readers: u64 = (0..layers.len()).flat_map(|layer| counts.of_layer(layer)).map(u64::from).sum();
        let n_slabs: usize = layers.iter().map(Vec::len).sum();
        if n_readers >= u32::MAX.into() || 4 * (n_readers + n_slabs as u64) > most {
            return Ok(None);
        }
        let mut end = 0;
        let mut begins: Vec<Vec<AtomicU32>> = Vec::with_capacity(layers.len());
        let mut ends = Vec::with_capacity(layers.len());
        for layer in 0..layers.len() {
            begins.push(Vec::new());
            ends.push(Vec::new());
            for n in counts.of_layer(layer) {
                begins[layer].push(AtomicU32::new(end));
                end += n;
                ends[layer].push(end);
            }
        }
        let order = stacks.iter().flat_map(|stack| order(space.layout(), stack)).map(|id| space.layout().key(id));
        let places: Vec<AtomicU32> = (0..end).map(|_| AtomicU32::new(0)).collect();
        for_each_read((kernel, space.layout()), order.zip(0..).collect(), shares.tables, observer, |place, read| {
            let at = begins[read.layer.0][read.slab].fetch_add(1, Ordering::Relaxed);
            places[at as usize].store(place, Ordering::Relaxed);
        })?;
        let mut places: Vec<u32> = places.into_iter().map(AtomicU32::into_inner).collect();
        let mut rest = &mut places[..];
        for n in (0..layers.len()).flat_map(|layer| counts.of_layer(layer)) {
            let (readers, others) = rest.split_at_mut(n as usize);
            readers.sort_unstable();
            rest = others;
        }
        Ok(Some(Self { counts, ends, places }))
    }

    /// The place of the next slab that reads this one, `u32::MAX` if none does. Readers are taken to be solved in order.
    pub(super) fn of(&self, id: SlabId) -> u32 {
        match self.counts.of(id) {
            0 => u32::MAX,
            n => self.places[(self.ends[id.layer.0][id.slab] - n) as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use dab_space::{Rules, SpaceKind};

    use super::super::stacks::stacks;
    use super::*;

    #[test]
    fn readers_come_in_the_order_of_solving() {
        let space = Space::new("3x3".parse().unwrap(), SpaceKind::Quiet).unwrap();
        let kernel = Kernel::best(&space, Rules { penalty: 0 });
        let stacks = stacks(space.layout(), (0..space.n_layers()).rev().map(Layer), 0);
        let counts = ReferenceCounts::new(&kernel, &space, 1 << 30, &stacks.concat(), &()).unwrap();
        let shares = |budget| Shares::new(budget, space.layout().largest_slab(), 1);
        assert!(NextReaders::new(&kernel, &space, &counts, &stacks, shares(1 << 16), &()).unwrap().is_none());
        let next = NextReaders::new(&kernel, &space, &counts, &stacks, shares(u64::MAX), &()).unwrap().unwrap();
        let order: Vec<SlabId> = stacks.iter().flat_map(|stack| order(space.layout(), stack)).collect();
        let reads: Vec<Vec<SlabId>> = order.iter().map(|&id| kernel.sources(space.layout().key(id), 1 << 30)).collect();
        for (at, sources) in reads.iter().enumerate() {
            for &other in &order {
                let reader = (at..order.len()).find(|&reader| reads[reader].contains(&other));
                assert_eq!(next.of(other), reader.map_or(u32::MAX, |reader| reader as u32), "{other:?} at {at}");
            }
            counts.solved(sources);
        }
    }
}
