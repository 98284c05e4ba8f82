//! Parts of a matrix: the scores that somebody wants, and those that are decoded.
//!
//! ```text
//!              strip 0   strip 1   strip 2        columns of some strips, which are those of the compression
//!    row 0     1         0         1              a bit for each row and strip: its scores are decoded
//!    row 1     1         1         0
//! ```
//! Wanted is every score that lies in one of some rows and in one of some columns. Blocks are decoded as wholes, so that more is decoded
//! than was wanted; a matrix that is not tiled is one part.

use std::ops::Range;

use bitvec::vec::BitVec;

/// The scores in some rows and some columns, or all scores.
#[derive(Clone, Debug)]
pub struct Wanted(Option<[Vec<bool>; 2]>);

impl Wanted {
    /// All scores.
    pub const ALL: Self = Self(None);

    /// Those of these rows and columns: a flag for each row, and one for each column.
    pub fn of(rows: Vec<bool>, cols: Vec<bool>) -> Self {
        Self(Some([rows, cols]))
    }

    /// Whether some score of a row may be wanted.
    pub fn has_row(&self, row: usize) -> bool {
        self.0.as_ref().is_none_or(|[rows, _]| rows[row])
    }

    /// Whether some score in these columns may be wanted.
    pub fn has_cols(&self, cols: Range<usize>) -> bool {
        self.0.as_ref().is_none_or(|[_, all]| all[cols].contains(&true))
    }
}

/// Which scores of a matrix are decoded; nothing by default.
#[derive(Clone, Debug, Default)]
pub struct Decoded {
    is_whole: bool,
    n_scores: u64,
    /// Ends of the strips, if only a part is decoded.
    ends: Vec<usize>,
    /// By row and strip.
    parts: BitVec,
}

impl Decoded {
    /// All `n_scores` scores of a matrix.
    pub fn whole(n_scores: usize) -> Self {
        Self { is_whole: true, n_scores: n_scores as u64, ..Self::default() }
    }

    /// Whether all scores are decoded.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Number of decoded scores.
    pub fn n_scores(&self) -> u64 {
        self.n_scores
    }

    /// Whether all scores are decoded that are wanted.
    pub fn has_all(&self, wanted: &Wanted) -> bool {
        self.is_whole
            || !self.parts.is_empty() && {
                let strips: Vec<usize> =
                    (0..self.ends.len()).filter(|&strip| wanted.has_cols(self.cols(strip))).collect();
                let rows = self.parts.len() / self.ends.len();
                (0..rows).filter(|&row| wanted.has_row(row)).all(|row| strips.iter().all(|&strip| self.has(row, strip)))
            }
    }

    /// Whether the score at (row, column) is decoded.
    pub fn has_score(&self, row: usize, col: usize) -> bool {
        self.is_whole || !self.parts.is_empty() && self.has(row, self.ends.partition_point(|&end| end <= col))
    }

    /// Has the parts be those of `n_rows` rows and of strips with these ends, if they are not yet.
    pub(crate) fn begin(&mut self, n_rows: usize, ends: impl Iterator<Item = usize>) {
        if self.parts.is_empty() && !self.is_whole {
            self.ends = ends.collect();
            self.parts = BitVec::repeat(false, n_rows * self.ends.len());
        }
    }

    /// Whether a strip of a row is decoded.
    pub(crate) fn has(&self, row: usize, strip: usize) -> bool {
        self.is_whole || self.parts[row * self.ends.len() + strip]
    }

    /// Notes that a strip of a row is decoded.
    pub(crate) fn add(&mut self, row: usize, strip: usize) {
        if !self.has(row, strip) {
            self.parts.set(row * self.ends.len() + strip, true);
            self.n_scores += self.cols(strip).len() as u64;
            let all = self.parts.len() / self.ends.len() * self.ends.last().copied().unwrap_or(0);
            if self.n_scores == all as u64 {
                *self = Self::whole(all);
            }
        }
    }

    /// The columns of a strip.
    fn cols(&self, strip: usize) -> Range<usize> {
        strip.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[strip]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_a_whole() {
        let mut decoded = Decoded::default();
        let wanted = Wanted::of(vec![true, false], vec![false, false, true, true, false]);
        assert!(!decoded.has_all(&wanted) && !decoded.has_all(&Wanted::ALL) && !decoded.has_score(0, 0));
        decoded.begin(2, [2, 3, 5].into_iter());
        decoded.add(0, 1);
        assert!(decoded.has_score(0, 2) && !decoded.has_score(0, 3) && !decoded.has_all(&wanted));
        decoded.add(0, 2);
        decoded.add(0, 2);
        assert!(decoded.has_all(&wanted) && !decoded.has_all(&Wanted::ALL));
        assert!((decoded.n_scores(), decoded.is_whole()) == (3, false));
        [(0, 0), (1, 0), (1, 1), (1, 2)].into_iter().for_each(|(row, strip)| decoded.add(row, strip));
        assert!(decoded.is_whole() && decoded.n_scores() == 10 && decoded.has_all(&Wanted::ALL));
        assert!(decoded.has_score(1, 4) && decoded.has(1, 2));
    }
}
