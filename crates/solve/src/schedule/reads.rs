//! The slabs that every slab reads: the moves from slab to slab, for callers that need all of them and no scores.
//!
//! Worked out waist by waist, so that little is in memory but the result.

use dab_space::{Budget, Layout, SlabId, SlabKey, Spent};
use rayon::prelude::*;

use crate::kernel::rows::RowKernel;

/// The stored slabs that each stored slab reads.
pub struct Reads<'a> {
    layout: &'a Layout,
    /// Slabs of the layers below each layer: slabs are numbered layer by layer.
    first: Vec<usize>,
    /// By number of the slab, the numbers of those that it reads.
    read: Vec<Box<[u32]>>,
}

impl<'a> Reads<'a> {
    /// Works them out for all slabs of a layout.
    ///
    /// # Errors
    /// If that takes longer than the budget allows.
    pub fn new(layout: &'a Layout, kernel: &RowKernel<'_>, budget: &Budget<'_>) -> Result<Self, Spent> {
        let ends = layout.layers().iter().scan(0, |end, keys| {
            *end += keys.len();
            Some(*end)
        });
        let first: Vec<usize> = [0].into_iter().chain(ends).collect();
        let mut keys: Vec<SlabKey> = layout.layers().iter().flatten().copied().collect();
        keys.par_sort_unstable();
        let number = |id: SlabId| first[id.layer.0] + id.slab;
        let of_waist = |keys: &[SlabKey]| {
            budget.check(0)?;
            let of_slab = |(&key, read): (&SlabKey, Vec<SlabId>)| {
                let read = read.into_iter().map(|id| number(id) as u32).collect();
                (number(layout.id(key)), read)
            };
            let read = keys.iter().zip(kernel.sources_of_waist(keys)).map(of_slab);
            Ok(read.collect::<Vec<(usize, Box<[u32]>)>>())
        };
        let mut read = vec![Box::default(); keys.len()];
        let of_waists = keys.par_chunk_by(|a, b| a.waist == b.waist).map(of_waist);
        let of_waists = of_waists.collect::<Result<Vec<_>, Spent>>()?;
        of_waists.into_iter().flatten().for_each(|(slab, slabs)| read[slab] = slabs);
        Ok(Self { layout, first, read })
    }

    /// The slabs that a slab reads.
    pub fn of(&self, key: SlabKey) -> Vec<SlabId> {
        let id = |&number: &u32| {
            let number = number as usize;
            let layer = self.first.partition_point(|&first| first <= number) - 1;
            SlabId::new(layer, number - self.first[layer])
        };
        let SlabId { layer, slab } = self.layout.id(key);
        self.read[self.first[layer.0] + slab].iter().map(id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Isa;
    use dab_space::cuts::cuts;
    use dab_space::partition::Partition;
    use dab_space::{Rules, Space, SpaceKind, Units};

    #[track_caller]
    fn check(space: &Space) {
        let layout = space.layout();
        let kernel = RowKernel::new(space, Rules::new(space, 0).unwrap(), Isa::best());
        let reads = Reads::new(layout, &kernel, &Budget::unbounded()).unwrap();
        for &key in layout.layers().iter().flatten() {
            assert_eq!(reads.of(key), kernel.sources(key, 1 << 30), "{} {key:?}", layout.units().start());
        }
    }

    #[test]
    fn are_those_of_the_tables() {
        let all =
            [("3x3", SpaceKind::Full), ("3x4", SpaceKind::Quiet), ("2x6", SpaceKind::Quiet), ("4x4", SpaceKind::Quiet)];
        for (board, kind) in all {
            let units = Units::new(board.parse().unwrap(), kind).unwrap();
            for cut in cuts(&units) {
                let partition = Partition::new(&units, cut);
                if partition.sizes.waist <= 10 && partition.sizes.upper.max(partition.sizes.lower) <= 18 {
                    check(&Space::of(Layout::of(units.clone(), partition, &Budget::unbounded()).unwrap()));
                }
            }
        }
    }
}
