//! Tiles: strips of 64 rows of a slab, transposed so that each column is one vector.
//!
//! ```text
//!    slab                                  tile
//!    rows first..first+64, all columns     lane c = these rows of column c
//! ```
//! Moves of the lower half lead from column to column; in a tile that is from vector to vector. Blocks of 16 columns to which
//! no move leads are left out. A slab that is stored turned has these vectors in its rows.

/// Scores in a lane.
pub(crate) const LANES: usize = 64;

/// Rows and columns of a block, which is turned in registers.
pub(crate) const BLOCK: usize = 16;

/// Lanes of a tile that stay in the nearest cache while all their rows are turned.
const NEAR: usize = 256;

/// One column of a strip.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Lane(pub(crate) [i8; LANES]);

/// A matrix of scores, row-major.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) scores: &'a [i8],
    pub(crate) cols: usize,
}

impl Rows<'_> {
    /// Fills `tile` with columns of the strip of rows that begins at `first`: lane `c` holds rows `first..` of column `c`,
    /// for the 16 columns from each of `blocks` on. Rows beyond the matrix have arbitrary scores.
    pub(crate) fn load(&self, first: usize, blocks: impl Iterator<Item = usize> + Clone, tile: &mut Vec<Lane>) {
        let last = self.scores.len() / self.cols - 1;
        let lines = std::array::from_fn(|i| Some(&self.scores[last.min(first + i) * self.cols..][..self.cols]));
        load(&lines, self.cols, blocks, tile);
    }

    /// Fills `tile` with rows of the strip of columns that begins at `first`: lane `r` holds columns `first..` of row `r`,
    /// for the 16 rows from each of `blocks` on. Columns beyond the matrix have arbitrary scores.
    pub(crate) fn copy(&self, first: usize, blocks: impl Iterator<Item = usize> + Clone, tile: &mut Vec<Lane>) {
        let (rows, width) = (self.scores.len() / self.cols, LANES.min(self.cols - first));
        tile.resize(rows, Lane([0; LANES]));
        for row in blocks.flat_map(|row| row..rows.min(row + BLOCK)) {
            let from = &self.scores[row * self.cols + first..][..width];
            match from.first_chunk() {
                Some(lane) => tile[row].0 = *lane,
                None => tile[row].0[..width].copy_from_slice(from),
            }
        }
    }
}

/// Fills lanes of `tile` with the columns of some rows of `cols` scores: lane `c` with column `c`, for the 16 columns from
/// each of `blocks` on. Places of rows that are not there have arbitrary scores.
pub(crate) fn load(
    lines: &[Option<&[i8]>; LANES],
    cols: usize,
    blocks: impl Iterator<Item = usize> + Clone,
    tile: &mut Vec<Lane>,
) {
    tile.resize(cols, Lane([0; LANES]));
    // The last block begins earlier, so that it is a whole one.
    let Some(last) = cols.checked_sub(BLOCK) else {
        for (row, line) in lines.iter().enumerate() {
            tile.iter_mut().zip(line.unwrap_or_default()).for_each(|(lane, &score)| lane.0[row] = score);
        }
        return;
    };
    for (lines, row) in lines.chunks_exact(BLOCK).zip((0..LANES).step_by(BLOCK)) {
        // A row that is there takes the places of others.
        let Some(&one) = lines.iter().flatten().next() else { continue };
        let lines: [&[i8]; BLOCK] = std::array::from_fn(|i| lines[i].unwrap_or(one));
        for col in blocks.clone().map(|col| col.min(last)) {
            let block = Block::load(|i| &lines[i][col..]).transposed();
            block.store(|i, line| set(&mut tile[col + i].0[row..], line));
        }
    }
}

