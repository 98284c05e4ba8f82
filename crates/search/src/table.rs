//! The table of bounds that a search remembers, by position.
//!
//! ```text
//!    entry, 16 bytes:  | upper 104 bits of the hash | work | low | high |       all zero: empty
//! ```
//! A position is a multiset of summands. Its hash is the sum of 128 random bits for each of them. An entry holds 104 bits
//! of the hash, so a look-up finds the bounds of another position with a chance below 10^-30. An entry may lie in any of
//! four places. Where all four are taken, the new entry replaces the one that took least work. The table doubles as it
//! fills, up to its limit, so small searches touch little memory.

use crate::bounds::Bounds;

/// Places that an entry may lie in, side by side.
const PLACES: usize = 4;
/// Entries that a table begins with.
const FIRST: usize = 1 << 16;
/// Bits of an entry that are not hash.
const REST: u32 = 24;

/// Hash of a multiset of summands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hash(u128);

impl Hash {
    /// The hash of a single summand.
    pub(crate) fn of(summand: u32) -> Self {
        let half = |salt: u64| mix(u64::from(summand).wrapping_add(salt).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Self(u128::from(half(1)) << 64 | u128::from(half(1 << 40)))
    }

    /// The hash of both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
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
    /// As many entries as the limit allows, a power of two. Zeroed memory costs nothing before it is used.
    entries: Vec<u128>,
    /// Number of entries at the front that are in use as places, a power of two.
    size: usize,
    /// Places that are taken.
    used: usize,
}

impl Table {
    /// A table that takes at most `memory` bytes, but at least a megabyte.
    pub(crate) fn new(memory: u64) -> Self {
        let most = (memory / 16).max(FIRST as u64);
        Self { entries: vec![0; 1 << most.ilog2()], size: FIRST, used: 0 }
    }

    /// Number of the group of places of an entry, or of a hash that an entry would hold.
    fn place(&self, entry: u128) -> usize {
        (entry >> REST) as usize & (self.size / PLACES - 1)
    }

    /// The bounds of a position, if the table has them.
    pub(crate) fn get(&self, hash: Hash) -> Option<Bounds> {
        let first = self.place(hash.0) * PLACES;
        let is_it = |&&entry: &&u128| entry >> REST == hash.0 >> REST && entry != 0;
        let entry = self.entries[first..first + PLACES].iter().find(is_it)?;
        Some(Bounds { low: (entry >> 8) as u8 as i8, high: *entry as u8 as i8 })
    }

    /// Remembers the bounds of a position whose search looked at `nodes` positions.
    pub(crate) fn put(&mut self, hash: Hash, bounds: Bounds, nodes: u64) {
        if self.used > self.size / 2 && self.size < self.entries.len() {
            self.double();
        }
        let work = u128::from(nodes.max(1).ilog2());
        let entry =
            hash.0 >> REST << REST | work << 16 | u128::from(bounds.low as u8) << 8 | u128::from(bounds.high as u8);
        let first = self.place(hash.0) * PLACES;
        // Its own place, else an empty one, else the one of least work.
        let cost = |old: u128| match old {
            _ if old >> REST == entry >> REST => 0,
            0 => 1,
            _ => 2 + (old >> 16 & 0xff),
        };
        let place = (first..first + PLACES).min_by_key(|&place| cost(self.entries[place])).unwrap_or(first);
        self.used += usize::from(self.entries[place] == 0);
        self.entries[place] = entry;
    }

    /// Doubles the table: one more bit of the hash says in which half an entry lies.
    fn double(&mut self) {
        let half = self.size;
        self.size *= 2;
        for i in 0..half {
            if self.place(self.entries[i]) * PLACES >= half {
                self.entries.swap(i, i + half);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(i: usize) -> Bounds {
        Bounds { low: -((i % 100) as i8), high: (i % 120) as i8 }
    }

    /// As many sums of two summands.
    fn sums(n: u32) -> impl Iterator<Item = (usize, Hash)> {
        (0..n).map(|summand| (summand as usize, Hash::of(summand).and(Hash::of(summand / 2))))
    }

    #[test]
    fn remembers_what_was_put_last() {
        let mut table = Table::new(0);
        for (i, sum) in sums(1000) {
            assert_eq!(table.get(sum), None);
            for bounds in [bounds(i), bounds(i + 1)] {
                table.put(sum, bounds, 1);
                assert_eq!(table.get(sum), Some(bounds));
            }
        }
    }

    #[test]
    fn forgets_little_while_it_grows() {
        let mut table = Table::new(1 << 24);
        sums(300_000).for_each(|(i, sum)| table.put(sum, bounds(i), 1));
        assert_eq!(table.size, 1 << 20);
        let lost = sums(300_000).filter(|&(i, sum)| table.get(sum) != Some(bounds(i))).count();
        assert!(lost < 30_000, "{lost}");
    }

    #[test]
    fn keeps_within_its_limit_what_took_most_work() {
        let mut table = Table::new(0);
        let work = |i: usize| if i.is_multiple_of(8) { 1 << 20 } else { 1 };
        sums(200_000).for_each(|(i, sum)| table.put(sum, bounds(i), work(i)));
        assert_eq!(table.size, FIRST);
        let lost = sums(200_000).filter(|&(i, sum)| i.is_multiple_of(8) && table.get(sum) != Some(bounds(i))).count();
        assert!(lost < 2000, "{lost}");
    }

    #[test]
    fn order_does_not_matter_but_number_does() {
        let [a, b] = [3, 4].map(Hash::of);
        assert_eq!(a.and(b).and(a), b.and(a).and(a));
        assert_ne!(a.and(b), a.and(b).and(a));
    }
}
