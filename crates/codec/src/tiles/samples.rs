//! Samples of rows or columns, to tell how similar they are.
//!
//! The distance of two rows is the sum of absolute differences of their scores in some columns; that of two columns likewise.
//! Eight samples of an item are a group. Rows are sampled in eight neighbouring columns at a time, which lie together in
//! memory, at evenly spread places; columns in evenly spread rows. A group of all items lies in one piece, so one vector
//! compares eight items at a time:
//!
//! ```text
//!   group 0:  | item 0: 8 samples | item 1: 8 samples | ...      group 1:  | item 0 | item 1 | ...
//! ```

use super::tile::LANES;
use dab_isa::Isa;

use super::distances;
use crate::Effort;

/// Most samples of an item.
const MOST_IN_RUN: usize = 128;
const MOST_IN_BOOK: usize = 512;

impl Effort {
    /// Groups of samples of an item that has `len` scores.
    fn groups(self, len: usize) -> usize {
        let n_samples = match self {
            // The search costs the more for each score the shorter the items are.
            Self::Run => len.min((len / 8).clamp(24, MOST_IN_RUN)),
            Self::Book => len.min(MOST_IN_BOOK),
        };
        n_samples / GROUP
    }

    /// How many neighbours, of which each has `len` scores, are compared with each other: of short ones fewer.
    pub(super) fn reach(self, len: usize) -> usize {
        match self {
            Self::Run => (len / 2).next_multiple_of(LANES),
            Self::Book => usize::MAX,
        }
    }
}

/// Samples of a group.
const GROUP: usize = 8;
/// Items are stored in multiples of this, so that vectors need no special end.
const STEP: usize = 8;

/// Samples of some items.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    /// Samples of group `g` of item `i` are at `g * stride + i`.
    groups: Vec<[u8; GROUP]>,
    isa: Isa,
    stride: usize,
    n: usize,
}

/// `n` of `len` places, each in the middle of its part.
fn spread(len: usize, n: usize) -> impl Iterator<Item = usize> {
    (0..n).map(move |i| (2 * i + 1) * len / (2 * n))
}

/// A score as an unsigned number of the same order.
fn unsigned(score: i8) -> u8 {
    score as u8 ^ 0x80
}

impl Samples {
    /// Scores of each row in some of `cols` columns.
    pub(super) fn of_rows(isa: Isa, scores: &[i8], cols: usize, effort: Effort) -> Self {
        let places: Vec<usize> = spread(cols, effort.groups(cols)).map(|middle| middle - GROUP / 2).collect();
        let mut samples = Self::new(isa, scores.len() / cols, places.len());
        for (row, scores) in scores.chunks_exact(cols).enumerate() {
            for (&col, group) in places.iter().zip(samples.groups.chunks_exact_mut(samples.stride)) {
                group[row] = scores[col..].first_chunk().expect("no more groups than fit").map(unsigned);
            }
        }
        samples
    }

    /// Scores of each of `cols` columns in some rows.
    pub(super) fn of_cols(isa: Isa, scores: &[i8], cols: usize, effort: Effort) -> Self {
        let rows = scores.len() / cols;
        let n_groups = effort.groups(rows);
        let places: Vec<usize> = spread(rows, GROUP * n_groups).collect();
        let mut samples = Self::new(isa, cols, n_groups);
        for (first, group) in samples.groups.chunks_exact_mut(samples.stride).enumerate() {
            // Every group is spread over all rows, so that the first ones tell most.
            let row = |i: usize| &scores[places[i * n_groups + first] * cols..][..cols];
            let rows: [&[i8]; GROUP] = std::array::from_fn(row);
            for (col, samples) in group[..cols].iter_mut().enumerate() {
                *samples = rows.map(|row| unsigned(row[col]));
            }
        }
        samples
    }

    fn new(isa: Isa, n: usize, n_groups: usize) -> Self {
        let stride = n.next_multiple_of(STEP);
        Self { groups: vec![[0; GROUP]; n_groups * stride], isa, stride, n }
    }

