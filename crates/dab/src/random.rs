//! Random choices that can be repeated.

use dab_board::Position;

/// Random numbers that depend on a position and a seed alone.
pub(crate) fn random_of(position: &Position, seed: u64) -> fastrand::Rng {
    let drawn = position.drawn().0;
    fastrand::Rng::with_seed(seed ^ drawn as u64 ^ (drawn >> 64) as u64)
}