/// Max-assigns some rows of a matrix of `cols` columns, at most as many as a strip has, to a tile whose lanes are its columns.
pub(crate) fn max_assign_strip(tile: &[Lane], scores: &mut [i8], cols: usize) {
    let height = scores.len() / cols;
    for (first, row) in
        (0..cols).step_by(NEAR).flat_map(|first| (0..height).step_by(BLOCK).map(move |row| (first, row)))
    {
        for col in (first..cols.min(first + NEAR)).step_by(BLOCK) {
            let width = BLOCK.min(cols - col);
            let at = row * cols + col;
            if width == BLOCK && row + BLOCK <= height {
                let block = Block::load(|i| &tile[col + i].0[row..]).transposed();
                block.store(|i, line| {
                    let target = &mut scores[at + i * cols..][..BLOCK];
                    target.iter_mut().zip(line).for_each(|(score, x)| *score = (*score).max(x));
                });
            } else {
                for r in 0..BLOCK.min(height - row) {
                    for c in 0..width {
                        let score = &mut scores[at + r * cols + c];
                        *score = (*score).max(tile[col + c].0[row + r]);
                    }
                }
            }
        }
    }
}

/// Max-assigns columns `first..` of a matrix of `cols` columns to lanes, of which each holds these columns of a row.
pub(crate) fn max_assign_columns(lanes: &[Lane], scores: &mut [i8], cols: usize, first: usize) {
    let width = LANES.min(cols - first);
    for (lane, row) in lanes.iter().zip(scores.chunks_exact_mut(cols)) {
        row[first..first + width].iter_mut().zip(&lane.0).for_each(|(score, &x)| *score = (*score).max(x));
    }
}

/// Writes 16 scores to the beginning of a slice.
#[inline(always)]
pub(crate) fn set(target: &mut [i8], line: [i8; 16]) {
    *target.first_chunk_mut().expect("a row of a block has 16 scores") = line;
}

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use registers::Block;

/// Blocks in registers; the instructions belong to the base of x86-64, or to the module that was built with them.
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
#[allow(unsafe_code)]
mod registers {
    #[cfg(target_arch = "wasm32")]
    use std::arch::wasm32::{u8x16_shuffle, v128 as Line, v128_load, v128_store};
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64::{
        __m128i as Line, _mm_loadu_si128 as v128_load, _mm_storeu_si128 as v128_store, _mm_unpackhi_epi8,
        _mm_unpacklo_epi8,
    };

    /// The first halves of two lines, interleaved.
    #[inline(always)]
    fn low(a: Line, b: Line) -> Line {
        #[cfg(target_arch = "wasm32")]
        return u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b);
        // SAFETY: every x86-64 machine has this instruction.
        #[cfg(target_arch = "x86_64")]
        return unsafe { _mm_unpacklo_epi8(a, b) };
    }

    /// The second halves of two lines, interleaved.
    #[inline(always)]
    fn high(a: Line, b: Line) -> Line {
        #[cfg(target_arch = "wasm32")]
        return u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b);
        // SAFETY: every x86-64 machine has this instruction.
        #[cfg(target_arch = "x86_64")]
        return unsafe { _mm_unpackhi_epi8(a, b) };
    }

    /// 16 x 16 scores.
    #[derive(Clone, Copy)]
    pub(crate) struct Block([Line; 16]);

    impl Block {
        /// The block whose row `i` begins `row(i)`.
        #[inline(always)]
        pub(crate) fn load<'a>(row: impl Fn(usize) -> &'a [i8]) -> Self {
            Self(std::array::from_fn(|i| {
                let line = &row(i)[..16];
                // SAFETY: the slice has the 16 bytes that are loaded; no alignment is needed.
                unsafe { v128_load(line.as_ptr().cast()) }
            }))
        }

        /// Hands row `i` to `put(i, …)`.
        #[inline(always)]
        pub(crate) fn store(self, mut put: impl FnMut(usize, [i8; 16])) {
            for (i, line) in self.0.into_iter().enumerate() {
                let mut scores = [0; 16];
                // SAFETY: the array has the 16 bytes that are stored; no alignment is needed.
                unsafe { v128_store(scores.as_mut_ptr().cast(), line) };
                put(i, scores);
            }
        }

        /// Rows and columns exchanged: four rounds, each of which interleaves row `i` with row `i + 8`.
        #[inline(always)]
        pub(crate) fn transposed(self) -> Self {
            self.interleaved().interleaved().interleaved().interleaved()
        }

        /// The larger of both blocks, place by place.
        #[inline(always)]
        pub(crate) fn max(self, other: Self) -> Self {
            let scores = |block: Self| {
                let mut rows = [[0; 16]; 16];
                block.store(|i, line| rows[i] = line);
                rows
            };
            let (a, b) = (scores(self), scores(other));
            let best: [[i8; 16]; 16] = std::array::from_fn(|i| std::array::from_fn(|j| a[i][j].max(b[i][j])));
            Self::load(|i| &best[i])
        }

        /// Row `i` between the rows `2i` and `2i + 1` of the result, row `i + 8` the other half of these. Written out, so
        /// that the rows stay in registers however the compiler judges a loop.
        #[inline(always)]
        fn interleaved(self) -> Self {
            let [a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7] = self.0;
            Self([
                low(a0, b0),
                high(a0, b0),
                low(a1, b1),
                high(a1, b1),
                low(a2, b2),
                high(a2, b2),
                low(a3, b3),
                high(a3, b3),
                low(a4, b4),
                high(a4, b4),
                low(a5, b5),
                high(a5, b5),
                low(a6, b6),
                high(a6, b6),
                low(a7, b7),
                high(a7, b7),
            ])
        }
    }
}

