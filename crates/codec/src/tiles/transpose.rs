//! Rows of a slab to columns of a band, and back.

use std::ops::Range;

use dab_isa::Isa;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, i8x16};

use super::tile::{Band, Column, LANES};

/// Side of the squares that are transposed at a time.
const SIDE: usize = 16;

/// Some columns of a band, of the scores of a slab with so many columns; idle lanes are 0.
pub(super) fn columns_of(band: &Band, scores: &[i8], (n_cols, cols): (usize, Range<usize>), columns: &mut Vec<Column>) {
    columns.clear();
    columns.resize(cols.len(), [0; LANES]);
    dispatch!(Isa::best().level(), simd => fill_columns(simd, band, &scores[cols.start..], n_cols, columns));
}

#[inline(always)]
fn fill_columns<S: Simd>(simd: S, band: &Band, scores: &[i8], stride: usize, columns: &mut [Column]) {
    let n_cols = columns.len();
    let rows: Vec<&[i8]> = band.rows.iter().map(|&row| &scores[row as usize * stride..][..n_cols]).collect();
    for (half, rows) in rows.chunks(SIDE).enumerate() {
        let lanes = half * SIDE;
        let whole = match rows.first_chunk() {
            Some(rows) => fill_from_squares(simd, rows, lanes, columns),
            None => 0,
        };
        for (i, row) in rows.iter().enumerate() {
            columns[whole..].iter_mut().zip(&row[whole..]).for_each(|(column, &score)| column[lanes + i] = score);
        }
    }
}

/// Writes rows into half of the lanes, as far as squares go; returns that many columns.
#[inline(always)]
fn fill_from_squares<S: Simd>(simd: S, rows: &[&[i8]; SIDE], lanes: usize, columns: &mut [Column]) -> usize {
    let squares = columns.as_chunks_mut::<SIDE>().0;
    for (i, columns) in squares.iter_mut().enumerate() {
        let mut square = [i8x16::splat(simd, 0); SIDE];
        for (side, row) in square.iter_mut().zip(rows) {
            *side = i8x16::simd_from(simd, row.as_chunks().0[i]);
        }
        let square = transposed(square);
        for (column, side) in columns.iter_mut().zip(&square) {
            side.store_slice(&mut column[lanes..][..SIDE]);
        }
    }
    squares.len() * SIDE
}

/// Writes the columns of a band into its rows, which are as long.
pub(super) fn rows_of(columns: &[Column], rows: &mut [&mut [i8]]) {
    dispatch!(Isa::best().level(), simd => fill_rows(simd, columns, rows));
}

#[inline(always)]
fn fill_rows<S: Simd>(simd: S, columns: &[Column], rows: &mut [&mut [i8]]) {
    let n_cols = columns.len();
    assert!(rows.iter().all(|row| row.len() == n_cols));
    for (half, rows) in rows.chunks_mut(SIDE).enumerate() {
        let lanes = half * SIDE;
        let whole = match rows.first_chunk_mut() {
            Some(rows) => fill_squares(simd, columns, lanes, rows),
            None => 0,
        };
        for (i, row) in rows.iter_mut().enumerate() {
            row[whole..].iter_mut().zip(&columns[whole..]).for_each(|(score, column)| *score = column[lanes + i]);
        }
    }
}

/// Writes half of the lanes into their rows, as far as squares go; returns that many columns.
#[inline(always)]
fn fill_squares<S: Simd>(simd: S, columns: &[Column], lanes: usize, rows: &mut [&mut [i8]; SIDE]) -> usize {
    let squares = columns.as_chunks::<SIDE>().0;
    for (i, columns) in squares.iter().enumerate() {
        let mut square = [i8x16::splat(simd, 0); SIDE];
        for (side, column) in square.iter_mut().zip(columns) {
            *side = i8x16::from_slice(simd, &column[lanes..][..SIDE]);
        }
        let square = transposed(square);
        for (row, side) in rows.iter_mut().zip(&square) {
            side.store_array(&mut row.as_chunks_mut().0[i]);
        }
    }
    squares.len() * SIDE
}

/// Rows become columns. Four times the upper and the lower half are merged like a pack of cards, each time a row of
/// the one between two of the other: for two vectors that is one instruction each for their lower and upper halves.
/// Rows are written out, so that they stay in registers however the compiler judges a loop.
#[inline(always)]
fn transposed<S: Simd>(mut rows: [i8x16<S>; SIDE]) -> [i8x16<S>; SIDE] {
    for _ in 0..4 {
        let [a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7] = rows;
        let ((c0, c1), (c2, c3), (c4, c5), (c6, c7)) =
            (a0.interleave(b0), a1.interleave(b1), a2.interleave(b2), a3.interleave(b3));
        let ((d0, d1), (d2, d3), (d4, d5), (d6, d7)) =
            (a4.interleave(b4), a5.interleave(b5), a6.interleave(b6), a7.interleave(b7));
        rows = [c0, c1, c2, c3, c4, c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7];
    }
    rows
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
