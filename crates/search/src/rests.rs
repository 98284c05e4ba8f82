//! The rests that moves leave of summands, remembered for the next time that the same lines are left.
//!
//! Most moves that a search looks at leave lines that earlier moves left, drawn in another order. Their keys need not be
//! worked out again:
//! ```text
//!    lines of a summand but those of a link  ─►  keys and boxes of the summands left, boxes of the isolated chains left
//! ```
//! The lines that are left tell all the rest, because every thread knows one board. So an entry is found for its own lines
//! only: nothing is left to chance. Each thread has entries of its own, and a new one replaces the one in its place. They are
//! given room as they come, because most searches of a batch are short.

use dab_board::LineSet;

use crate::chains::Chains;
use crate::fetch::fetch;
use crate::hash::{Key, stir};
use crate::sum::Sum;

/// The rest that a move leaves of a summand: two pieces at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rest {
    /// Keys of the summands.
    pub(crate) keys: [Key; 2],
    /// Boxes of the summands; 0 if there are fewer.
    pub(crate) boxes: [u8; 2],
    /// Boxes of the isolated chains; 0 if there are fewer.
    pub(crate) chains: [u8; 2],
}

impl Rest {
    /// The summands left: their keys and boxes.
    pub(crate) fn summands(&self) -> impl Iterator<Item = (Key, u8)> + Clone {
        self.keys.into_iter().zip(self.boxes).filter(|&(_, boxes)| boxes > 0)
    }

    /// A sum with what is left.
    #[inline]
    pub(crate) fn added_to(&self, sum: Sum) -> Sum {
        let with_chains =
            |chains: Chains| self.chains.into_iter().filter(|&boxes| boxes > 0).fold(chains, Chains::with);
        let sum = self.summands().fold(sum, |sum, (key, boxes)| sum.with_summand(key, boxes));
        if self.chains == [0; 2] { sum } else { sum.with_chains(with_chains(sum.chains)) }
    }
}

/// An entry: a line of the processor's cache.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Entry {
    lines: LineSet,
    rest: Rest,
}

/// Entries that there is room for at first, and at most: 16 MiB.
const FIRST: usize = 1 << 8;
const MOST: u64 = 1 << 18;

/// The rests that moves left of summands.
pub(crate) struct Rests {
    entries: Vec<Entry>,
    /// Entries that were put there since the room last grew.
    n_put: usize,
    /// Entries that there may be room for.
    most: usize,
}

impl Rests {
    /// Room for few entries at first, and for `bytes` bytes of them at most.
    pub(crate) fn new(bytes: u64) -> Self {
        let most = 1 << (bytes / size_of::<Entry>() as u64).clamp(1, MOST).ilog2();
        Self { entries: vec![Entry::default(); FIRST.min(most)], n_put: 0, most }
    }

    #[inline]
    fn place(&self, lines: LineSet) -> usize {
        let folded = lines.0 as u64 ^ ((lines.0 >> 64) as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
        stir(folded.wrapping_mul(0xbf58_476d_1ce4_e5b9)) as usize & (self.entries.len() - 1)
    }

    /// Asks for the memory in which the rest with these lines is remembered.
    #[inline]
    pub(crate) fn fetch(&self, lines: LineSet) {
        fetch(&self.entries[self.place(lines)]);
    }

    /// The rest with these lines, if it is remembered.
    #[inline]
    pub(crate) fn get(&self, lines: LineSet) -> Option<Rest> {
        let entry = &self.entries[self.place(lines)];
        (entry.lines == lines).then_some(entry.rest)
    }

    /// Remembers what is left. Makes more room once as many entries came as there was room for.
    #[inline]
    pub(crate) fn put(&mut self, lines: LineSet, rest: Rest) {
        self.n_put += 1;
        if self.n_put > self.entries.len() && self.entries.len() < self.most {
            self.grow();
        }
        let place = self.place(lines);
        self.entries[place] = Entry { lines, rest };
    }

    #[cold]
    fn grow(&mut self) {
        let more = vec![Entry::default(); 2 * self.entries.len()];
        self.n_put = 0;
        for entry in std::mem::replace(&mut self.entries, more) {
            let place = self.place(entry.lines);
            self.entries[place] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(i: u128) -> Rest {
        Rest { keys: [Key::from_number(i as u64), Key::default()], boxes: [1, 0], chains: [i as u8, 0] }
    }

    #[test]
    fn found_are_only_those_of_the_same_lines() {
        let lines = |i: u128| LineSet(i << 64 | i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3);
        for bytes in [0, 1 << 12, 1 << 20] {
            let mut rests = Rests::new(bytes);
            let mut n_found = 0;
            for i in 1..5000 {
                assert!(rests.get(lines(i)).is_none());
                rests.put(lines(i), rest(i));
                assert_eq!(rests.get(lines(i)), Some(rest(i)));
                let before = rests.get(lines(i / 2 + 1));
                assert!(before.is_none_or(|before| before == rest(i / 2 + 1)));
                n_found += usize::from(before.is_some());
            }
            assert!(rests.entries.len() as u64 * size_of::<Entry>() as u64 <= bytes.max(64));
            assert!(bytes < 1 << 20 || n_found > 2000, "{n_found}");
        }
    }

    #[test]
    fn what_is_left_adds_up() {
        let rest = Rest { keys: [Key::from_number(1), Key::from_number(2)], boxes: [3, 4], chains: [1, 5] };
        let sum = rest.added_to(Sum::new(Chains::default().with(1)));
        assert_eq!(sum.boxes, 12);
        assert_eq!(sum.chains, Chains::default().with(5));
        assert_eq!(Rest::default().added_to(sum).key(), sum.key());
    }
}
