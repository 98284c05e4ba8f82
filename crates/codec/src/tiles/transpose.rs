//! Rows of a slab to columns of a band, and back.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, i8x16};

use super::LANES;
use super::tile::{Band, Column};

/// Side of the squares that are transposed at a time.
const SIDE: usize = 16;

type Square = [[i8; SIDE]; SIDE];

/// Some columns of a band, of the scores of a slab with so many columns; idle lanes are 0.
pub(super) fn columns_of(band: &Band, scores: &[i8], (n_cols, cols): (usize, Range<usize>), columns: &mut Vec<Column>) {
    columns.clear();
    columns.resize(cols.len(), [0; LANES]);
    // What every machine of the target has is enough.
    dispatch!(Level::baseline(), simd => fill_columns(simd, band, &scores[cols.start..], n_cols, columns));
}

#[inline(always)]
fn fill_columns<S: Simd>(simd: S, band: &Band, scores: &[i8], stride: usize, columns: &mut [Column]) {
    let n_cols = columns.len();
    for (half, rows) in band.rows.chunks(SIDE).enumerate() {
        let row = |i: usize| &scores[rows[i] as usize * stride..][..n_cols];
        let lanes = half * SIDE;
        let whole = if rows.len() == SIDE { n_cols / SIDE * SIDE } else { 0 };
        for first in (0..whole).step_by(SIDE) {
            let square = std::array::from_fn(|i| *row(i)[first..].first_chunk().expect("squares end within the row"));
            for (column, part) in columns[first..].iter_mut().zip(transposed(simd, square)) {
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
    dispatch!(Level::baseline(), simd => fill_rows(simd, columns, rows));
}

#[inline(always)]
fn fill_rows<S: Simd>(simd: S, columns: &[Column], rows: &mut [&mut [i8]]) {
    let n_cols = columns.len();
    for (half, rows) in rows.chunks_mut(SIDE).enumerate() {
        let lanes = half * SIDE;
        let whole = if rows.len() == SIDE { n_cols / SIDE * SIDE } else { 0 };
        for first in (0..whole).step_by(SIDE) {
            let part = |i: usize| *columns[first + i][lanes..].first_chunk().expect("a half has as many lanes");
            for (row, part) in rows.iter_mut().zip(transposed(simd, std::array::from_fn(part))) {
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
#[inline(always)]
fn transposed<S: Simd>(simd: S, square: Square) -> Square {
    let mut rows = square.map(|row| i8x16::simd_from(simd, row));
    for _ in 0..4 {
        let [a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7] = rows;
        let ((c0, c1), (c2, c3), (c4, c5), (c6, c7)) =
            (a0.interleave(b0), a1.interleave(b1), a2.interleave(b2), a3.interleave(b3));
        let ((d0, d1), (d2, d3), (d4, d5), (d6, d7)) =
            (a4.interleave(b4), a5.interleave(b5), a6.interleave(b6), a7.interleave(b7));
        rows = [c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7];
    }
    rows.map(|row| row.to_array())
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
            columns_of(&band, &scores, (n_cols, 0..n_cols), &mut columns);
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