    /// Number of items.
    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// The samples of some of the items, in the order given.
    pub(super) fn pick(&self, items: impl ExactSizeIterator<Item = usize> + Clone) -> Self {
        let n_groups = self.groups.len() / self.stride.max(1);
        let mut picked = Self::new(self.isa, items.len(), n_groups);
        for group in 0..n_groups {
            let (from, to) = (&self.groups[group * self.stride..], &mut picked.groups[group * picked.stride..]);
            to.iter_mut().zip(items.clone()).for_each(|(to, item)| *to = from[item]);
        }
        picked
    }

    /// Removes an item; the last one takes its place.
    pub(super) fn swap_remove(&mut self, item: usize) {
        self.n -= 1;
        for group in self.groups.chunks_exact_mut(self.stride) {
            group[item] = group[self.n];
        }
    }

    /// The distances of an item from all items, itself included.
    pub(super) fn distances(&self, item: usize, distances: &mut Vec<u32>) {
        distances.resize(self.n.next_multiple_of(STEP), 0);
        distances::distances(self.isa, &self.groups, self.stride, item, distances);
        distances.truncate(self.n);
    }

    /// The items outside a tree that joins all of them: the record of each ([`distances::join`]), all of them unknown yet.
    pub(super) fn outside(self) -> Outside {
        let mut records: Vec<u64> = (0..self.n as u64).map(|item| distances::UNKNOWN | item).collect();
        records.resize(self.n.next_multiple_of(STEP), distances::JOINED);
        Outside { places: (0..self.n as u16).collect(), records, samples: self }
    }
}

/// The items outside a growing tree.
pub(super) struct Outside {
    samples: Samples,
    /// By place among the samples.
    records: Vec<u64>,
    /// Place of each item among the samples.
    places: Vec<u16>,
}

impl Outside {
    /// Adds an item to the tree and returns the least record of the items that are still outside.
    pub(super) fn join(&mut self, item: usize) -> u64 {
        let Self { samples, records, places } = self;
        let place = usize::from(places[item]);
        records[place] = distances::JOINED;
        let least = distances::join(samples.isa, &samples.groups, samples.stride, (item, place), records);
        // The last one takes its place.
        samples.swap_remove(place);
        records.swap(place, samples.n);
        if place < samples.n {
            places[usize::from(records[place] as u16)] = place as u16;
        }
        records.truncate(samples.n.next_multiple_of(STEP));
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_sums_of_differences() {
        let (rows, cols) = (40, 48);
        let scores: Vec<i8> = (0..rows * cols).map(|i| (i * i % 251) as u8 as i8).collect();
        let mut samples = Samples::of_rows(Isa::best(), &scores, cols, Effort::Book);
        let mut distances = Vec::new();
        let expected = |a: usize, b: usize| -> u32 {
            (0..cols).map(|c| u32::from(scores[a * cols + c].abs_diff(scores[b * cols + c]))).sum()
        };
        samples.distances(5, &mut distances);
        assert_eq!(distances, (0..rows).map(|row| expected(5, row)).collect::<Vec<_>>());
        samples.swap_remove(2);
        samples.distances(3, &mut distances);
        assert_eq!((distances.len(), distances[2]), (rows - 1, expected(3, rows - 1)));
        samples.pick([rows - 2, 2].into_iter()).distances(0, &mut distances);
        assert_eq!(distances, [0, expected(rows - 2, rows - 1)]);

        let by_cols = Samples::of_cols(Isa::best(), &scores, cols, Effort::Book);
        by_cols.distances(7, &mut distances);
        let expected =
            |col: usize| (0..rows).map(|r| u32::from(scores[r * cols + 7].abs_diff(scores[r * cols + col]))).sum();
        assert_eq!(distances, (0..cols).map(expected).collect::<Vec<u32>>());
    }
}
