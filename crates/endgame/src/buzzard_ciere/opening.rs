//! The component to open: Buzzard–Ciere section 4.2.
//!
//! | shape | source |
//! | --- | --- |
//! | no chains, or no loops | the shortest component (Corollary 3) |
//! | no 3-chains | the shortest loop (Theorem 18) |
//! | one 3-chain and loops | Theorem 23 |
//! | one 3-chain, another chain | Theorem 25 |
//! | two 3-chains or more | Theorem 29 |

use super::value::{value_of_loops, value_without_three_chains};
use crate::{
    Component::{self, Chain, Loop},
    Position,
    controlled::controlled_value,
};

/// An optimal opening, `None` when empty. Buzzard–Ciere's algorithm of section 4.2.
pub(crate) fn opening(g: &Position) -> Option<Component> {
    opening_one_kind(g)
        .or_else(|| opening_without_three_chains(g))
        .or_else(|| opening_beside_three_chain(g))
        .or_else(|| opening_with_one_three_chain(g))
        .or_else(|| opening_with_three_chains(g))
}

/// An optimal opening for chains only or loops only: a shortest component. Buzzard–Ciere Corollary 3.
pub(crate) fn opening_one_kind(g: &Position) -> Option<Component> {
    match (g.shortest_chain(), g.shortest_loop()) {
        (Some(_), Some(_)) => None,
        (chain, none) => chain.or(none),
    }
}

/// An optimal opening without 3-chains and with a loop: the shortest loop. Buzzard–Ciere Theorem 18.
pub(crate) fn opening_without_three_chains(g: &Position) -> Option<Component> {
    g.shortest_loop().filter(|_| g.totals().n_three_chains == 0)
}

/// An optimal opening for one 3-chain, no other chain, and at least one loop. Buzzard–Ciere Theorem 23.
///
/// With G = 3 + H and H = K + L, L the shortest loop: the 3-chain if v(H) = 2, or if L is a 6-loop and v(K) = 2; else L.
pub(crate) fn opening_beside_three_chain(g: &Position) -> Option<Component> {
    if !g.totals().is_three_chain_and_loops() {
        return None;
    }
    let h = g.totals().minus(Chain(3));
    let shortest = g.shortest_loop()?;
    let three = value_of_loops(h)? == 2 || (shortest == Loop(6) && value_of_loops(h.minus(shortest))? == 2);
    Some(if three { Chain(3) } else { shortest })
}

/// An optimal opening for one 3-chain and at least one longer chain. Buzzard–Ciere Theorem 25.
///
/// The 4-loop if c(G) ≤ 1, there is one, and with G = H + 3 + 4l: c(H + 3) = 4 or v(H + 4l) is 0 or 4. Else the 3-chain.
pub(crate) fn opening_with_one_three_chain(g: &Position) -> Option<Component> {
    let totals = g.totals();
    if totals.n_three_chains != 1 || totals.n_longer_chains == 0 {
        return None;
    }
    let four_loop = controlled_value(g) <= 1
        && totals.n_four_loops >= 1
        && (controlled_value(totals.minus(Loop(4))) == 4
            || matches!(value_without_three_chains(totals.minus(Chain(3)))?, 0 | 4));
    Some(if four_loop { Loop(4) } else { Chain(3) })
}

/// An optimal opening for two 3-chains or more. Buzzard–Ciere Theorem 29.
///
/// The 4-loop if there is one and, with G = H + 3 + 4l, one of c(H + 3), c(H + 4l) and c(H) is 4. Else the 3-chain.
pub(crate) fn opening_with_three_chains(g: &Position) -> Option<Component> {
    let totals = g.totals();
    if totals.n_three_chains < 2 {
        return None;
    }
    let four_loop = totals.n_four_loops >= 1 && {
        let without_chain = totals.minus(Chain(3));
        [totals.minus(Loop(4)), without_chain, without_chain.minus(Loop(4))].map(controlled_value).contains(&4)
    };
    Some(if four_loop { Loop(4) } else { Chain(3) })
}
