//! The order in which slabs are solved: stacks of neighbouring layers, each waist by waist.
//!
//! ```text
//!                waist 7           waist 6
//!    layer      5   4   3         5   4   3        fewer filled units of a half
//!     20        1   4   8        11  14  18
//!     19        2   5   9        12  15  19        numbers: the order within a stack of layers
//!     18        3   6  10        13  16  20
//!     17            7                17
//! ```
//! Slabs of the same waist configuration read much the same slabs, whatever their layer, so these are decoded once for
//! several layers. A move draws lines: it leads to a higher layer, to the same waist configuration or to one of a higher
//! number, and fills no fewer units of either half. So every slab comes after those that it reads.

use std::cmp::Reverse;

use dab_space::{Layer, Layout, PerHalf, SlabId, SpaceKind};

use crate::cost::constants::HELD_OF_QUIET;

/// Layers of a stack, at most. More of them decode fewer slabs and hold more on disk, because slabs of a stack are released only
/// after it.
pub(crate) const LAYERS: usize = 4;

/// Cuts layers, the last one first, into stacks, where the memory has `room` for so many bytes of slabs. A stack is one layer in the
/// full space, where a layer reads just the next one, and where hardly a slab is decoded: the largest slabs come last, and threads wait
/// for them.
pub(crate) fn stacks(layout: &Layout, layers: impl Iterator<Item = Layer>, room: u64) -> Vec<Vec<Layer>> {
    let layers: Vec<Layer> = layers.collect();
    let held = layout.total_positions() * HELD_OF_QUIET / 100;
    let is_short = layout.units().kind() == SpaceKind::Quiet && u128::from(room) < held;
    layers.chunks(if is_short { LAYERS } else { 1 }).map(<[Layer]>::to_vec).collect()
}

/// The slabs of a stack in the order in which they are solved. Where the stack has several layers, slabs of a waist configuration
/// come by the fewer filled units of their halves: those of neighbouring numbers read the same slabs. In a stack of one layer the
/// largest slab of a waist configuration comes first, so that threads do not wait long for the last one.
pub(crate) fn order(layout: &Layout, stack: &[Layer]) -> Vec<SlabId> {
    let slabs = |layer: Layer| (0..layout.layers()[layer.0].len()).map(move |slab| SlabId { layer, slab });
    let mut order: Vec<SlabId> = stack.iter().flat_map(|&layer| slabs(layer)).collect();
    order.sort_unstable_by_key(|&id| {
        let key = layout.key(id);
        let PerHalf([upper, lower]) = key.filled;
        let fewer = if stack.len() > 1 { upper.min(lower) } else { 0 };
        Reverse((key.waist, fewer, id.layer, layout.positions(key), id.slab))
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let (layout, kernel) = (space.layout(), Kernel::best(&space, Rules { penalty: 0 }));
            let mut solved = FxHashSet::default();
            for n_layers in [LAYERS, space.n_layers()] {
                solved.clear();
                let layers: Vec<Layer> = (0..space.n_layers()).rev().map(Layer).collect();
                for stack in layers.chunks(n_layers) {
                    let order = order(layout, stack);
                    for &layer in stack {
                        // Records leave in this order, but for those of a group.
                        let slabs = order.iter().filter(|id| id.layer == layer);
                        let keys = &layout.layers()[layer.0];
                        assert!(slabs.map(|&id| layout.key(id).waist).eq(keys.iter().rev().map(|key| key.waist)));
                    }
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
