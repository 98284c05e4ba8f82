//! The references of a slab: for every row the row that predicts it, and for every column the column.
//!
//! ```text
//!   row:   bit 15    14..10      9..5       4..0          column:   15..9       8..0
//!         | close | band of its window | reference lane |         |   0   | reference column |
//! ```
//! The lanes of a band are its rows in ascending order, and lanes and columns of a strip are counted from its first.
//! A root refers to itself. References make a tree over the rows of a band, at most 15 deep, and one over the columns
//! of a strip.
//!
//! The trees are minimum spanning trees over distances of samples (Prim's algorithm). Each band's is rooted in its middle,
//! so that few columns lie between the first and the last lane of a step. A solve compares only neighbours, the fewer the
//! smaller the slab, because the search costs as much for a short row as for a long one. The tree of a strip then consists
//! of trees over stretches of columns, each of which begins with the last column of the one before:
//!
//! ```text
//!   strip     | c0 c1 c2 c3 c4 c5 c6 c7 c8 |            window    | rows 0 to 95 | 96 to 191 | ...
//!   trees     |c0..c3|                                  bands      3              3
//!                  |c3....c6|
//!                        |c6....c8|
//! ```

use std::ops::Range;

use dab_isa::Isa;

use super::samples::Samples;
use super::tile::{CLOSE_BIT, LANES, MOST_DEPTH};
use super::tiling::{Tiling, n_bands};
use crate::{Crew, Effort};

/// The rows of a band are those closest to any of so many rows that are close to its first.
const CORE: usize = 4;

/// The references of all rows and columns, as they are in the file.
#[derive(Clone, Debug)]
pub(super) struct References {
    pub(super) rows: Vec<u16>,
    pub(super) cols: Vec<u16>,
}

impl References {
    /// The references that suit these scores.
    pub(super) fn find(isa: Isa, tiling: Tiling, scores: &[i8], effort: Effort, crew: Crew) -> Self {
        let rows = || of_rows(isa, tiling, scores, effort, crew);
        let (rows, cols) = crew.join(rows, || of_cols(isa, tiling, scores, effort, crew));
        Self { rows, cols }
    }
}

fn of_cols(isa: Isa, tiling: Tiling, scores: &[i8], effort: Effort, crew: Crew) -> Vec<u16> {
    let samples = Samples::of_cols(isa, scores, tiling.cols, effort);
    crew.map(tiling.strips().collect(), |strip| of_strip(&samples, strip, effort.reach(tiling.rows))).concat()
}

/// The references of the columns of a strip, counted from its first; `reach` neighbours are compared with each other.
fn of_strip(samples: &Samples, strip: Range<usize>, reach: usize) -> Vec<u16> {
    let reach = reach.min(strip.len());
    let (mut references, mut first) = (vec![0; strip.len()], strip.start);
    loop {
        let cols = first..strip.end.min(first + reach);
        let parents = Tree::spanning(samples.pick(cols.clone())).parents;
        let before = first - strip.start;
        // The stretch before gave the root its reference; the root of the strip refers to itself.
        for (reference, parent) in references[before..].iter_mut().zip(parents).skip(usize::from(before > 0)) {
            *reference = before as u16 + parent;
        }
        if cols.end == strip.end {
            return references;
        }
        first = cols.end - 1;
    }
}

fn of_rows(isa: Isa, tiling: Tiling, scores: &[i8], effort: Effort, crew: Crew) -> Vec<u16> {
    let samples = Samples::of_rows(isa, scores, tiling.cols, effort);
    let mut references = vec![0; tiling.rows];
    let mut distances = vec![u32::MAX; tiling.rows];
    let trees_of = |window: Range<usize>| {
        let reach = effort.reach(tiling.cols).min(window.len());
        // Only the last band of a window may have fewer rows than lanes.
        let stretches = window.clone().step_by(reach).map(|first| first..window.end.min(first + reach));
        let bands: Vec<_> = stretches.flat_map(|rows| bands(samples.pick(rows.clone()), rows.start)).collect();
        debug_assert_eq!(bands.len(), n_bands(&window));
        let with_tree = |rows: Vec<usize>| {
            let mut tree = Tree::spanning(samples.pick(rows.iter().copied()));
            tree.centre();
            (rows, tree)
        };
        bands.into_iter().map(with_tree).collect::<Vec<(Vec<usize>, Tree)>>()
    };
    for bands in crew.map(tiling.windows().collect(), trees_of) {
        for (band, (rows, tree)) in bands.iter().enumerate() {
            for (lane, &row) in rows.iter().enumerate() {
                references[row] = tree.parents[lane] | (band as u16) << 5;
                distances[row] = tree.distances[lane];
            }
        }
    }
    let (_, &mut median, _) = distances.clone().select_nth_unstable(tiling.rows / 2);
    for (reference, distance) in references.iter_mut().zip(distances) {
        if distance <= median.min(u32::MAX - 1) {
            // At least as close as half of the rows.
            *reference |= CLOSE_BIT;
        }
    }
    references
}

