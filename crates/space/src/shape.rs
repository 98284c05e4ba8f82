//! The shape of a slab: a matrix of scores, a row for each upper and a column for each lower configuration.
//!
//! Scores have the parity of the open boxes, on which the score files rely. That parity is the sum of a part of the row
//! and a part of the column.

use bitvec::slice::BitSlice;

/// A row or column of parity bits.
pub type Parity = BitSlice;

/// Size of a slab and the parity of its scores.
#[derive(Clone, Copy, Debug)]
pub struct SlabShape<'a> {
    /// For each row, one bit of the parity.
    pub row_parity: &'a Parity,
    /// For each column, one bit of the parity.
    pub col_parity: &'a Parity,
}

impl SlabShape<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.row_parity.len()
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.col_parity.len()
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.rows() * self.cols()
    }

    /// Whether the number of open boxes is odd at (`row`, `col`).
    pub fn is_odd(&self, row: usize, col: usize) -> bool {
        self.row_parity[row] != self.col_parity[col]
    }
}
