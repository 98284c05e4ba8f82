//! A solve replayed without scores: which slabs are solved when, and which ones nothing reads any more.
//!
//! It rests on the moves from slab to slab ([`Reads`]) and takes seconds where the solve takes hours.

use dab_space::{Budget, Layer, Rules, SlabId, Space, Spent};

use crate::kernel::Isa;
use crate::kernel::rows::RowKernel;
use crate::schedule::reads::Reads;
use crate::schedule::stacks::{order, stacks};

/// A step of a solve.
pub(crate) enum Step<'s> {
    /// A slab is solved from the first ones; nothing reads the others after it.
    Slab(SlabId, &'s [SlabId], &'s [SlabId]),
    /// A stack of layers is solved, the last of which is given first; no layer below reads these ones.
    Stack(&'s [Layer], &'s [Layer]),
}

/// The slabs of a solve in their order, each with the slabs that it is the last one to read.
pub(crate) struct Replay<'a> {
    space: &'a Space,
    reads: Reads<'a>,
    /// By layer and slab, the number of slabs that read it.
    readers: Vec<Vec<u32>>,
    /// For each layer the lowest layer that reads it, or itself if none does.
    lowest: Vec<Layer>,
}

impl<'a> Replay<'a> {
    /// Counts the readers of every slab of `space`.
    pub(crate) fn new(space: &'a Space, budget: &Budget<'_>) -> Result<Self, Spent> {
        let layout = space.layout();
        // No score is computed, so that the penalty does not matter.
        let reads = Reads::new(layout, &RowKernel::new(space, Rules { penalty: 0 }, Isa::best()), budget)?;
        let mut readers: Vec<Vec<u32>> = layout.layers().iter().map(|keys| vec![0; keys.len()]).collect();
        let mut lowest: Vec<Layer> = (0..readers.len()).map(Layer).collect();
        for (layer, &key) in
            layout.layers().iter().enumerate().flat_map(|(layer, keys)| keys.iter().map(move |key| (layer, key)))
        {
            for read in reads.of(key) {
                readers[read.layer.0][read.slab] += 1;
                lowest[read.layer.0] = lowest[read.layer.0].min(Layer(layer));
            }
        }
        Ok(Self { space, reads, readers, lowest })
    }

    /// Goes through the stacks of a process with room for so many bytes of slabs, or through the layers as several processes solve
    /// them, and tells `step` everything that happens.
    ///
    /// # Errors
    /// If that takes longer than the budget allows.
    pub(crate) fn run(
        mut self,
        budget: &Budget<'_>,
        room: Option<u64>,
        mut step: impl FnMut(Step<'_>),
    ) -> Result<(), Spent> {
        let layout = self.space.layout();
        let layers = (0..layout.layers().len()).rev().map(Layer);
        let stacks = match room {
            Some(room) => stacks(layout, layers, room),
            None => layers.map(|layer| vec![layer]).collect(),
        };
        for stack in stacks {
            budget.check(0)?;
            for id in order(layout, &stack) {
                let read = self.reads.of(layout.key(id));
                let mut unread = read.clone();
                unread.retain(|id| {
                    let readers = &mut self.readers[id.layer.0][id.slab];
                    *readers -= 1;
                    *readers == 0
                });
                step(Step::Slab(id, &read, &unread));
            }
            let unread = self.lowest.iter().zip((0..).map(Layer)).filter(|(reader, _)| stack.contains(reader));
            step(Step::Stack(&stack, &unread.map(|(_, layer)| layer).collect::<Vec<_>>()));
        }
        Ok(())
    }
}
