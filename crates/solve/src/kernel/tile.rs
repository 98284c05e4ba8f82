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
                        let block = transposed(&self.scores[at..], self.cols);
                        for (lane, line) in tile[col..].iter_mut().zip(&block) {
                            lane.0[row..row + 16].copy_from_slice(line);
                        }
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
                lane.0[..width].copy_from_slice(&row[first..first + width]);
            }
        }
    }
}

/// Writes a tile into columns `first..` of a matrix of `cols` columns.
pub(crate) fn store(tile: &[Lane], scores: &mut [Score], cols: usize, first: usize) {
    let width = LANES.min(cols - first);
    for (lane, row) in tile.iter().zip(scores.chunks_exact_mut(cols)) {
        row[first..first + width].copy_from_slice(&lane.0[..width]);
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
                let lanes = &tile[col..col + 16];
                let block = transposed_by(|i| lanes[i].0[row..row + 16].try_into().expect("a lane has 64 scores"));
                for (r, line) in block.iter().enumerate() {
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

/// The transposed form of a whole matrix with `cols` columns.
pub(crate) fn transpose(scores: &[Score], cols: usize) -> Vec<Score> {
    let rows = scores.len() / cols;
    let mut turned = vec![0; scores.len()];
    for row in (0..rows).step_by(16) {
        for col in (0..cols).step_by(16) {
            let height = 16.min(rows - row);
            let depth = 16.min(cols - col);
            if height == 16 && depth == 16 {
                let block = transposed(&scores[row * cols + col..], cols);
                for (c, line) in block.iter().enumerate() {
                    turned[(col + c) * rows + row..][..16].copy_from_slice(line);
                }
            } else {
                for r in row..row + height {
                    for c in col..col + depth {
                        turned[c * rows + r] = scores[r * cols + c];
                    }
                }
            }
        }
    }
    turned
}

/// The 16 x 16 block at the beginning of `scores`, in a matrix with `cols` columns, transposed.
#[inline(always)]
fn transposed(scores: &[Score], cols: usize) -> [[Score; 16]; 16] {
    transposed_by(|i| scores[i * cols..][..16].try_into().expect("16 scores were asked for"))
}

/// Transposes the 16 x 16 block whose rows are `row(0)` to `row(15)`: four rounds, each of which interleaves row `i`
/// with row `i + 8`.
#[inline(always)]
fn transposed_by(row: impl Fn(usize) -> [Score; 16]) -> [[Score; 16]; 16] {
    let mut block: [[Score; 16]; 16] = std::array::from_fn(row);
    for _ in 0..4 {
        let mut next = [[0; 16]; 16];
        for i in 0..8 {
            let [low, high] = interleaved(block[i], block[i + 8]);
            next[2 * i] = low;
            next[2 * i + 1] = high;
        }
        block = next;
    }
    block
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
            let (a, b): (__m128i, __m128i) = (std::mem::transmute(a), std::mem::transmute(b));
            [std::mem::transmute(_mm_unpacklo_epi8(a, b)), std::mem::transmute(_mm_unpackhi_epi8(a, b))]
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
            let turned = transpose(&scores, cols);
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
        let turned = transpose(&scores, cols);
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