/// 16 x 16 scores.
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
#[derive(Clone, Copy)]
pub(crate) struct Block([[i8; 16]; 16]);

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
impl Block {
    pub(crate) fn load<'a>(row: impl Fn(usize) -> &'a [i8]) -> Self {
        Self(std::array::from_fn(|i| *row(i).first_chunk().expect("a row of a block has 16 scores")))
    }

    pub(crate) fn store(self, mut put: impl FnMut(usize, [i8; 16])) {
        self.0.into_iter().enumerate().for_each(|(i, line)| put(i, line));
    }

    pub(crate) fn max(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| std::array::from_fn(|j| self.0[i][j].max(other.0[i][j]))))
    }

    pub(crate) fn transposed(self) -> Self {
        Self(std::array::from_fn(|i| std::array::from_fn(|j| self.0[j][i])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, cols: usize) -> Vec<i8> {
        (0..rows * cols).map(|i| (i * 7 % 251) as i8).collect()
    }

    const SIZES: [(usize, usize); 6] = [(1, 1), (16, 16), (17, 40), (64, 3), (70, 90), (150, 130)];

    #[test]
    fn rows_of_a_turned_matrix_are_lanes() {
        for (rows, cols) in SIZES {
            let scores = matrix(rows, cols);
            let turned: Vec<i8> = (0..rows * cols).map(|i| scores[i % rows * cols + i / rows]).collect();
            let (mut loaded, mut copied) = (Vec::new(), Vec::new());
            for first in (0..rows).step_by(LANES) {
                Rows { scores: &scores, cols }.load(first, (0..cols).step_by(BLOCK), &mut loaded);
                Rows { scores: &turned, cols: rows }.copy(first, (0..cols).step_by(BLOCK), &mut copied);
                let height = LANES.min(rows - first);
                assert!(loaded.iter().zip(&copied).all(|(a, b)| a.0[..height] == b.0[..height]), "{rows} x {cols}");
            }
        }
    }

    #[test]
    fn strips_give_the_slab_back() {
        for (rows, cols) in SIZES {
            let scores = matrix(rows, cols);
            let mut tile = Vec::new();
            let mut raised = vec![i8::MIN; rows * cols];
            for first in (0..rows).step_by(LANES) {
                Rows { scores: &scores, cols }.load(first, (0..cols).step_by(BLOCK), &mut tile);
                assert!((0..cols).all(|c| tile[c].0[0] == scores[first * cols + c]));
                let end = rows.min(first + LANES);
                max_assign_strip(&tile, &mut raised[first * cols..end * cols], cols);
            }
            assert_eq!(raised, scores);
        }
    }
}
