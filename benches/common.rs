//! Solved boards, and random positions of them, for all benchmarks.

use dab_board::{LineSet, Position};
use dab_solve::solve;
use dab_space::{Rules, Space, SpaceKind};
use dab_store::MemoryStore;

/// The quiet space of the empty board, and every score of it.
///
/// # Panics
/// As [`space`], or if memory runs out.
pub fn solved(board: &str) -> (Space, MemoryStore) {
    let space = space(board);
    let scores = MemoryStore::new(space.n_layers());
    solve(&space, Rules { penalty: 0, marks: false }, &scores, u64::MAX, &()).expect("a small board fits in memory");
    (space, scores)
}

/// The quiet space of the empty board.
///
/// # Panics
/// If there is no such board, or it has too many lines.
pub fn space(board: &str) -> Space {
    let start: Position = board.parse().expect("the name of a board");
    Space::new(start, SpaceKind::Quiet).expect("a board that can be indexed")
}

/// Every line drawn or not with even odds: always the same `n` positions.
pub fn random_positions(space: &Space, n: usize) -> Vec<LineSet> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        // Marsaglia's xorshift64.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        LineSet(state.into())
    };
    let all = space.layout().units().start().board().all();
    (0..n).map(|_| next() & all).collect()
}
