//! The value as a process: Allcock Theorem 4.2.
//!
//! When G has no 3-chain, or one and size ≡ 3 (mod 4), opening the 4-loops, then the spare 3-chain, then the 6-loops is optimal.
//! The core G₀ is left, and its value is its controlled value. The opened components are put back one by one:
//!
//! ```text
//! v(G) = Φ^f Θ^θ' Σ^s (c(G₀))     Σ(x) = |x − 4| + 2   Θ(x) = x − 1   Φ(x) = |x − 4|
//! ```
//! Σ and Φ are iterated in constant time: they step down (by 2, by 4) until x ≤ 4 and then reflect ([2, 4] in 3, [0, 4] in 2).

use crate::{Component::Chain, Totals, controlled::controlled_value};

/// Σ applied `times` times to x ≥ 0: each puts one 6-loop back. Σ(x) = |x − 4| + 2.
pub(crate) fn iterate_sigma(x: i64, times: u64) -> i64 {
    if times == 0 {
        return x;
    }
    // Only the first step can start below 2.
    let (x, times) = if x < 2 { (6 - x, times - 1) } else { (x, times) };
    let n_down = times.min(((x - 3) / 2).cast_unsigned());
    let x = x - 2 * n_down.cast_signed();
    if (times - n_down).is_multiple_of(2) { x } else { 6 - x }
}

/// Φ applied `times` times to x ≥ 0: each puts one 4-loop back. Φ(x) = |x − 4|.
pub(crate) fn iterate_phi(x: i64, times: u64) -> i64 {
    let n_down = times.min(((x - 1).max(0) / 4).cast_unsigned());
    let x = x - 4 * n_down.cast_signed();
    if (times - n_down).is_multiple_of(2) { x } else { 4 - x }
}

/// The core G₀: the loops of 8 or more and the chains of 4 or more; without such a chain, also the 3-chain if there is one.
///
/// `None` when there are two or more 3-chains, for which no core is defined. Allcock section 4.
pub(crate) fn core(g: impl Into<Totals>) -> Option<Totals> {
    let g = g.into();
    if g.n_three_chains > 1 {
        return None;
    }
    let core = g.minus_four_loops().minus_six_loops();
    let spare = g.n_three_chains == 1 && g.n_longer_chains >= 1;
    Some(if spare { core.minus(Chain(3)) } else { core })
}

/// Case (3) of Allcock Theorem 4.2 alone: Φ^f Θ^θ' Σ^s (c(G₀)), or `None` when neither θ = 0 nor (θ = 1 and size ≡ 3 mod 4).
///
/// Right wherever it applies, for every c(G), and on the empty position too.
pub(crate) fn process(g: impl Into<Totals>) -> Option<i64> {
    let g = g.into();
    let core = core(g)?;
    if g.n_three_chains == 1 && g.size % 4 != 3 {
        return None;
    }
    let x = iterate_sigma(controlled_value(core), g.n_six_loops);
    let x = if core.n_three_chains < g.n_three_chains { x - 1 } else { x }; // Θ
    Some(iterate_phi(x, g.n_four_loops))
}

/// v(G). Allcock Theorem 4.2; unlike in Theorem 4.1 the order of the cases does not matter.
pub(crate) fn procedural_value(g: impl Into<Totals>) -> i64 {
    let g = g.into();
    let c = controlled_value(g);
    if let Some(v) = process(g) {
        v
    } else if c >= 2 {
        c
    } else if c == 0 && g.n_four_loops >= 1 && !g.is_threes_and_four_loop(2) {
        0
    } else {
        2 - (g.size % 2).cast_signed()
    }
}
