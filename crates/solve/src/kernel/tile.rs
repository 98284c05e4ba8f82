//! Tiles: strips of a slab, 64 columns wide, in which one configuration is one vector.
//!
//! ```text
//!    slab                         tile
//!    r0 . . [c0 … c0+63] . .      lane r = scores of row r in columns c0..c0+64
//! ```
//! A slab that is at hand only in its transposed form is transposed on the way, 16 x 16 scores at a time.

use dab_board::Score;

/// Scores in a lane.
pub(crate) const LANES: usize = 64;

/// One row of a tile.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Lane(pub(crate) [Score; LANES]);

/// A matrix of scores, row-major, of which either the rows or the columns are wanted as lanes.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a> {
    pub(crate) scores: &'a [Score],
    pub(crate) cols: usize,
    /// Lanes run along the columns: lane `i` is taken from column `i`.
    pub(crate) transposed: bool,
}

impl Matrix<'_> {
    /// Fills `tile` with the lanes of the strip that begins at `first`: columns `first..` of every row, or, if
    /// transposed, rows `first..` of every column. Lanes beyond the matrix hold anything.
    pub(crate) fn load(&self, first: usize, tile: &mut Vec<Lane>) {
        let rows = self.scores.len() / self.cols;
        if self.transposed {
            let width = LANES.min(rows - first);
            tile.resize(self.cols, Lane([0; LANES]));
            for col in (0..self.cols).step_by(16) {
                for row in (0..width).step_by(16) {
                    let height = 16.min(width - row);
                    let depth = 16.min(self.cols - col);
                    let at = (first + row) * self.cols + col;
                    if height == 16 && depth == 16 {
                        let mut block = Block::load(|i| &self.scores[at + i * self.cols..]);
                        block.transpose();
                        block.store(tile[col..].iter_mut().map(|lane| &mut lane.0[row..]));
                    } else {
                        for r in 0..height {
                            for c in 0..depth {
                                tile[col + c].0[row + r] = self.scores[at + r * self.cols + c];
                            }
                        }
                    }
                }
            }
        } else {
            let width = LANES.min(self.cols - first);
            tile.resize(rows, Lane([0; LANES]));
            for (lane, row) in tile.iter_mut().zip(self.scores.chunks_exact(self.cols)) {
                // A copy of known length is one instruction, any other a call.
                match row[first..].first_chunk::<LANES>() {
                    Some(all) => lane.0 = *all,
                    None => lane.0[..width].copy_from_slice(&row[first..]),
                }
            }
        }
    }
}

/// Writes a tile into columns `first..` of a matrix of `cols` columns.
pub(crate) fn store(tile: &[Lane], scores: &mut [Score], cols: usize, first: usize) {
    let width = LANES.min(cols - first);
    for (lane, row) in tile.iter().zip(scores.chunks_exact_mut(cols)) {
        match row[first..].first_chunk_mut::<LANES>() {
            Some(all) => *all = lane.0,
            None => row[first..].copy_from_slice(&lane.0[..width]),
        }
    }
}

/// Raises rows `first..` of a matrix of `cols` columns to a tile whose lanes are columns.
pub(crate) fn raise_transposed(tile: &[Lane], scores: &mut [Score], cols: usize, first: usize) {
    let rows = scores.len() / cols;
    let width = LANES.min(rows - first);
    for col in (0..cols).step_by(16) {
        for row in (0..width).step_by(16) {
            let height = 16.min(width - row);
            let depth = 16.min(cols - col);
            let at = (first + row) * cols + col;
            if height == 16 && depth == 16 {
                let mut block = Block::load(|i| &tile[col + i].0[row..]);
                block.transpose();
                for (r, line) in block.0.iter().enumerate() {
                    let target = &mut scores[at + r * cols..][..16];
                    target.iter_mut().zip(line).for_each(|(score, &x)| *score = (*score).max(x));
                }
            } else {
                for r in 0..height {
                    for c in 0..depth {
                        let score = &mut scores[at + r * cols + c];
                        *score = (*score).max(tile[col + c].0[row + r]);
                    }
                }
            }
        }
    }
}

