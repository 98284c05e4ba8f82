//! The value by shape: Buzzard–Ciere section 4.1.
//!
//! | shape | source |
//! | --- | --- |
//! | empty, or c ≥ 2 | 0, or c (Lemma 15a) |
//! | no loops | Theorem 10 |
//! | no chains | Theorem 12 |
//! | no 3-chains | Corollary 22 |
//! | one 3-chain and loops | Corollary 24 |
//! | one 3-chain, another chain | Corollary 27 |
//! | two 3-chains or more | Corollary 30 |

use crate::{
    Component::{Chain, Loop},
    Totals,
    controlled::controlled_value,
};

/// v(G). Buzzard–Ciere's algorithm of section 4.1.
pub fn value(g: impl Into<Totals>) -> i64 {
    let g = g.into();
    let c = controlled_value(g);
    if g.is_empty() || c >= 2 {
        return c;
    }
    value_of_chains(g)
        .or_else(|| value_without_three_chains(g))
        .or_else(|| value_beside_three_chain(g))
        .or_else(|| value_with_one_three_chain(g))
        .or_else(|| value_with_three_chains(g))
        .expect("the shapes cover every position")
}

/// v(G) for chains only, at least one. Buzzard–Ciere Theorem 10.
pub(crate) fn value_of_chains(g: impl Into<Totals>) -> Option<i64> {
    let g = g.into();
    let c = controlled_value(g);
    let v = if c >= 1 { c } else { 2 - c.rem_euclid(2) };
    (g.n_chains() >= 1 && g.n_loops() == 0).then_some(v)
}

/// v(G) for loops only, and for the empty position. Buzzard–Ciere Theorem 12.
pub(crate) fn value_of_loops(g: impl Into<Totals>) -> Option<i64> {
    let g = g.into();
    if g.n_chains() > 0 {
        return None;
    }
    let c = controlled_value(g);
    if c >= 2 || g.is_empty() {
        return Some(c); // (a), (b)
    }
    if g.n_four_loops == 0 {
        return Some(two_or_four(c)); // (c)
    }
    let k = value_of_loops(g.minus_four_loops())?;
    Some(match k.rem_euclid(4) {
        2 => 2,
        // (d): 0 or 4, congruent to v(K) + 4f modulo 8
        _ => (k + 4 * (g.n_four_loops % 2).cast_signed()).rem_euclid(8),
    })
}

/// v(G) without 3-chains, and for the empty position. Buzzard–Ciere Corollary 22.
pub(crate) fn value_without_three_chains(g: impl Into<Totals>) -> Option<i64> {
    let g = g.into();
    if g.n_three_chains > 0 {
        return None;
    }
    let c = controlled_value(g);
    if c >= 2 || g.is_empty() {
        return Some(c); // (a)
    }
    if g.n_four_loops > 0 {
        let k = value_without_three_chains(g.minus_four_loops())?;
        return Some(add_four_loops(k, g.n_four_loops)); // (d)
    }
    Some(if g.is_odd() { 3 } else { two_or_four(c) }) // (b), (c)
}

/// v(G) for one 3-chain, no other chain, and at least one loop. Buzzard–Ciere Corollary 24.
pub(crate) fn value_beside_three_chain(g: impl Into<Totals>) -> Option<i64> {
    let g = g.into();
    if !g.is_three_chain_and_loops() {
        return None;
    }
    let c = controlled_value(g);
    if c >= 2 {
        return Some(c); // (a)
    }
    if value_of_loops(g.minus(Chain(3)))? == 2 {
        return Some(1); // (b)
    }
    if g.n_four_loops == 0 {
        return Some(3); // (c)
    }
    // (d): M may be the lone 3-chain, which (a) to (c) do not cover.
    let m = g.minus_four_loops();
    let v = if m.n_loops() == 0 { 3 } else { value_beside_three_chain(m)? };
    Some(add_four_loops(v, g.n_four_loops))
}

/// v(G) for one 3-chain and at least one longer chain. Buzzard–Ciere Corollary 27.
pub(crate) fn value_with_one_three_chain(g: impl Into<Totals>) -> Option<i64> {
    let g = g.into();
    if g.n_three_chains != 1 || g.n_longer_chains == 0 {
        return None;
    }
    let c = controlled_value(g);
    if c >= 2 {
        return Some(c); // (a)
    }
    if !g.is_odd() {
        return Some(zero_or_two(g)); // (b)
    }
    if value_without_three_chains(g.minus(Chain(3)))? == 2 {
        return Some(1); // (c)
    }
    if g.n_four_loops == 0 {
        return Some(3); // (d)
    }
    let k = value_with_one_three_chain(g.minus_four_loops())?;
    Some(add_four_loops(k, g.n_four_loops)) // (e)
}

/// v(G) for two 3-chains or more. Buzzard–Ciere Corollary 30.
pub(crate) fn value_with_three_chains(g: impl Into<Totals>) -> Option<i64> {
    let g = g.into();
    let c = controlled_value(g);
    (g.n_three_chains >= 2).then(|| {
        if c >= 2 {
            c // (a)
        } else if g.is_odd() {
            1 // (c)
        } else {
            zero_or_two(g) // (b)
        }
    })
}

/// The value once `f` 4-loops are put back, opening them being optimal, from `w` ≥ 0 without them; needs w − 4f ≤ 4.
///
/// x ↦ |4 − x| applied f times: with d = w mod 8, |4 − d| for odd f, 4 − |4 − d| for even f. Buzzard–Ciere Lemma 21.
pub(crate) fn add_four_loops(w: i64, f: u64) -> i64 {
    let from_four = (4 - w.rem_euclid(8)).abs();
    if f.is_multiple_of(2) { 4 - from_four } else { from_four }
}

/// 2 or 4, congruent to the even number c modulo 4.
fn two_or_four(c: i64) -> i64 {
    if c.rem_euclid(4) == 2 { 2 } else { 4 }
}

/// 0 if there is a 4-loop and c(G − 4l) = 4, else 2. The condition is not c(G) = 0: they differ at `3^2+4l`.
fn zero_or_two(g: Totals) -> i64 {
    if g.n_four_loops >= 1 && controlled_value(g.minus(Loop(4))) == 4 { 0 } else { 2 }
}
