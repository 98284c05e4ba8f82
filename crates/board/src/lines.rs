//! A set of lines: one bit a line, in canonical numbering.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Sub};

/// Index of a line in the canonical numbering of its board.
pub type LineIdx = usize;
/// Index of a box, row by row.
pub type BoxIdx = usize;

/// Most lines a board may have.
pub const MAX_LINES: usize = 128;

/// A set of lines of one board, or of strings of one graph; bit `i` stands for line `i`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSet(pub u128);

impl LineSet {
    /// The set without any line.
    pub const EMPTY: Self = Self(0);

    /// Lines `0..n`; `n` at most [`MAX_LINES`].
    pub const fn first(n: usize) -> Self {
        if n == 0 { Self(0) } else { Self(u128::MAX >> (MAX_LINES - n)) }
    }

    /// The set with just `line`.
    #[inline]
    pub const fn one(line: LineIdx) -> Self {
        Self(1 << line)
    }

    /// Whether `line` belongs to the set.
    #[inline]
    pub const fn has(self, line: LineIdx) -> bool {
        self.0 >> line & 1 == 1
    }

    /// The set together with `line`.
    #[inline]
    pub const fn with(self, line: LineIdx) -> Self {
        Self(self.0 | 1 << line)
    }

    /// Number of lines in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no line belongs to the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every line of the set belongs to `other`.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether the two sets share a line.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest line of the set.
    #[inline]
    pub const fn lowest(self) -> Option<LineIdx> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// The lines of the set in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = LineIdx> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let line = LineSet(rest).lowest()?;
            rest &= rest - 1;
            Some(line)
        })
    }
}

impl FromIterator<LineIdx> for LineSet {
    fn from_iter<I: IntoIterator<Item = LineIdx>>(lines: I) -> Self {
        lines.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl BitOr for LineSet {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for LineSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for LineSet {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for LineSet {
    type Output = Self;
    /// The lines of `self` that are not in `other`.
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for LineSet {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for LineSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines() {
        assert_eq!(LineSet::first(0), LineSet::EMPTY);
        assert_eq!(LineSet::first(3), LineSet(7));
        assert_eq!(LineSet::first(MAX_LINES).len(), MAX_LINES);
    }

    #[test]
    fn iterates_ascending_and_collects_back() {
        let set = LineSet(1 << 100 | 0b1011);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 1, 3, 100]);
        assert_eq!(set.iter().collect::<LineSet>(), set);
    }
}
