//! Symmetries as maps of unit masks.

use crate::UnitMask;

/// A symmetry that keeps the groups, or exchanges upper and lower.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Whether upper and lower are exchanged.
    pub swaps: bool,
    /// Unit `i` goes to `map[i]`.
    map: Vec<usize>,
    /// The image of each byte of a mask.
    bytes: Vec<[UnitMask; 256]>,
}

impl Symmetry {
    /// The symmetry that takes unit `i` to `map[i]`.
    pub fn new(map: Vec<usize>, swaps: bool) -> Self {
        let image = |byte: usize, value: usize| {
            let bits = (0..8).filter(|bit| value >> bit & 1 == 1).filter_map(|bit| map.get(8 * byte + bit));
            bits.fold(0, |mask, &to| mask | 1 << to)
        };
        let bytes = (0..map.len().div_ceil(8)).map(|byte| std::array::from_fn(|value| image(byte, value))).collect();
        Self { swaps, map, bytes }
    }

    /// The image of a unit.
    pub fn unit(&self, unit: usize) -> usize {
        self.map[unit]
    }

    /// The image of a set of filled units; not canonical in the corner classes.
    #[inline]
    pub fn apply(&self, mask: UnitMask) -> UnitMask {
        self.bytes.iter().enumerate().fold(0, |image, (byte, table)| image | table[(mask >> (8 * byte) & 255) as usize])
    }
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
