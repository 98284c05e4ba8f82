//! The two halves that the waist separates, and values that exist once for each of them.

use std::ops::{Index, IndexMut};

/// A side of the waist. Configurations of the upper half are rows of a slab, those of the lower half its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Half {
    /// Rows.
    Upper,
    /// Columns.
    Lower,
}

impl Half {
    /// Both halves, the upper one first.
    pub const BOTH: [Self; 2] = [Self::Upper, Self::Lower];

    /// The half that this one becomes under a symmetry that swaps the halves, or does not.
    #[inline]
    pub fn swapped_if(self, swaps: bool) -> Self {
        Self::BOTH[usize::from(swaps) ^ self as usize]
    }
}

/// A value for the upper half and one for the lower half, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerHalf<T>(pub [T; 2]);

impl<T> PerHalf<T> {
    /// The values that `value` has for each half, asked for the upper one first.
    #[inline]
    pub fn from_fn(value: impl FnMut(Half) -> T) -> Self {
        Self(Half::BOTH.map(value))
    }

    /// Each value replaced by another one.
    #[inline]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> PerHalf<U> {
        PerHalf(self.0.map(f))
    }

    /// The values by reference.
    #[inline]
    pub fn each_ref(&self) -> PerHalf<&T> {
        PerHalf(self.0.each_ref())
    }

    /// The value of the upper half, then that of the lower one.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T> Index<Half> for PerHalf<T> {
    type Output = T;

    #[inline]
    fn index(&self, half: Half) -> &T {
        &self.0[half as usize]
    }
}

impl<T> IndexMut<Half> for PerHalf<T> {
    #[inline]
    fn index_mut(&mut self, half: Half) -> &mut T {
        &mut self.0[half as usize]
    }
}
