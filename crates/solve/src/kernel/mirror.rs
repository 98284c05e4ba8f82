//! Matrices turned over their diagonal, by one thread or by all that are free.
//!
//! ```text
//!    a square, and the same in quarters:        | A  B |     A and D are squares for themselves;
//!                                               | C  D |     B goes with C turned, quarter by quarter again
//! ```

use super::bands::Crew;
use super::tile::{BLOCK, Block, LANES, set};

/// Rows or columns of a part that one thread turns.
const PART: usize = 512;

/// Writes the transposed form of a whole matrix with `cols` columns to `turned`.
pub(super) fn transpose(crew: &Crew<'_>, scores: &[i8], cols: usize, turned: &mut [i8]) {
    let rows = scores.len() / cols;
    let width = if crew.is_shared() { PART } else { cols };
    crew.for_each_band(
        turned,
        width * rows,
        || (),
        |(), part, turned| {
            transpose_columns((scores, cols), part * width, turned);
        },
    );
}

/// Writes columns `first..` of a matrix to `turned`, as many as it has rows for.
fn transpose_columns((scores, cols): (&[i8], usize), first: usize, turned: &mut [i8]) {
    let rows = scores.len() / cols;
    let n = turned.len() / rows;
    // 64 rows at a time, so that whole cache lines are written.
    for strip in (0..rows).step_by(LANES) {
        let height = LANES.min(rows - strip);
        for col in (0..n).step_by(BLOCK) {
            let width = BLOCK.min(n - col);
            for row in (strip..strip + height).step_by(BLOCK) {
                if width == BLOCK && row + BLOCK <= strip + height {
                    let block = Block::load(|i| &scores[(row + i) * cols + first + col..]).transposed();
                    block.store(|i, line| set(&mut turned[(col + i) * rows + row..], line));
                } else {
                    for r in row..strip + height.min(row - strip + BLOCK) {
                        for c in col..col + width {
                            turned[c * rows + r] = scores[r * cols + first + c];
                        }
                    }
                }
            }
        }
    }
}

/// Max-assigns every score of a square matrix to the one at the mirrored place.
pub(super) fn max_assign_mirrored(crew: &Crew<'_>, scores: &mut [i8], cols: usize) {
    square(crew, scores.chunks_exact_mut(cols).collect());
}

/// Some rows of a part of a matrix.
type Part<'a> = Vec<&'a mut [i8]>;

fn square(crew: &Crew<'_>, mut rows: Part<'_>) {
    let n = rows.len();
    if !crew.is_shared() || n <= PART {
        for row in (0..n).step_by(BLOCK) {
            let (above, below) = rows.split_at_mut(n.min(row + BLOCK));
            let above = &mut above[row..];
            for r in 0..above.len() {
                for c in 0..r {
                    let best = above[r][row + c].max(above[c][row + r]);
                    (above[r][row + c], above[c][row + r]) = (best, best);
                }
            }
            for (block, below) in below.chunks_mut(BLOCK).enumerate() {
                mirror_block((above, row + (block + 1) * BLOCK), (below, row));
            }
        }
        return;
    }
    let half = middle(n);
    let (mut left, mut right) = split_columns(rows, half);
    let (below, last) = (left.split_off(half), right.split_off(half));
    let squares = || crew.join(|| square(crew, left), || square(crew, last));
    crew.join(squares, || pair(crew, right, below));
}

/// Max-assigns the scores of one part and those of the other, turned, to each other.
fn pair(crew: &Crew<'_>, mut above: Part<'_>, mut below: Part<'_>) {
    let (rows, cols) = (above.len(), below.len());
    if rows.max(cols) <= PART {
        for (row, above) in above.chunks_mut(BLOCK).enumerate() {
            for (col, below) in below.chunks_mut(BLOCK).enumerate() {
                mirror_block((&mut *above, col * BLOCK), (below, row * BLOCK));
            }
        }
    } else if rows < cols {
        pair(crew, below, above);
    } else {
        let half = middle(rows);
        let last = above.split_off(half);
        let (left, right) = split_columns(below, half);
        crew.join(|| pair(crew, above, left), || pair(crew, last, right));
    }
}

/// The same for a block, given by its rows and its first column, and the block at the mirrored place.
fn mirror_block((above, col): (&mut [&mut [i8]], usize), (below, row): (&mut [&mut [i8]], usize)) {
    if above.len() == BLOCK && below.len() == BLOCK {
        let there = Block::load(|i| &below[i][row..]).transposed();
        let best = Block::load(|i| &above[i][col..]).max(there);
        best.store(|i, line| set(&mut above[i][col..], line));
        best.transposed().store(|i, line| set(&mut below[i][row..], line));
        return;
    }
    for (r, above) in above.iter_mut().enumerate() {
        for (c, below) in below.iter_mut().enumerate() {
            let best = above[col + c].max(below[row + r]);
            (above[col + c], below[row + r]) = (best, best);
        }
    }
}

/// The middle of `n` rows, at the end of a block.
fn middle(n: usize) -> usize {
    (n / 2).next_multiple_of(BLOCK)
}

/// The parts left and right of a column.
fn split_columns(rows: Part<'_>, col: usize) -> (Part<'_>, Part<'_>) {
    rows.into_iter().map(|row| row.split_at_mut(col)).unzip()
}

#[cfg(test)]
mod tests {
    use dab_space::Layer;

    use super::*;
    use crate::kernel::source::Nothing;

    fn matrix(rows: usize, cols: usize) -> Vec<i8> {
        (0..rows * cols).map(|i| (i * 7 % 251) as i8).collect()
    }

    fn crews() -> [Crew<'static>; 2] {
        [false, true].map(|is_shared| Crew::new(&Nothing, Layer(0), is_shared))
    }

    #[test]
    fn transposes_every_size() {
        for (rows, cols) in [(1, 1), (16, 16), (17, 40), (64, 3), (70, 90), (150, 130), (33, 1100), (1100, 33)] {
            let scores = matrix(rows, cols);
            for crew in crews() {
                let mut turned = vec![0; scores.len()];
                transpose(&crew, &scores, cols, &mut turned);
                for r in 0..rows {
                    for c in 0..cols {
                        assert_eq!(turned[c * rows + r], scores[r * cols + c]);
                    }
                }
            }
        }
    }

    #[test]
    fn mirroring_takes_the_larger() {
        for cols in [1, 15, 16, 50, 513, 1100, 1537] {
            let scores = matrix(cols, cols);
            for crew in crews() {
                let mut raised = scores.clone();
                max_assign_mirrored(&crew, &mut raised, cols);
                for r in 0..cols {
                    for c in 0..cols {
                        assert_eq!(raised[r * cols + c], scores[r * cols + c].max(scores[c * cols + r]));
                    }
                }
            }
        }
    }
}
