//! Small positions of value 0 and of value 4: Allcock Theorems 5.1 (corrected) and 5.2.
//!
//! They tell a player with a lead of 1 (or 3) boxes which endgames of fewer than 28 boxes to steer for. Theorem 5.1 as printed
//! has the hypothesis c < 2 and fails at c = 0, first at `3+5+4l`; it holds for c < 0, and c = 0 has a rule of its own.

use crate::{
    Component::{self, Chain, Loop},
    Position, Totals,
    controlled::controlled_value,
};

/// v(G) = 0, for 0 < size < 28 and c(G) < 0; `None` outside these bounds. Allcock Theorem 5.1 with c < 0 in place of c < 2.
///
/// The size bound is sharp: the rule fails at `4+4l+6l^2+8l`, size 28.
pub(crate) fn is_small_zero(g: &Position) -> Option<bool> {
    let c = controlled_value(g);
    if g.is_empty() || g.size() >= 28 || c >= 0 {
        return None;
    }
    let totals = g.totals();
    let listed =
        is(g, [(Chain(4), 1), (Loop(4), 1), (Loop(6), 2)]) || is(g, [(Chain(4), 2), (Loop(4), 1), (Loop(6), 2)]);
    let general = totals.n_three_chains == 0
        && totals.n_four_loops >= 1
        && c.rem_euclid(8) == 0
        && !is(g, [(Chain(4), 1), (Loop(4), 2), (Loop(6), 2)]);
    Some(listed || general)
}

/// v(G) = 0, for nonempty positions of any size with c(G) = 0, else `None`: iff there is a 4-loop and G is not `3^2+4l`.
///
/// The missing half of Allcock Theorem 5.1; follows from Theorem 4.1.
pub(crate) fn is_zero_at_zero(g: impl Into<Totals>) -> Option<bool> {
    let g = g.into();
    let applies = !g.is_empty() && controlled_value(g) == 0;
    applies.then(|| g.n_four_loops >= 1 && !g.is_threes_and_four_loop(2))
}

/// v(G) = 4, for size < 28 and c(G) < 2; `None` outside these bounds. Allcock Theorem 5.2.
pub(crate) fn is_small_four(g: &Position) -> Option<bool> {
    let c = controlled_value(g);
    if g.size() >= 28 || c >= 2 {
        return None;
    }
    let general = g.totals().n_three_chains == 0
        && c.rem_euclid(8) == 4
        && !is(g, [(Chain(4), 1), (Loop(4), 1), (Loop(6), 2)])
        && !is(g, [(Chain(4), 2), (Loop(4), 1), (Loop(6), 2)]);
    let listed = (1..=3).any(|n| is(g, [(Chain(4), n), (Loop(6), 2)]))
        || is(g, [(Chain(4), 1), (Loop(4), 2), (Loop(6), 2)])
        || is(g, [(Chain(4), 1), (Loop(6), 2), (Loop(8), 1)])
        || is(g, [(Chain(6), 1), (Loop(6), 3)])
        || is(g, [(Loop(6), 4)]);
    Some(general || listed)
}

fn is<const N: usize>(g: &Position, multiset: [(Component, u32); N]) -> bool {
    g.multiset() == multiset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn hypotheses() {
        assert_eq!(is_small_zero(&parse("0")), None);
        assert_eq!(is_small_zero(&parse("4l^2")), None);
        assert_eq!(is_small_zero(&parse("4+4l+6l^2+8l")), None);
        assert_eq!(is_zero_at_zero(&parse("0")), None);
        assert_eq!(is_zero_at_zero(&parse("4l")), None);
        assert_eq!(is_small_four(&parse("4l")), None);
        assert_eq!(is_small_four(&parse("4l^7")), None);
    }
}
