//! The controlled value c(G): the net of a controller who (almost) always keeps control.
//!
//! Berlekamp's invention, in Allcock's form: c(G) = size − 4·chains − 8·loops + tb(G). It is easy to compute in the head, never
//! above the value, and equal to it from 2 upwards; below 2 all theorems start from it.

use crate::{Component, Position, Totals};

/// tb(G): 0 when empty; 8 for loops only; 6 for loops and chains when all chains are 3-chains; else 4.
///
/// Allcock equation (2). It is the last component, taken whole, that the formula for c(G) corrects for.
pub(crate) fn terminal_bonus(g: impl Into<Totals>) -> i64 {
    let g = g.into();
    if g.is_empty() {
        0
    } else if g.n_chains() == 0 {
        8
    } else if g.n_loops() >= 1 && g.n_longer_chains == 0 {
        6
    } else {
        4
    }
}

/// c(G) = size − 4·chains − 8·loops + tb(G), for the controller; may be negative. Allcock equation (1).
pub fn controlled_value(g: impl Into<Totals>) -> i64 {
    let g = g.into();
    g.surplus + terminal_bonus(g)
}

/// fcv(G) = size − 4·chains − 8·loops, the net of a controller who keeps control to the very end and gives the handout of the last
/// component away, too. Buzzard–Ciere section 3.
pub fn fully_controlled_value(g: impl Into<Totals>) -> i64 {
    g.into().surplus
}

/// The control strategy of Allcock Theorem 2.1, once `opened` = C has been opened in `g`: true to keep control.
///
/// She gives up control if and only if tb(G − C) < tb(G): for the last component, and for a loop that leaves only 3-chains;
/// after that she plays optimally. This guarantees c(G), and against the best opener it yields exactly c(G).
///
/// # Panics
/// When `g` has no such component.
pub(crate) fn control_strategy_keeps(g: impl Into<Totals>, opened: Component) -> bool {
    let g = g.into();
    terminal_bonus(g.minus(opened)) >= terminal_bonus(g)
}

/// Net of a controller who follows the control strategy against the best opener, by one step of its recursion.
///
/// `kept` gives the same net for a smaller position, and `value` the value v of a position of 3-chains, in which play goes on
/// optimally after control has been given up. Theorem 2.1 says that c(G) solves this recursion.
pub(crate) fn control_strategy_step(
    g: &Position,
    kept: impl Fn(Totals) -> i64,
    value: impl Fn(Component) -> i64,
) -> i64 {
    let net = |component: Component| {
        let n = component.n_boxes().cast_signed();
        if control_strategy_keeps(g, component) {
            n - 2 * component.handout() + kept(g.totals().minus(component))
        } else {
            n - value(component)
        }
    };
    g.components().map(net).min().unwrap_or(0)
}
