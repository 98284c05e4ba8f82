//! Memory for the scores of a slab that is being computed or read.
//!
//! Large slabs have a map of their own, which goes back to the system at once: allocators keep what is freed for a while,
//! and a few slabs of 50 MB each would be beyond what a solve may use.

use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use crate::cast::{scores_of, scores_of_mut};

/// Scores that can be written; large or small, they look alike.
#[derive(Debug)]
pub struct Buffer {
    backing: Backing,
    len: usize,
}

#[derive(Debug)]
enum Backing {
    Heap(Vec<i8>),
    Map(MmapMut),
}

impl Buffer {
    /// Bytes of the least buffer that is a map; smaller ones are left to the allocator, which is good at them.
    pub const LEAST_MAP: usize = 1 << 18;

    /// Scores that are all 0.
    pub fn new(len: usize) -> Self {
        // A system that has no maps left may still have memory.
        let map = if len < Self::LEAST_MAP { None } else { MmapMut::map_anon(len).ok() };
        Self { backing: map.map_or_else(|| Backing::Heap(vec![0; len]), Backing::Map), len }
    }

    /// The same memory for another number of scores, which hold anything; fresh memory if there is not enough of it.
    pub fn with_len(self, len: usize) -> Self {
        if len <= self.capacity() { Self { len, ..self } } else { Self::new(len) }
    }

    /// Scores that there is room for.
    pub fn capacity(&self) -> usize {
        match &self.backing {
            Backing::Heap(scores) => scores.len(),
            Backing::Map(map) => map.len(),
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

    fn deref(&self) -> &[i8] {
        let all = match &self.backing {
            Backing::Heap(scores) => scores,
            Backing::Map(map) => scores_of(map),
        };
        &all[..self.len]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [i8] {
        let all = match &mut self.backing {
            Backing::Heap(scores) => scores,
            Backing::Map(map) => scores_of_mut(map),
        };
        &mut all[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_look_alike() {
        for len in [0, 1, Buffer::LEAST_MAP - 1, Buffer::LEAST_MAP, Buffer::LEAST_MAP + 1] {
            let mut buffer = Buffer::new(len);
            assert!(buffer.len() == len && buffer.capacity() >= len && buffer.iter().all(|&score| score == 0));
            buffer.iter_mut().zip(0..).for_each(|(score, i)| *score = i as i8);
            assert!(buffer.iter().zip(0..).all(|(&score, i)| score == i as i8));
            let shorter = buffer.with_len(len / 2);
            assert_eq!((shorter.len(), shorter.capacity()), (len / 2, len));
            let longer = shorter.with_len(len + 1);
            assert!(longer.len() == len + 1 && longer.capacity() > len);
        }
    }
}
