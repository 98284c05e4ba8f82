//! The queue of the pieces of a layer: which process solves which piece.
//!
//! Neighbouring pieces read much the same slabs. So each process gets neighbours, in proportion to its threads, and the
//! largest first. A process that is done with its share takes from the process that has most left.

use std::cmp::Reverse;
use std::collections::VecDeque;

/// A piece, with its positions.
pub type Sized = (usize, u64);

/// Pieces that are not handed out yet, a share for each process.
#[derive(Debug, Default)]
pub struct Queue {
    shares: Vec<Share>,
}

#[derive(Debug, Default)]
struct Share {
    positions: u64,
    pieces: VecDeque<Sized>,
}

impl Queue {
    /// Shares pieces out among processes with so many threads each.
    pub fn new(pieces: &[Sized], threads: &[usize]) -> Self {
        let mut shares: Vec<Share> = threads.iter().map(|_| Share::default()).collect();
        let n_threads: usize = threads.iter().sum();
        let positions: u128 = pieces.iter().map(|&(_, positions)| u128::from(positions)).sum();
        let (mut rank, mut ranked, mut before) = (0, threads.first().copied().unwrap_or(0), 0);
        for &(piece, size) in pieces {
            // The middle of the piece decides.
            let middle = before + u128::from(size) / 2;
            while rank + 1 < threads.len() && middle * n_threads as u128 >= positions * ranked as u128 {
                rank += 1;
                ranked += threads[rank];
            }
            shares[rank].positions += size;
            shares[rank].pieces.push_back((piece, size));
            before += u128::from(size);
        }
        for share in &mut shares {
            share.pieces.make_contiguous().sort_by_key(|&(_, positions)| Reverse(positions));
        }
        Self { shares }
    }

    /// The next piece for a process, if any is left.
    pub fn take(&mut self, rank: usize) -> Option<Sized> {
        let own = &self.shares[rank];
        let from = if own.pieces.is_empty() { self.fullest()? } else { rank };
        let share = &mut self.shares[from];
        let taken = share.pieces.pop_front()?;
        share.positions -= taken.1;
        Some(taken)
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.shares.iter().all(|share| share.pieces.is_empty())
    }

    fn fullest(&self) -> Option<usize> {
        (0..self.shares.len()).max_by_key(|&rank| self.shares[rank].positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_taken_once() {
        for threads in [vec![1], vec![1, 1], vec![0, 2, 1], vec![4, 0, 0]] {
            let pieces: Vec<Sized> = (0..50).map(|piece| (piece, 1 + (piece as u64 * 7) % 13)).collect();
            let mut queue = Queue::new(&pieces, &threads);
            let mut taken = Vec::new();
            let mut rank = 0;
            while let Some((piece, _)) = queue.take(rank) {
                taken.push(piece);
                rank = (rank + 1) % threads.len();
            }
            assert!(queue.is_empty());
            taken.sort_unstable();
            assert_eq!(taken, (0..50).collect::<Vec<_>>(), "{threads:?}");
        }
    }

    #[test]
    fn shares_are_neighbours_and_the_largest_come_first() {
        let pieces = [(0, 5), (1, 9), (2, 1), (3, 20), (4, 20)];
        let mut queue = Queue::new(&pieces, &[1, 2]);
        assert_eq!((0..3).map(|_| queue.take(0)).collect::<Vec<_>>(), [Some((1, 9)), Some((0, 5)), Some((2, 1))]);
        // Nothing is left but the share of the other one.
        assert_eq!((queue.take(0), queue.take(1), queue.take(1)), (Some((3, 20)), Some((4, 20)), None));
    }
}
