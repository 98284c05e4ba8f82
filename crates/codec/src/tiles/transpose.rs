//! Rows of a slab to columns of a band, and back.

use super::LANES;
use super::tile::{Band, Column};

/// Side of the squares that are transposed at a time.
const SIDE: usize = 16;

type Square = [[i8; SIDE]; SIDE];

/// The columns of a band in a slab with `n_cols` columns; idle lanes are 0.
pub(super) fn columns_of(band: &Band, scores: &[i8], n_cols: usize, columns: &mut Vec<Column>) {
    columns.clear();
    columns.resize(n_cols, [0; LANES]);
    for (half, rows) in band.rows.chunks(SIDE).enumerate() {
        let row = |i: usize| &scores[rows[i] as usize * n_cols..][..n_cols];
        let lanes = half * SIDE;
        let whole = if rows.len() == SIDE { n_cols / SIDE * SIDE } else { 0 };
        for first in (0..whole).step_by(SIDE) {
            let square = std::array::from_fn(|i| *row(i)[first..].first_chunk().expect("squares end within the row"));
            for (column, part) in columns[first..].iter_mut().zip(transposed(square)) {
                column[lanes..lanes + SIDE].copy_from_slice(&part);
            }
        }
        for i in 0..rows.len() {
            columns[whole..].iter_mut().zip(&row(i)[whole..]).for_each(|(column, &score)| column[lanes + i] = score);
        }
    }
}

/// Writes the columns of a band into its rows.
pub(super) fn rows_of(columns: &[Column], rows: &mut [&mut [i8]]) {
    let n_cols = columns.len();
    for (half, rows) in rows.chunks_mut(SIDE).enumerate() {
        let lanes = half * SIDE;
        let whole = if rows.len() == SIDE { n_cols / SIDE * SIDE } else { 0 };
        for first in (0..whole).step_by(SIDE) {
            let part = |i: usize| *columns[first + i][lanes..].first_chunk().expect("a half has as many lanes");
            for (row, part) in rows.iter_mut().zip(transposed(std::array::from_fn(part))) {
                row[first..][..SIDE].copy_from_slice(&part);
            }
        }
        for (i, row) in rows.iter_mut().enumerate() {
            row[whole..].iter_mut().zip(&columns[whole..]).for_each(|(score, column)| *score = column[lanes + i]);
        }
    }
}

/// Rows become columns. Four times the upper and the lower half are merged like a pack of cards, each time a row of
/// the one between two of the other: for two vectors that is one instruction each for their lower and upper halves.
/// Rows are written out, so that they stay in registers however the compiler judges a loop.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code, reason = "vector instructions")]
fn transposed(square: Square) -> Square {
    use std::arch::x86_64::{__m128i, _mm_unpackhi_epi8, _mm_unpacklo_epi8};

    // SAFETY: rows and vectors are 16 bytes each, and any bytes are fine for both.
    let mut rows: [__m128i; SIDE] = unsafe { std::mem::transmute(square) };
    for _ in 0..4 {
        let [a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7] = rows;
        // SAFETY: every x86-64 machine has these instructions.
        let merged = |a, b| unsafe { (_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)) };
        let ((c0, c1), (c2, c3), (c4, c5), (c6, c7)) = (merged(a0, b0), merged(a1, b1), merged(a2, b2), merged(a3, b3));
        let ((d0, d1), (d2, d3), (d4, d5), (d6, d7)) = (merged(a4, b4), merged(a5, b5), merged(a6, b6), merged(a7, b7));
        rows = [c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7];
    }
    // SAFETY: as above.
    unsafe { std::mem::transmute(rows) }
}

/// Rows become columns.
#[cfg(not(target_arch = "x86_64"))]
fn transposed(square: Square) -> Square {
    std::array::from_fn(|i| std::array::from_fn(|j| square[j][i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (n_rows, n_cols) in [(32, 64), (32, 70), (31, 33), (16, 16), (5, 3)] {
            let scores: Vec<i8> = (0..40 * n_cols).map(|i| (i * 7 % 256) as u8 as i8).collect();
            let band = Band { rows: (0..n_rows).map(|lane| lane + lane / 5).collect(), ..Band::default() };
            let mut columns = Vec::new();
            columns_of(&band, &scores, n_cols, &mut columns);
            let mut back = vec![0; scores.len()];
            let mut rows: Vec<&mut [i8]> = back.chunks_exact_mut(n_cols).collect();
            rows = rows.into_iter().zip(0..).filter(|(_, row)| band.rows.contains(row)).map(|(row, _)| row).collect();
            rows_of(&columns, &mut rows);
            for (lane, &row) in band.rows.iter().enumerate() {
                let at = row as usize * n_cols;
                assert!(columns.iter().zip(&scores[at..]).all(|(column, &score)| column[lane] == score));
                assert_eq!(back[at..at + n_cols], scores[at..at + n_cols]);
            }
        }
    }
}
