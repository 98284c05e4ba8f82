//! Amalgamation: several long components merged into one of the same value. Buzzard–Ciere section 7.
//!
//! A controller who keeps control nets n − 4 from each chain and n − 8 from each loop, so chains of 4 or more merge as
//! a, b → a + b − 4 and loops of 8 or more as a, b → a + b − 8. Value and controlled value stay the same, and so does the
//! optimality of every opening in the rest; openings *among the merged* components do not carry over (4 is optimal in `4^2+6l`
//! but not in `4+6l`).

use crate::{
    Component::{self, Chain, Loop},
    Position,
};

/// All chains of 4 or more merged into one of 4 + Σ(n − 4). Buzzard–Ciere Proposition 4, Corollary 5, Lemma 6.
pub(crate) fn amalgamate_chains(g: &Position) -> Position {
    merge(g, Chain(4), Chain)
}

/// All loops of 8 or more merged into one of 8 + Σ(n − 8). Buzzard–Ciere Proposition 7, Corollary 8, Lemma 9.
pub(crate) fn amalgamate_loops(g: &Position) -> Position {
    merge(g, Loop(8), Loop)
}

/// Merges the components of the kind of `shortest` that are at least as long; `shortest` is the one that adds nothing.
fn merge(g: &Position, shortest: Component, kind: fn(u64) -> Component) -> Position {
    let merges = |component: Component| component.is_loop() == shortest.is_loop() && component >= shortest;
    let least = shortest.n_boxes();
    let mut merged = None;
    for &(component, count) in g.multiset().iter().filter(|entry| merges(entry.0)) {
        *merged.get_or_insert(least) += (component.n_boxes() - least) * u64::from(count);
    }
    let rest = g.multiset().iter().copied().filter(|entry| !merges(entry.0));
    Position::from_multiset(rest.chain(merged.map(|n| (kind(n), 1)))).expect("amalgamation makes no position larger")
}
