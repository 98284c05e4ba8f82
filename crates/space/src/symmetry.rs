//! Symmetries as maps of unit masks, and the tables that make mapping a set a matter of a few look-ups.

use crate::UnitMask;
use crate::partition::{Group, Partition};

/// A map of sets that maps each member on its own, tabulated for each byte of a set.
#[derive(Clone, Debug)]
pub(crate) struct ByteMap(Vec<[UnitMask; 256]>);

impl ByteMap {
    /// The map of sets of members `0..n` that takes `i` to `image(i)`.
    pub(crate) fn new(n: usize, image: impl Fn(usize) -> UnitMask) -> Self {
        let images = |byte: usize, value: usize| {
            let bits = (0..8).filter(|bit| value >> bit & 1 == 1).map(|bit| 8 * byte + bit);
            bits.filter(|&i| i < n).fold(0, |images, i| images | image(i))
        };
        Self((0..n.div_ceil(8)).map(|byte| std::array::from_fn(|value| images(byte, value))).collect())
    }

    /// The image of a set, given as little-endian bytes.
    #[inline]
    pub(crate) fn apply<const N: usize>(&self, set: [u8; N]) -> UnitMask {
        self.0.iter().zip(set).fold(0, |images, (table, byte)| images | table[usize::from(byte)])
    }
}

/// A symmetry that keeps the groups, or exchanges upper and lower.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Whether upper and lower are exchanged.
    pub swaps: bool,
    /// Unit `i` goes to `map[i]`.
    map: Vec<usize>,
    images: ByteMap,
}

impl Symmetry {
    /// The symmetry that takes unit `i` to `map[i]`.
    pub(crate) fn new(map: Vec<usize>, swaps: bool) -> Self {
        let images = ByteMap::new(map.len(), |unit| 1 << map[unit]);
        Self { swaps, map, images }
    }

    /// The image of a unit.
    pub fn unit(&self, unit: usize) -> usize {
        self.map[unit]
    }

    /// The same map for `n` units from `first` on, as a map of sets of them: bit `i` stands for unit `first + i`, and
    /// in the image for unit `to + i`.
    pub(crate) fn part(&self, first: usize, n: usize, to: usize) -> ByteMap {
        ByteMap::new(n, |unit| 1 << (self.map[first + unit] - to))
    }

    /// The image of a set of filled units; not canonical in the classes of parallel units.
    #[inline]
    pub fn apply(&self, mask: UnitMask) -> UnitMask {
        self.images.apply(mask.to_le_bytes())
    }
}

/// The symmetries of a partition.
pub(crate) fn symmetries(partition: &Partition) -> Vec<Symmetry> {
    partition.symmetries.iter().map(|map| Symmetry::new(map.clone(), swaps(partition, map))).collect()
}

fn swaps(partition: &Partition, map: &[usize]) -> bool {
    let first = partition.shift(Group::Upper);
    partition.sizes.upper > 0 && map[first] >= partition.shift(Group::Lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_every_bit() {
        let n = 37;
        let symmetry = Symmetry::new((0..n).rev().collect(), true);
        for unit in 0..n {
            assert_eq!(symmetry.apply(1 << unit), 1 << (n - 1 - unit));
        }
        assert_eq!(symmetry.apply(0b1011), 0b1101 << (n - 4));
    }
}