/// Writes the transposed form of a whole matrix with `cols` columns to `turned`.
pub(crate) fn transpose(scores: &[Score], cols: usize, turned: &mut [Score]) {
    let rows = scores.len() / cols;
    // Strips of rows, so that what is written stays in the cache until its lines are full.
    for row in (0..rows).step_by(16) {
        for col in (0..cols).step_by(16) {
            let height = 16.min(rows - row);
            let depth = 16.min(cols - col);
            if height == 16 && depth == 16 {
                let mut block = Block::load(|i| &scores[(row + i) * cols + col..]);
                block.transpose();
                block.store(turned[col * rows..].chunks_mut(rows).map(|line| &mut line[row..]));
            } else {
                for r in row..row + height {
                    for c in col..col + depth {
                        turned[c * rows + r] = scores[r * cols + c];
                    }
                }
            }
        }
    }
}

/// 16 x 16 scores.
struct Block([[Score; 16]; 16]);

impl Block {
    /// The block whose row `i` begins `row(i)`.
    #[inline(always)]
    fn load<'a>(row: impl Fn(usize) -> &'a [Score]) -> Self {
        let mut block = [[0; 16]; 16];
        for (i, line) in block.iter_mut().enumerate() {
            *line = *row(i).first_chunk().expect("a row of a block has 16 scores");
        }
        Self(block)
    }

    /// Writes row `i` to the beginning of the `i`-th target.
    #[inline(always)]
    fn store<'a>(&self, targets: impl Iterator<Item = &'a mut [Score]>) {
        for (line, target) in self.0.iter().zip(targets) {
            *target.first_chunk_mut().expect("a row of a block has 16 scores") = *line;
        }
    }

    /// Four rounds, each of which interleaves row `i` with row `i + 8`.
    #[inline(always)]
    fn transpose(&mut self) {
        for _ in 0..4 {
            let from = self.0;
            for i in 0..8 {
                [self.0[2 * i], self.0[2 * i + 1]] = interleaved(from[i], from[i + 8]);
            }
        }
    }
}

/// `a0 b0 a1 b1 …` in two halves.
#[inline(always)]
fn interleaved(a: [Score; 16], b: [Score; 16]) -> [[Score; 16]; 2] {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__m128i, _mm_unpackhi_epi8, _mm_unpacklo_epi8};
        // SAFETY: the instructions belong to the base of x86-64, and the types have the same size and no invalid
        // values.
        #[allow(unsafe_code)]
        unsafe {
            let [a, b] = [a, b].map(|row| std::mem::transmute::<[Score; 16], __m128i>(row));
            [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)]
                .map(|row| std::mem::transmute::<__m128i, [Score; 16]>(row))
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        [0, 8].map(|from| std::array::from_fn(|i| if i % 2 == 0 { a[from + i / 2] } else { b[from + i / 2] }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, cols: usize) -> Vec<Score> {
        (0..rows * cols).map(|i| (i * 7 % 251) as Score).collect()
    }

    #[test]
    fn transposes_every_size() {
        for (rows, cols) in [(1, 1), (16, 16), (17, 40), (64, 3), (100, 130)] {
            let scores = matrix(rows, cols);
            let mut turned = vec![0; scores.len()];
            transpose(&scores, cols, &mut turned);
            for r in 0..rows {
                for c in 0..cols {
                    assert_eq!(turned[c * rows + r], scores[r * cols + c]);
                }
            }
        }
    }

    #[test]
    fn tiles_of_both_forms_are_alike() {
        let (rows, cols) = (100, 130);
        let scores = matrix(rows, cols);
        let mut turned = vec![0; scores.len()];
        transpose(&scores, cols, &mut turned);
        for first in (0..cols).step_by(LANES) {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            Matrix { scores: &scores, cols, transposed: false }.load(first, &mut a);
            Matrix { scores: &turned, cols: rows, transposed: true }.load(first, &mut b);
            let width = LANES.min(cols - first);
            assert!(a.iter().zip(&b).all(|(a, b)| a.0[..width] == b.0[..width]));
        }
    }

    #[test]
    fn storing_and_raising_give_the_slab_back() {
        let (rows, cols) = (70, 90);
        let scores = matrix(rows, cols);
        let mut tile = Vec::new();
        let mut stored = vec![0; rows * cols];
        for first in (0..cols).step_by(LANES) {
            Matrix { scores: &scores, cols, transposed: false }.load(first, &mut tile);
            store(&tile, &mut stored, cols, first);
        }
        assert_eq!(stored, scores);
        let mut raised = vec![Score::MIN; rows * cols];
        for first in (0..rows).step_by(LANES) {
            Matrix { scores: &scores, cols, transposed: true }.load(first, &mut tile);
            raise_transposed(&tile, &mut raised, cols, first);
        }
        assert_eq!(raised, scores);
    }
}
