//! Memory for the scores of a slab that is being computed or read.
//!
//! Large slabs have pages of an [`Arena`] or a map of their own, which goes back to the system at once. Allocators keep freed memory
//! for a while, and a few slabs of 50 MB each would exceed the bound of a solve.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bytemuck::{cast_slice, cast_slice_mut};

use crate::Arena;
use crate::arena::Extent;
use crate::maps::MmapMut;

/// Memory for scores, writable.
#[derive(Debug)]
pub struct Buffer {
    backing: Backing,
    len: usize,
}

#[derive(Debug)]
enum Backing {
    Heap(Vec<i8>),
    Map(MmapMut),
    Extent(Extent),
}

impl Default for Backing {
    fn default() -> Self {
        Self::Heap(Vec::new())
    }
}

impl Buffer {
    /// Bytes of the least buffer that is an extent where there is an arena. Smaller ones are left to the allocator, which is good at them,
    /// but takes half as much again where sizes are mixed.
    pub const LEAST_EXTENT: usize = 1 << 14;
    /// Bytes of the least buffer that is a map of its own elsewhere: a process may have some 65,000 of them.
    const LEAST_MAP: usize = 1 << 18;

    /// Scores that are all 0.
    pub fn new(len: usize) -> Self {
        // A system that has no maps left may still have memory.
        let map = if len < Self::LEAST_MAP { None } else { MmapMut::map_anon(len).ok() };
        Self { backing: map.map_or_else(|| Backing::Heap(vec![0; len]), Backing::Map), len }
    }

    /// Memory for `len` scores, which hold anything: from an arena if it is large.
    pub(crate) fn within(arena: &Arc<Arena>, len: usize) -> Self {
        let extent = if len < Self::LEAST_EXTENT { None } else { arena.take(len) };
        match extent {
            Some(extent) => Self { backing: Backing::Extent(extent), len },
            None => Self::new(len),
        }
    }

    /// The same memory for `len` scores, which hold anything; fresh memory if there is not enough.
    pub(crate) fn with_len(mut self, len: usize) -> Self {
        if len <= self.capacity() {
            self.len = len;
            return self;
        }
        Self::new(len)
    }

    /// Number of scores that the memory has room for, which is its bytes.
    pub(crate) fn capacity(&self) -> usize {
        match &self.backing {
            Backing::Heap(scores) => scores.len(),
            Backing::Map(map) => map.len(),
            Backing::Extent(extent) => extent.len(),
        }
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Self::new(0)
    }
}

impl From<Vec<i8>> for Buffer {
    fn from(scores: Vec<i8>) -> Self {
        Self { len: scores.len(), backing: Backing::Heap(scores) }
    }
}

impl Deref for Buffer {
    type Target = [i8];

    #[inline]
    fn deref(&self) -> &[i8] {
        let all = match &self.backing {
            Backing::Heap(scores) => scores,
            Backing::Map(map) => cast_slice(map),
            Backing::Extent(extent) => extent.scores(),
        };
        &all[..self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [i8] {
        let all = match &mut self.backing {
            Backing::Heap(scores) => scores,
            Backing::Map(map) => cast_slice_mut(map),
            Backing::Extent(extent) => extent.scores_mut(),
        };
        &mut all[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_look_alike() {
        let around = |len: usize| [len - 1, len, len + 1];
        for len in [0, 1].into_iter().chain(around(Buffer::LEAST_EXTENT)).chain(around(Buffer::LEAST_MAP)) {
            for buffer in [Buffer::new(len), Buffer::within(&Arc::default(), len)] {
                assert!(buffer.len() == len && buffer.capacity() >= len && buffer.iter().all(|&score| score == 0));
            }
            let mut buffer = Buffer::new(len);
            buffer.iter_mut().zip(0..).for_each(|(score, i)| *score = i as i8);
            assert!(buffer.iter().zip(0..).all(|(&score, i)| score == i as i8));
            let shorter = buffer.with_len(len / 2);
            assert_eq!((shorter.len(), shorter.capacity()), (len / 2, len));
            let longer = shorter.with_len(len + 1);
            assert!(longer.len() == len + 1 && longer.capacity() > len);
        }
    }
}
