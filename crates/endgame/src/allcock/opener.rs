//! The component to open: Allcock Theorem 1.1.

use crate::{
    Component::{self, Chain},
    Position, Totals,
    controlled::controlled_value,
};

/// The standard move: a 3-chain if there is one, else a shortest loop, else a shortest chain; `None` when empty.
///
/// Allcock section 1.
pub(crate) fn standard_move(g: &Position) -> Option<Component> {
    let three_chain = Some(Chain(3)).filter(|c| g.contains(*c));
    three_chain.or(g.shortest_loop()).or(g.shortest_chain())
}

/// An optimal opening, `None` when empty. Allcock Theorem 1.1.
///
/// It is the shortest loop in the three exceptional cases, else the standard move. Where several openings are optimal the choice
/// may differ from [`buzzard_ciere::opening`](crate::buzzard_ciere::opening); see [`openings`](crate::openings) for all.
pub(crate) fn opening(g: &Position) -> Option<Component> {
    if opens_shortest_loop(g.totals()) { g.shortest_loop() } else { standard_move(g) }
}

fn opens_shortest_loop(g: Totals) -> bool {
    let f = g.n_four_loops;
    match controlled_value(g) {
        2.. => g.is_three_chain_and_loops(),
        // "4l + (anything except 3 + 3 + 3)": the exception is the whole rest.
        -1..=1 => f >= 1 && !g.is_threes_and_four_loop(3),
        // G = 4l + 3 + H without 3-chains in H, and 4 divides size(H).
        ..-1 => f >= 1 && g.n_three_chains == 1 && (g.size - 7).is_multiple_of(4),
    }
}
