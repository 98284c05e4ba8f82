//! Samples of rows or columns, to tell how similar they are.
//!
//! A sample is two bits of a score: half of it modulo 4, as a Gray code. Scores that are one or two steps of 2 apart differ in
//! as many of these bits; similar items have few scores that are farther apart. So the distance of two items is the number of
//! bits in which their samples differ. A word holds 32 samples of an item, a *group*. Words of a group lie in one piece, so one
//! vector compares eight items at a time:
//!
//! ```text
//!   group 0:  | item 0: 32 samples | item 1: 32 samples | ...      group 1:  | item 0 | item 1 | ...
//! ```
//! Rows are sampled in eight neighbouring columns at a time, which lie together in memory, at evenly spread places; columns in
//! evenly spread rows.

use super::{LANES, distances};

/// The effort of finding references: most groups of samples of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// A small part of the time of a solve: the shorter the items, the fewer neighbours they are compared with.
    Run = 8,
    /// Several percent fewer bytes, many times the search.
    Book = 16,
}

impl Effort {
    /// Groups of samples of an item that has `len` scores.
    fn groups(self, len: usize) -> usize {
        let n = match self {
            // The search costs the more for each score the shorter the items are.
            Self::Run => len / 8 / GROUP,
            Self::Book => len / GROUP,
        };
        n.clamp(1, self as usize)
    }

    /// How many neighbours, of which each has `len` scores, are compared with each other.
    pub(super) fn reach(self, len: usize) -> usize {
        match self {
            Self::Run => (len / 2).next_multiple_of(LANES),
            Self::Book => usize::MAX,
        }
    }
}

/// Samples of a group.
const GROUP: usize = 32;
/// Scores that are sampled at a time.
const OCTET: usize = 8;
/// Items are stored in multiples of this, so that vectors need no special end.
const STEP: usize = 8;

/// Samples of some items.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    /// Group `g` of item `i` is at `g * stride + i`.
    groups: Vec<u64>,
    stride: usize,
    n: usize,
}

/// `n` of `len` places, each in the middle of its part.
fn spread(len: usize, n: usize) -> Vec<usize> {
    (0..n).map(|i| (2 * i + 1) * len / (2 * n)).collect()
}

/// Samples of four times eight scores. Bits 2k and 2k + 1 of byte `i` are of score `i` of octet `k`.
fn sampled(octets: [[i8; OCTET]; 4]) -> u64 {
    let [a, b, c, d] = octets.map(|octet| {
        let scores = u64::from_le_bytes(octet.map(|score| score as u8));
        (scores ^ scores >> 1) & 0x0202_0202_0202_0202 | scores & 0x0404_0404_0404_0404
    });
    a >> 1 | b << 1 | c << 3 | d << 5
}

impl Samples {
    /// Scores of each row in some of `cols` columns.
    pub(super) fn of_rows(scores: &[i8], cols: usize, effort: Effort) -> Self {
        let n_groups = effort.groups(cols);
        let places: Vec<usize> = spread(cols, 4 * n_groups).iter().map(|middle| middle - OCTET / 2).collect();
        let mut samples = Self::new(scores.len() / cols, n_groups);
        for (row, scores) in scores.chunks_exact(cols).enumerate() {
            for (first, group) in samples.groups.chunks_exact_mut(samples.stride).enumerate() {
                let octet = |i: usize| *scores[places[i * n_groups + first]..].first_chunk().expect("no more than fit");
                group[row] = sampled(std::array::from_fn(octet));
            }
        }
        samples
    }

    /// Scores of each of `cols` columns in some rows.
    pub(super) fn of_cols(scores: &[i8], cols: usize, effort: Effort) -> Self {
        let rows = scores.len() / cols;
        let n_groups = effort.groups(rows);
        let places = spread(rows, GROUP * n_groups);
        let mut samples = Self::new(cols, n_groups);
        for (first, group) in samples.groups.chunks_exact_mut(samples.stride).enumerate() {
            // Every group is spread over all rows, so that the first ones tell most.
            let row = |i: usize| &scores[places[i * n_groups + first] * cols..][..cols];
            let rows: [&[i8]; GROUP] = std::array::from_fn(row);
            for (octet, samples) in group[..cols].chunks_mut(OCTET).enumerate() {
                // The last columns once more, if fewer than eight are left.
                let col = (octet * OCTET).min(cols - OCTET);
                let part = |i: usize| *rows[i][col..].first_chunk().expect("eight columns");
                let of_rows: [[u8; OCTET]; 8] =
                    std::array::from_fn(|i| sampled(std::array::from_fn(|k| part(4 * i + k))).to_le_bytes());
                for (i, sample) in samples.iter_mut().enumerate() {
                    let col = octet * OCTET + i - col;
                    *sample = u64::from_le_bytes(of_rows.map(|bytes| bytes[col]));
                }
            }
        }
        samples
    }

    fn new(n: usize, n_groups: usize) -> Self {
        let stride = n.next_multiple_of(STEP);
        Self { groups: vec![0; n_groups * stride], stride, n }
    }

    /// Number of items.
    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// The samples of some of the items, in the order given.
    pub(super) fn pick(&self, items: impl ExactSizeIterator<Item = usize> + Clone) -> Self {
        let n_groups = self.groups.len() / self.stride.max(1);
        let mut picked = Self::new(items.len(), n_groups);
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
        distances::distances(&self.groups, self.stride, item, distances);
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
        let least = distances::join(&samples.groups, samples.stride, (item, place), records);
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
    fn distances_are_steps_of_two() {
        let (rows, cols) = (40, 64);
        // One or two steps of two apart, whatever the parity.
        let score = |row: usize, col: usize| (2 * (row * row * 5 % 7 * (col * col + 3) % 11 % 3) + col % 2) as i8 - 3;
        let scores: Vec<i8> = (0..rows * cols).map(|i| score(i / cols, i % cols)).collect();
        let steps = |a: i8, b: i8| u32::from((a >> 1).abs_diff(b >> 1));
        let mut samples = Samples::of_rows(&scores, cols, Effort::Book);
        let mut distances = Vec::new();
        let expected = |a: usize, b: usize| -> u32 { (0..cols).map(|c| steps(score(a, c), score(b, c))).sum() };
        samples.distances(5, &mut distances);
        assert_eq!(distances, (0..rows).map(|row| expected(5, row)).collect::<Vec<_>>());
        assert!(distances[1] > 0);
        samples.swap_remove(2);
        samples.distances(3, &mut distances);
        assert_eq!((distances.len(), distances[2]), (rows - 1, expected(3, rows - 1)));
        samples.pick([rows - 2, 2].into_iter()).distances(0, &mut distances);
        assert_eq!(distances, [0, expected(rows - 2, rows - 1)]);

        // The same matrix, turned and without its last columns: 32 rows of 61 columns.
        let (rows, cols) = (32, 61);
        let scores: Vec<i8> = (0..rows * cols).map(|i| score(i % cols % 40, i / cols)).collect();
        Samples::of_cols(&scores, cols, Effort::Run).distances(7, &mut distances);
        let expected = |col: usize| (0..rows).map(|r| steps(score(7, r), score(col % 40, r))).sum();
        assert_eq!(distances, (0..cols).map(expected).collect::<Vec<u32>>());
    }
}
