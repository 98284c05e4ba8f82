//! Peak memory of a solve without a bound, replayed: slabs come and go as in the solve, but without scores.

use dab_space::{Budget, PerHalf, SlabId, Space, SpaceError};
use dab_store::Buffer;

use super::constants::MOST_UNUSED;
use super::decodes::Decodes;
use super::peak_disk::PeakDisk;
use super::plan::Plan;
use super::replay::Step;

/// The most bytes that are held at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PeakMemory {
    /// Slabs that are still to be read, and large buffers between one slab and the next.
    pub bytes: u64,
    /// Part of `bytes`: slabs so small that the allocator has to find room for them.
    pub small: u64,
    /// Pairs of classes of both halves under every waist configuration: each has its moves at the waist.
    pub class_pairs: u64,
}

impl PeakMemory {
    /// Peak memory and peak disk of the solve of `space` that is planned, from one replay. `decodes` has the scores that it decodes
    /// after that.
    ///
    /// # Errors
    /// If that takes longer than the budget allows.
    pub fn and_disk(
        (space, plan): (&Space, &Plan),
        budget: &Budget<'_>,
        decodes: &mut Decodes<'_>,
    ) -> Result<(Self, PeakDisk), SpaceError> {
        let pairs = space.layout().waists().iter().map(|waist| {
            let PerHalf([upper, lower]) = space.boundaries(waist).map(|boundary| boundary.classes.len() as u64);
            upper * lower
        });
        let mut most = Self { class_pairs: pairs.sum(), ..Self::default() };
        let positions = |id: SlabId| space.layout().positions(space.layout().key(id));
        let mut held = Held { bytes: 0, small: 0, unused: 0 };
        let disk = PeakDisk::of((space, plan), budget, Some(decodes.room()), |step| {
            let &Step::Slab(id, reads, unread) = step else { return };
            decodes.solve(id, reads, unread);
            held.add(positions(id));
            let bytes = held.bytes + held.unused;
            if bytes > most.bytes {
                most = Self { bytes, small: held.small, ..most };
            }
            unread.iter().for_each(|&id| held.remove(positions(id)));
        });
        Ok((most, disk.map_err(|spent| spent.of(space.layout().units().start()))?))
    }
}

/// The bytes held now.
struct Held {
    bytes: u64,
    small: u64,
    /// Bytes of memory that large slabs have left.
    unused: u64,
}

impl Held {
    fn add(&mut self, len: u64) {
        self.bytes += len;
        match len < Buffer::LEAST_MAP as u64 {
            true => self.small += len,
            false => self.unused = self.unused.saturating_sub(len),
        }
    }

    fn remove(&mut self, len: u64) {
        self.bytes -= len;
        match len < Buffer::LEAST_MAP as u64 {
            true => self.small -= len,
            false => self.unused = (self.unused + len).min(MOST_UNUSED),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::cache::slab_keeper::SlabKeeper;
    use crate::kernel::Kernel;
    use crate::schedule::open_layers::OpenLayers;
    use crate::schedule::reference_counts::ReferenceCounts;
    use crate::schedule::stack::StackSolver;
    use crate::schedule::stacks::stacks;
    use crate::schedule::sweep::shapes;
    use dab_space::{Layer, Rules, SpaceKind};
    use dab_store::MemoryStore;

    /// The most that a solve with one thread holds.
    fn held_by_a_solve(space: &Space) -> u64 {
        let rules = Rules::new(space, 0).unwrap();
        let (kernel, store) = (Kernel::best(space, rules), MemoryStore::new(space.n_layers()));
        let shapes: Vec<_> = (0..space.n_layers()).map(|layer| shapes(space, Layer(layer))).collect();
        let open = OpenLayers::new(&store, space.n_layers());
        let keeper = SlabKeeper::new(space, &open, u64::MAX);
        let all = stacks(space.layout(), (0..space.n_layers()).rev().map(Layer), u64::MAX);
        let readers = ReferenceCounts::new(&kernel, space, u64::MAX, &all.concat(), &()).unwrap();
        let solver = StackSolver { kernel: &kernel, space, keeper: &keeper, open: &open, observer: &(), checker: None };
        let most = AtomicU64::new(0);
        for layers in all {
            let layers: Vec<_> = layers.into_iter().map(|layer| (layer, &shapes[layer.0][..])).collect();
            let solved = |id: SlabId, sources: &[SlabId]| {
                let held = keeper.cache().n_scores() + space.layout().positions(space.layout().key(id));
                most.fetch_max(held, Ordering::Relaxed);
                readers.solved(sources)
            };
            solver.solve(&layers, &solved).unwrap();
        }
        most.into_inner()
    }

    #[test]
    fn holds_what_a_solve_holds() {
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for (start, kind) in [
            ("2x3", SpaceKind::Quiet),
            ("3x3", SpaceKind::Quiet),
            ("2x5", SpaceKind::Quiet),
            ("3x3", SpaceKind::Full),
            ("5x5:510264066c84442", SpaceKind::Quiet),
        ] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            let mut decodes = Decodes::within(space.layout(), u64::MAX);
            let (live, _) =
                PeakMemory::and_disk((&space, &Plan::new(space.layout())), &Budget::unbounded(), &mut decodes).unwrap();
            // No slab is so large that its buffer is kept to be used again.
            assert_eq!(live.bytes, live.small, "{start}");
            assert_eq!(live.bytes, one_thread.install(|| held_by_a_solve(&space)), "{start} {kind}");
        }
    }
}
