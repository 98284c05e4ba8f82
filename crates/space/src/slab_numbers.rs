//! Numbers of all stored slabs, layer by layer.

use crate::{Layer, Layout, SlabId};

/// The numbers of the slabs of a layout, from 0.
#[derive(Clone, Debug)]
pub struct SlabNumbers {
    /// By layer the number of its first slab; the number of all slabs at the end.
    firsts: Vec<u32>,
}

impl SlabNumbers {
    /// Numbers the slabs of a layout.
    ///
    /// # Panics
    /// If there are 2^32 or more.
    pub fn new(layout: &Layout) -> Self {
        assert!(u32::try_from(layout.n_slabs()).is_ok(), "the numbers of slabs have 32 bits");
        let ends = layout.layers().iter().scan(0, |end, keys| {
            *end += keys.len() as u32;
            Some(*end)
        });
        Self { firsts: [0].into_iter().chain(ends).collect() }
    }

    /// How many slabs there are.
    pub fn n_slabs(&self) -> usize {
        self.firsts[self.firsts.len() - 1] as usize
    }

    /// The number of a slab.
    #[inline]
    pub fn number(&self, id: SlabId) -> u32 {
        self.firsts[id.layer.0] + id.slab as u32
    }

    /// The slab of a number.
    pub fn id(&self, number: u32) -> SlabId {
        let layer = self.firsts.partition_point(|&first| first <= number) - 1;
        SlabId { layer: Layer(layer), slab: (number - self.firsts[layer]) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SpaceKind, Units};

    #[test]
    fn every_slab_has_its_number() {
        for board in ["1x1", "2x3", "3x3"] {
            let layout = Layout::new(Units::new(board.parse().unwrap(), SpaceKind::Quiet).unwrap()).unwrap();
            let numbers = SlabNumbers::new(&layout);
            let ids = layout
                .layers()
                .iter()
                .zip(0..)
                .flat_map(|(slabs, layer)| (0..slabs.len()).map(move |slab| SlabId { layer: Layer(layer), slab }));
            let mut n = 0;
            for id in ids {
                assert_eq!((numbers.number(id), numbers.id(n)), (n, id));
                n += 1;
            }
            assert_eq!((numbers.n_slabs(), layout.n_slabs()), (n as usize, n as usize));
        }
    }
}
