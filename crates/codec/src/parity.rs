//! The parity of every score of a matrix, as bytes that loops can stream.
//!
//! ```text
//! parity(row, col) = row bit ^ col bit ^ penalty odd        0 even, 1 odd
//! ```

use bitvec::field::BitField;
use bitvec::slice::BitSlice;

/// Rows and columns of a matrix, a bit of parity for each.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// One bit for each row.
    pub rows: &'a BitSlice,
    /// One bit for each column.
    pub cols: &'a BitSlice,
    /// Whether all scores have the opposite parity: the last-move penalty is odd.
    pub is_odd: bool,
}

impl Shape<'_> {
    /// The parity of a score, 0 or 1.
    pub(crate) fn parity(&self, row: usize, col: usize) -> u8 {
        u8::from(self.rows[row] ^ self.cols[col] ^ self.is_odd)
    }
}

/// Parities of rows and columns, a byte 0 or 1 each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parities {
    /// The part of each row, that of the penalty in it.
    pub(crate) rows: Vec<u8>,
    /// The part of each column.
    pub(crate) cols: Vec<u8>,
}

impl Parities {
    /// The parities of a matrix.
    pub(crate) fn of(shape: Shape<'_>) -> Self {
        Self { rows: bytes(shape.rows, shape.is_odd), cols: bytes(shape.cols, false) }
    }

    /// Parities of the positions from `first` on, as many as `out` holds.
    pub(crate) fn fill(&self, first: usize, mut out: &mut [u8]) {
        let n_cols = self.cols.len();
        let mut at = first;
        while !out.is_empty() {
            let (row, col) = (self.rows[at / n_cols], at % n_cols);
            let (segment, rest) = out.split_at_mut(out.len().min(n_cols - col));
            for (parity, col_parity) in segment.iter_mut().zip(&self.cols[col..]) {
                *parity = row ^ col_parity;
            }
            at += segment.len();
            out = rest;
        }
    }
}

/// Parity bits as bytes, the opposite of each if `flip`.
pub(crate) fn bytes(bits: &BitSlice, flip: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(bits.len());
    for bits in bits.chunks(u64::BITS as usize) {
        let word: u64 = bits.load_le();
        bytes.extend((0..bits.len()).map(|i| (word >> i) as u8 & 1 ^ u8::from(flip)));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use bitvec::prelude::*;

    use super::*;

    #[test]
    fn parities_are_those_of_the_shape() {
        let rows = bitvec![0, 1, 1, 0, 1];
        let cols: BitVec = (0..19).map(|i| i * i % 7 > 2).collect();
        for is_odd in [false, true] {
            let shape = Shape { rows: &rows, cols: &cols, is_odd };
            let parities = Parities::of(shape);
            for (first, len) in [(0, 95), (3, 40), (18, 1), (19, 2), (94, 1), (95, 0)] {
                let mut out = vec![9; len];
                parities.fill(first, &mut out);
                let expected = (first..first + len).map(|i| shape.parity(i / 19, i % 19));
                assert!(out.iter().copied().eq(expected), "{first} {len}");
            }
        }
    }
}
