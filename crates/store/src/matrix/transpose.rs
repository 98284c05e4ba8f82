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

/// Writes the columns of a band into its slab.
pub(super) fn rows_of(band: &Band, columns: &[Column], scores: &mut [i8]) {
    let n_cols = columns.len();
    for (half, rows) in band.rows.chunks(SIDE).enumerate() {
        let lanes = half * SIDE;
        let whole = if rows.len() == SIDE { n_cols / SIDE * SIDE } else { 0 };
        for first in (0..whole).step_by(SIDE) {
            let part = |i: usize| *columns[first + i][lanes..].first_chunk().expect("a half has as many lanes");
            for (&row, part) in rows.iter().zip(transposed(std::array::from_fn(part))) {
                scores[row as usize * n_cols + first..][..SIDE].copy_from_slice(&part);
            }
        }
        for (i, &row) in rows.iter().enumerate() {
            let row = &mut scores[row as usize * n_cols..][..n_cols];
            row[whole..].iter_mut().zip(&columns[whole..]).for_each(|(score, column)| *score = column[lanes + i]);
        }
    }
}

/// Rows become columns. Four times the upper and the lower half are merged like a pack of cards, each time a row of
/// the one between two of the other; compilers make of it the instruction that does that to two vectors.
#[inline(always)]
fn transposed(mut square: Square) -> Square {
    for _ in 0..4 {
        let mut merged = [[0; SIDE]; SIDE];
        for i in 0..SIDE / 2 {
            let (upper, lower) = (square[i], square[i + SIDE / 2]);
            for j in 0..SIDE / 2 {
                merged[2 * i][2 * j] = upper[j];
                merged[2 * i][2 * j + 1] = lower[j];
                merged[2 * i + 1][2 * j] = upper[SIDE / 2 + j];
                merged[2 * i + 1][2 * j + 1] = lower[SIDE / 2 + j];
            }
        }
        square = merged;
    }
    square
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
            rows_of(&band, &columns, &mut back);
            for (lane, &row) in band.rows.iter().enumerate() {
                let at = row as usize * n_cols;
                assert!(columns.iter().zip(&scores[at..]).all(|(column, &score)| column[lane] == score));
                assert_eq!(back[at..at + n_cols], scores[at..at + n_cols]);
            }
        }
    }
}
