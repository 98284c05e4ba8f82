//! Play before the endgame: the goals of a player with a small lead (Allcock section 5), and small positions of value 0, of value 4 and of
//! value 3: Theorems 5.1 (corrected), 5.2, and one that the paper sought in vain.
//!
//! The theorems tell a player with a lead of 1 (or 3, or 2) boxes which endgames of fewer than 28 boxes to steer for. Theorem 5.1 as printed
//! has the hypothesis c < 2 and fails at c = 0, first at `3+5+4l`; it holds for c < 0, and c = 0 has a rule of its own.

use crate::{
    Component::{self, Chain, Loop},
    Position, Totals,
    controlled::controlled_value,
};

/// A shape of the endgame with which its opener wins a game in which she has some lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The shape in words.
    pub text: &'static str,
    /// Whether the endgame has it.
    pub holds: bool,
}

/// The goals of a player who leads by 1, 2 or 3 boxes and has to open G: each of them wins, and nothing else does. Allcock section 5.
///
/// Empty where the advice does not reach: for other leads, for c(G) ≥ 2, where v = c, for the empty position, and where lead and size
/// are both odd or both even, so that games can be tied. The case of a lead of 2 is corrected: one 3-chain wins if the size is *not*
/// 3 modulo 4.
pub fn goals(g: impl Into<Totals>, lead: u64) -> Vec<Goal> {
    let g = g.into();
    let (c, theta, f, size) = (controlled_value(g), g.n_three_chains, g.n_four_loops, g.size);
    if g.is_empty() || c >= 2 || size % 2 == lead % 2 {
        return Vec::new();
    }
    let few_six_loops = c + 4 * f.cast_signed() >= 2;
    let (of_eight, f_is_odd) = (c.rem_euclid(8), f % 2 == 1);
    let goal = |text, holds| Goal { text, holds };
    match lead {
        1 => vec![
            goal("c = 0 and a 4-loop, but not 3^2+4l", c == 0 && f > 0 && !g.is_threes_and_four_loop(2)),
            goal("no 3-chain, c divisible by 8, c + 4f >= 2", theta == 0 && of_eight == 0 && few_six_loops),
            goal(
                "no 3-chain, size divisible by 4, an odd number f of 4-loops, c + 4f < 2",
                theta == 0 && size.is_multiple_of(4) && f_is_odd && !few_six_loops,
            ),
        ],
        2 => vec![
            goal("two 3-chains", theta >= 2),
            goal("a 3-chain, and the size is not 3 modulo 4", theta == 1 && size % 4 != 3),
            goal("c is 1 or -1 modulo 8, c + 4f >= 2", matches!(of_eight, 1 | 7) && few_six_loops),
            goal("an odd number f of 4-loops, c + 4f < 2", f_is_odd && !few_six_loops),
        ],
        3 => vec![
            goal("a 3-chain", theta > 0),
            goal("the size is 2 modulo 4", size % 4 == 2),
            goal("c divisible by 8, c + 4f >= 2", of_eight == 0 && few_six_loops),
            goal("an odd number f of 4-loops, c + 4f < 2", f_is_odd && !few_six_loops),
        ],
        _ => Vec::new(),
    }
}

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

/// v(G) = 3, for odd size < 28 and c(G) < 2; `None` outside these bounds.
///
/// Iff θ = 0, or θ = 1 and the size is 3 modulo 4, and c is ±3 modulo 8. The exceptions, 25 of 422, all have two 6-loops or more: G without
/// its 4-chains, 4-loops and 8-loops is one of five positions, and then the number of 4-loops is even in place of c. The bound is
/// sharp: the rule fails at `5+6+6l^3`, size 29.
pub(crate) fn is_small_three(g: &Position) -> Option<bool> {
    (g.size() % 2 == 1 && g.size() < 28 && controlled_value(g) < 2).then(|| is_three_if_small(g))
}

/// The rule without its bounds.
pub(crate) fn is_three_if_small(g: &Position) -> bool {
    let (totals, c) = (g.totals(), controlled_value(g));
    let may_be = totals.n_three_chains == 0 || totals.n_three_chains == 1 && g.size() % 4 == 3;
    let rest = g.multiset().iter().filter(|entry| !matches!(entry.0, Chain(4) | Loop(4 | 8)));
    let is_exception = matches!(
        *rest.copied().collect::<Vec<_>>(),
        [(Chain(3 | 5), 1), (Loop(6), 2)]
            | [(Chain(5 | 7), 1), (Loop(6), 3)]
            | [(Chain(3), 1), (Chain(6), 1), (Loop(6), 3)]
    );
    let is_three = if is_exception { totals.n_four_loops.is_multiple_of(2) } else { matches!(c.rem_euclid(8), 3 | 5) };
    may_be && is_three
}

fn is<const N: usize>(g: &Position, multiset: [(Component, u32); N]) -> bool {
    g.multiset() == multiset
}
