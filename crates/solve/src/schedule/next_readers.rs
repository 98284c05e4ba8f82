//! The next reader of every slab, so that a cache that is full drops the slab that is needed last.

use std::sync::{Mutex, PoisonError};

use dab_space::{Layer, SlabId, Space};
use rayon::prelude::*;

use super::observer::Observer;
use super::reference_counts::ReferenceCounts;
use super::stacks::order;
use crate::SolveError;
use crate::cache::shares::Shares;
use crate::kernel::Kernel;

/// The next readers take at most one part in so many of the memory for slabs.
const PART: u64 = 64;

/// For every slab the places of the slabs that read it, in the order in which slabs are solved.
pub(super) struct NextReaders {
    /// By layer and slab the end of its readers.
    ends: Vec<Vec<u32>>,
    /// Of all readers, ascending for each slab.
    places: Vec<u32>,
}

impl NextReaders {
    /// Counts the readers of the slabs of some stacks, all of which are unsolved yet, and notes them on the way. They are `None` if they
    /// take more than their share of memory, where a cache does without, or if all slabs fit in memory.
    pub(super) fn counted(
        solve: (&Kernel<'_>, &Space),
        stacks: &[Vec<Layer>],
        shares: Shares,
        observer: &dyn Observer,
    ) -> Result<(ReferenceCounts, Option<Self>), SolveError> {
        let layout = solve.1.layout();
        let n_slabs: usize = layout.layers().iter().map(Vec::len).sum();
        let most = match layout.total_positions() <= shares.kept.into() {
            true => 0,
            false => (shares.kept / PART / 4).min(u32::MAX.into()).saturating_sub(n_slabs as u64),
        };
        Self::noted(solve, stacks, shares.tables, most as usize, observer)
    }

    /// The same, if there are at most so many readers in all.
    fn noted(
        (kernel, space): (&Kernel<'_>, &Space),
        stacks: &[Vec<Layer>],
        table_bytes: u64,
        most: usize,
        observer: &dyn Observer,
    ) -> Result<(ReferenceCounts, Option<Self>), SolveError> {
        let layout = space.layout();
        let order = stacks.iter().flat_map(|stack| order(layout, stack)).map(|id| layout.key(id));
        let firsts = layout.layers().iter().scan(0, |end, keys| {
            *end += keys.len() as u32;
            Some(*end - keys.len() as u32)
        });
        let firsts: Vec<u32> = firsts.collect();
        // Numbers of slabs with the places of their readers; none once they are too many.
        let noted: Mutex<Option<Vec<(u32, u32)>>> = Mutex::new(Some(Vec::new()));
        let note = |place: u32, reads: &[SlabId]| {
            let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
            noted.take_if(|noted| noted.len() + reads.len() > most);
            if let Some(noted) = &mut *noted {
                noted.extend(reads.iter().map(|read| (firsts[read.layer.0] + read.slab as u32, place)));
            }
        };
        let counts = ReferenceCounts::telling((kernel, space), order.zip(0..).collect(), table_bytes, observer, note)?;
        let Some(mut noted) = noted.into_inner().unwrap_or_else(PoisonError::into_inner) else {
            return Ok((counts, None));
        };
        noted.par_sort_unstable();
        let mut end = 0;
        let mut end_of = |n| {
            end += n;
            end
        };
        let ends = (0..firsts.len()).map(|layer| counts.of_layer(layer).map(&mut end_of).collect()).collect();
        let places = noted.into_iter().map(|(_, place)| place).collect();
        Ok((counts, Some(Self { ends, places })))
    }

    /// The place of the next slab that reads this one, `u32::MAX` if none does. Readers are taken to be solved in order.
    pub(super) fn of(&self, counts: &ReferenceCounts, id: SlabId) -> u32 {
        match counts.of(id) {
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
        let noted = |most| NextReaders::noted((&kernel, &space), &stacks, 1 << 30, most, &()).unwrap();
        let (counts, next) = noted(usize::MAX);
        let n_readers = (0..space.n_layers()).flat_map(|layer| counts.of_layer(layer)).sum::<u32>() as usize;
        assert!(noted(n_readers).1.is_some() && noted(n_readers - 1).1.is_none());
        let next = next.unwrap();
        let order: Vec<SlabId> = stacks.iter().flat_map(|stack| order(space.layout(), stack)).collect();
        let reads: Vec<Vec<SlabId>> = order.iter().map(|&id| kernel.sources(space.layout().key(id), 1 << 30)).collect();
        for (at, sources) in reads.iter().enumerate() {
            for &other in &order {
                let reader = (at..order.len()).find(|&reader| reads[reader].contains(&other));
                assert_eq!(
                    next.of(&counts, other),
                    reader.map_or(u32::MAX, |reader| reader as u32),
                    "{other:?} at {at}"
                );
            }
            counts.solved(sources);
        }
    }
}
