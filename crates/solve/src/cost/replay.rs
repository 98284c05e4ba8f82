//! A solve replayed without scores: which slabs are solved when, and which ones nothing reads any more.
//!
//! It rests on the moves from slab to slab ([`Reads`]) and takes seconds where the solve takes hours.

use dab_space::{Budget, Rules, SlabId, Space, Spent};

use crate::kernel::Isa;
use crate::kernel::rows::RowKernel;
use crate::schedule::reads::Reads;

/// The slabs of a solve in their order, each with the slabs that it is the last one to read.
pub(crate) struct Replay<'a> {
    space: &'a Space,
    reads: Reads<'a>,
    /// By layer and slab, the number of slabs that read it.
    readers: Vec<Vec<u32>>,
    /// For each layer the lowest layer that reads it, or itself if none does.
    pub(crate) lowest: Vec<usize>,
}

impl<'a> Replay<'a> {
    /// Counts the readers of every slab of `space`.
    pub(crate) fn new(space: &'a Space, budget: &Budget<'_>) -> Result<Self, Spent> {
        let layout = space.layout();
        // No score is computed, so that the penalty does not matter.
        let reads = Reads::new(layout, &RowKernel::new(space, Rules { penalty: 0 }, Isa::best()), budget)?;
        let mut readers: Vec<Vec<u32>> = layout.layers().iter().map(|keys| vec![0; keys.len()]).collect();
        let mut lowest: Vec<usize> = (0..readers.len()).collect();
        for (layer, &key) in
            layout.layers().iter().enumerate().flat_map(|(layer, keys)| keys.iter().map(move |key| (layer, key)))
        {
            for read in reads.of(key) {
                readers[read.layer.0][read.slab] += 1;
                lowest[read.layer.0] = lowest[read.layer.0].min(layer);
            }
        }
        Ok(Self { space, reads, readers, lowest })
    }

    /// Tells `solved` each slab of a layer, and the slabs that nothing reads after it. Layers come from the last to the first.
    pub(crate) fn layer(&mut self, layer: usize, mut solved: impl FnMut(SlabId, &[SlabId])) {
        for (slab, &key) in self.space.layout().layers()[layer].iter().enumerate() {
            let mut read = self.reads.of(key);
            read.retain(|id| {
                let readers = &mut self.readers[id.layer.0][id.slab];
                *readers -= 1;
                *readers == 0
            });
            solved(SlabId::new(layer, slab), &read);
        }
    }
}
