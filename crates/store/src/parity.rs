//! The parity of every score of a slab, as bytes that loops can stream.
//!
//! ```text
//! parity(row, col) = row bit ^ col bit ^ penalty odd        0 even, 1 odd
//! ```
//!
//! Made from a [`SlabShape`] for coding and from packed bits when a file is checked without its index. Packed bits
//! are a byte for eight rows (or columns), the first in the lowest bit.

use bitvec::field::BitField;
use dab_space::{Parity, SlabShape};

/// Parities of rows and columns, a byte 0 or 1 each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parities {
    rows: Vec<u8>,
    cols: Vec<u8>,
}

impl Parities {
    /// Parities of a slab; `is_odd` when the last-move penalty is odd.
    pub(crate) fn of(shape: SlabShape<'_>, is_odd: bool) -> Self {
        Self { rows: bytes(shape.row_parity, is_odd), cols: bytes(shape.col_parity, false) }
    }

    /// Parities from packed bits of `rows` rows and `cols` columns; the slices must hold that many bits.
    pub(crate) fn unpack(row_bits: &[u8], rows: usize, col_bits: &[u8], cols: usize, is_odd: bool) -> Self {
        let bytes = |bits: &[u8], len: usize, flip: u8| (0..len).map(|i| bits[i / 8] >> (i % 8) & 1 ^ flip).collect();
        Self { rows: bytes(row_bits, rows, is_odd.into()), cols: bytes(col_bits, cols, 0) }
    }

    /// The part of each row, a byte 0 or 1.
    pub(crate) fn rows(&self) -> &[u8] {
        &self.rows
    }

    /// The part of each column.
    pub(crate) fn cols(&self) -> &[u8] {
        &self.cols
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
pub(crate) fn bytes(bits: &Parity, flip: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(bits.len());
    for bits in bits.chunks(u64::BITS as usize) {
        let word: u64 = bits.load_le();
        bytes.extend((0..bits.len()).map(|i| (word >> i) as u8 & 1 ^ u8::from(flip)));
    }
    bytes
}

/// Bytes that `len` packed bits take.
pub(crate) fn packed_len(len: usize) -> usize {
    len.div_ceil(8)
}

/// Appends parity bits packed.
pub(crate) fn pack(bits: &Parity, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + packed_len(bits.len()), 0);
    for i in bits.iter_ones() {
        out[start + i / 8] |= 1 << (i % 8);
    }
}

#[cfg(test)]
mod tests {
    use bitvec::prelude::*;

    use super::*;

    #[test]
    fn parities_are_those_of_the_shape() {
        let rows = bitvec![0, 1, 1, 0, 1];
        let cols: BitVec = (0..19).map(|i| i * i % 7 > 2).collect();
        let shape = SlabShape { row_parity: &rows, col_parity: &cols };
        let (mut row_bits, mut col_bits) = (Vec::new(), Vec::new());
        pack(&rows, &mut row_bits);
        pack(&cols, &mut col_bits);
        assert_eq!((row_bits.len(), col_bits.len()), (packed_len(5), packed_len(19)));
        for is_odd in [false, true] {
            let parities = Parities::of(shape, is_odd);
            assert_eq!(parities, Parities::unpack(&row_bits, 5, &col_bits, 19, is_odd));
            for (first, len) in [(0, 95), (3, 40), (18, 1), (19, 2), (94, 1), (95, 0)] {
                let mut out = vec![9; len];
                parities.fill(first, &mut out);
                let expected = (first..first + len).map(|i| u8::from(shape.is_odd(i / 19, i % 19) != is_odd));
                assert!(out.iter().copied().eq(expected), "{first} {len}");
            }
        }
    }
}