/// The rows of a window, from `first` on, in bands of similar ones, each ascending.
fn bands(mut left: Samples, first: usize) -> Vec<Vec<usize>> {
    let mut rows: Vec<usize> = (first..first + left.len()).collect();
    let (mut bands, mut distances) = (Vec::new(), Vec::new());
    // A distance, and the item in the lower half.
    let with_items = |distances: &[u32]| -> Vec<u64> {
        (0..).zip(distances).map(|(item, &distance)| u64::from(distance) << 32 | item).collect()
    };
    while rows.len() > LANES {
        left.distances(0, &mut distances);
        let mut nearest = with_items(&distances);
        nearest.select_nth_unstable(CORE - 1);
        let mut least = vec![u32::MAX; rows.len()];
        for &nearest in &nearest[..CORE] {
            left.distances(nearest as u32 as usize, &mut distances);
            least.iter_mut().zip(&distances).for_each(|(least, &distance)| *least = distance.min(*least));
        }
        nearest = with_items(&least);
        nearest.select_nth_unstable(LANES - 1);
        // From the last on, so that the item that takes the place of one is none of the others.
        let mut chosen: Vec<usize> = nearest[..LANES].iter().map(|&nearest| nearest as u32 as usize).collect();
        chosen.sort_unstable_by(|a, b| b.cmp(a));
        let mut band: Vec<usize> = Vec::with_capacity(LANES);
        for i in chosen {
            left.swap_remove(i);
            band.push(rows.swap_remove(i));
        }
        band.sort_unstable();
        bands.push(band);
    }
    rows.sort_unstable();
    bands.push(rows);
    bands
}

/// A tree over some items.
struct Tree {
    /// By item; the root is its own parent.
    parents: Vec<u16>,
    /// Of each item from its parent; of the root beyond all others.
    distances: Vec<u32>,
}

impl Tree {
    /// The minimum spanning tree of at least one item, its root the first.
    fn spanning(items: Samples) -> Self {
        let n = items.len();
        let mut tree = Self { parents: vec![0; n], distances: vec![u32::MAX; n] };
        let mut outside = items.outside();
        let mut at = 0;
        for _ in 1..n {
            let least = outside.join(at);
            at = usize::from(least as u16);
            tree.parents[at] = (least >> 16) as u16;
            tree.distances[at] = (least >> 32) as u32;
        }
        tree
    }

    /// Moves the root to the middle of the longest path; items that would still be too deep are left to the root.
    fn centre(&mut self) {
        self.turn(self.deepest().0);
        let (mut middle, length) = self.deepest();
        for _ in 0..length / 2 {
            middle = usize::from(self.parents[middle]);
        }
        self.turn(middle);
        while let (item, depth) = self.deepest()
            && depth > MOST_DEPTH
        {
            self.parents[item] = middle as u16;
        }
    }

    /// Makes an item the root.
    fn turn(&mut self, root: usize) {
        let (mut item, mut parent, mut distance) = (root, root, u32::MAX);
        loop {
            let above = usize::from(std::mem::replace(&mut self.parents[item], parent as u16));
            distance = std::mem::replace(&mut self.distances[item], distance);
            if above == item {
                break;
            }
            (item, parent) = (above, item);
        }
    }

    /// The first of the deepest items of a band, and its depth.
    fn deepest(&self) -> (usize, usize) {
        let (mut below, mut level) = ([0u32; LANES], 0);
        for (item, &parent) in self.parents.iter().enumerate() {
            *(if usize::from(parent) == item { &mut level } else { &mut below[usize::from(parent)] }) |= 1 << item;
        }
        let mut depth = 0;
        loop {
            let (first, mut next) = (level.trailing_zeros() as usize, 0);
            while level != 0 {
                next |= below[level.trailing_zeros() as usize];
                level &= level - 1;
            }
            if next == 0 {
                return (first, depth);
            }
            (level, depth) = (next, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items on a line, item `i` at `places[i]`; the distance of two is eight times that of their places.
    fn line(places: &[i8]) -> Samples {
        let scores: Vec<i8> = places.iter().flat_map(|&place| [place; 8]).collect();
        Samples::of_rows(Isa::best(), &scores, 8, Effort::Run)
    }

    #[test]
    fn trees_join_what_is_close() {
        let tree = Tree::spanning(line(&[0, 10, 4, 5, 11]));
        assert_eq!(tree.parents, [0, 3, 0, 2, 1]);
        assert_eq!(tree.distances, [u32::MAX, 40, 32, 8, 8]);
    }

    #[test]
    fn the_root_moves_to_the_middle() {
        let mut tree = Tree::spanning(line(&[0, 1, 2, 3, 4]));
        tree.centre();
        assert_eq!(tree.parents, [1, 2, 2, 2, 3]);
        let path: Vec<i8> = (0..LANES as i8).collect();
        let mut tree = Tree::spanning(line(&path));
        tree.centre();
        assert!(tree.deepest().1 <= MOST_DEPTH);
    }

    #[test]
    fn bands_hold_similar_rows() {
        let places: Vec<i8> = (0..96).map(|i| [0, 50, 100][i % 3] + (i / 30) as i8).collect();
        for band in bands(line(&places), 7) {
            assert_eq!(band.len(), 32);
            assert!(band.windows(2).all(|pair| pair[0] < pair[1] && (pair[1] - pair[0]) % 3 == 0));
        }
    }
}
