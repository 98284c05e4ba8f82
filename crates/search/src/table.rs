//! What is remembered of positions: bounds of their scores.
//!
//! ```text
//!    entry, 16 bytes:  | upper 112 bits of the hash | low | high |       all zero: empty
//! ```
//! A position is a multiset of parts, its hash the sum of 128 random bits for each of them. The table has at least
//! 2^16 entries, so a place and its entry together hold all bits of a hash: that two of a billion positions share one
//! has a chance below 10^-20. A new entry takes the place of an old one.

use dab_board::Score;

use crate::bounds::Bounds;
use crate::parts::PartId;

/// Hash of a multiset of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hash(u128);

impl Hash {
    /// The hash of a single part.
    pub(crate) fn of(part: PartId) -> Self {
        let half = |salt: u64| mix(u64::from(part).wrapping_add(salt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Self(u128::from(half(1)) << 64 | u128::from(half(1 << 40)))
    }

    pub(crate) fn with(self, part: PartId) -> Self {
        Self(self.0.wrapping_add(Self::of(part).0))
    }

    pub(crate) fn without(self, part: PartId) -> Self {
        Self(self.0.wrapping_sub(Self::of(part).0))
    }
}

/// The mixing function of the splitmix generator.
fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Bounds of the scores of many positions.
pub(crate) struct Table {
    entries: Vec<u128>,
}

impl Table {
    /// A table that takes at most `memory` bytes, but at least a megabyte.
    pub(crate) fn new(memory: u64) -> Self {
        let n = (memory / 16).max(1 << 16);
        // The largest power of two that fits. Zeroed memory costs nothing before it is used.
        Self { entries: vec![0; 1 << n.ilog2()] }
    }

    fn place(&self, hash: Hash) -> usize {
        hash.0 as usize & (self.entries.len() - 1)
    }

    /// The bounds that are remembered of a position.
    pub(crate) fn get(&self, hash: Hash) -> Option<Bounds> {
        let entry = self.entries[self.place(hash)];
        let is_it = entry >> 16 == hash.0 >> 16 && entry != 0;
        is_it.then_some(Bounds { low: (entry >> 8) as u8 as Score, high: entry as u8 as Score })
    }

    /// Remembers the bounds of a position.
    pub(crate) fn put(&mut self, hash: Hash, bounds: Bounds) {
        let place = self.place(hash);
        self.entries[place] = hash.0 >> 16 << 16 | u128::from(bounds.low as u8) << 8 | u128::from(bounds.high as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_what_was_put_last() {
        let mut table = Table::new(0);
        let sums: Vec<Hash> = (0..1000).map(|part| Hash::default().with(part).with(part / 2)).collect();
        for (i, &sum) in sums.iter().enumerate() {
            assert_eq!(table.get(sum), None);
            let bounds = Bounds { low: -(i as i64 % 100) as Score, high: (i % 120) as Score };
            table.put(sum, bounds);
            assert_eq!(table.get(sum), Some(bounds));
        }
    }

    #[test]
    fn order_does_not_matter_but_number_does() {
        let [a, b] = [3, 4];
        let sum = Hash::default().with(a).with(b).with(a);
        assert_eq!(sum, Hash::default().with(b).with(a).with(a));
        assert_eq!(sum.without(b), Hash::default().with(a).with(a));
        assert_ne!(sum.without(a), sum.without(b));
    }
}
