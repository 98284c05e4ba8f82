//! The order in which slabs are solved: stacks of neighbouring layers, each waist by waist.
//!
//! ```text
//!            one waist             the next one
//!    lower      5   4   3         5   4   3        filled units of the lower half
//!    upper 5    1   2   3        10  11  12
//!          4    4   5   6        13  14  15        numbers: the order within a stack of layers
//!          3    7   8   9        16  17  18
//! ```
//! Slabs of the same waist configuration read much the same slabs, whatever their layer, so these are decoded once for
//! several layers. Slabs of a row read slabs of a few rows of other waist configurations, and those of the next row read most of them again.
//! A move draws lines: it leads to a higher layer, to the same waist configuration or to one of a higher rank (`waist_order`), and fills
//! no fewer units of either half. So every slab comes after those that it reads.

use std::cmp::Reverse;

use dab_space::{Layer, Layout, PerHalf, SlabId, SpaceKind, UnitMask};

use crate::constants::HELD_OF_QUIET;

/// Layers of a stack, at most. More of them decode fewer slabs and hold more on disk, because slabs of a stack are released only
/// after it (`benches/records/orders.tsv`).
pub(super) const LAYERS: usize = 8;

/// Cuts layers, the last one first, into stacks, where the memory holds `room` bytes of slabs. A stack is one layer in the
/// full space, where a layer reads just the next one, and where hardly a slab is decoded: the largest slabs come last, and threads wait
/// for them.
pub(crate) fn stacks(layout: &Layout, layers: impl Iterator<Item = Layer>, room: u64) -> Vec<Vec<Layer>> {
    let layers: Vec<Layer> = layers.collect();
    let held = layout.total_positions() * HELD_OF_QUIET / 100;
    let is_short = layout.units().kind() == SpaceKind::Quiet && u128::from(room) < held;
    layers.chunks(if is_short { LAYERS } else { 1 }).map(<[Layer]>::to_vec).collect()
}

/// The slabs of a stack in the order in which they are solved, given the ranks of the waist configurations. In a stack of one layer the
/// largest slab of a waist configuration comes first, so that threads do not wait long for the last one.
pub(super) fn order(layout: &Layout, ranks: &[UnitMask], stack: &[Layer]) -> Vec<SlabId> {
    let slabs = |layer: Layer| (0..layout.layers()[layer.0].len()).map(move |slab| SlabId { layer, slab });
    let mut order: Vec<SlabId> = stack.iter().flat_map(|&layer| slabs(layer)).collect();
    order.sort_unstable_by_key(|&id| {
        let key = layout.key(id);
        let PerHalf([upper, lower]) = if stack.len() > 1 { key.filled } else { PerHalf([0, 0]) };
        Reverse((ranks[key.waist as usize], upper, lower, layout.positions(key), id.slab))
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::waist_order::ranks;
    use crate::kernel::Kernel;
    use dab_space::{Rules, Space};
    use rustc_hash::FxHashSet;

    #[test]
    fn slabs_come_after_those_that_they_read() {
        for (start, kind) in [
            ("3x3", SpaceKind::Quiet),
            ("3x3", SpaceKind::Full),
            ("2x6", SpaceKind::Quiet),
            ("4x4", SpaceKind::Quiet),
            ("3x4:1f0000", SpaceKind::Quiet),
            ("triangles:open:6", SpaceKind::Quiet),
            ("5x5:510264066c84442", SpaceKind::Quiet),
        ] {
            let space = Space::new(start.parse().unwrap(), kind).unwrap();
            let (layout, kernel) = (space.layout(), Kernel::best(&space, Rules::default()));
            let (ranks, mut solved) = (ranks(layout), FxHashSet::default());
            for n_layers in [LAYERS, space.n_layers()] {
                solved.clear();
                let layers: Vec<Layer> = (0..space.n_layers()).rev().map(Layer).collect();
                for stack in layers.chunks(n_layers) {
                    let order = order(layout, &ranks, stack);
                    let waists: FxHashSet<u32> = order.iter().map(|&id| layout.key(id).waist).collect();
                    let runs = order.chunk_by(|&a, &b| layout.key(a).waist == layout.key(b).waist).count();
                    assert_eq!(runs, waists.len(), "{start}: slabs of a waist configuration lie apart");
                    for id in order {
                        let reads = kernel.sources(layout.key(id), 1 << 30);
                        assert!(reads.iter().all(|read| solved.contains(read)), "{start} {id:?}");
                        solved.insert(id);
                    }
                }
                assert_eq!(solved.len(), layout.n_slabs());
            }
        }
    }
}
