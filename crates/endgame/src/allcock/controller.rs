//! Whether the controller keeps control: Allcock Theorems 1.3, 1.4 and 1.5.

use crate::{
    Component::{self, Chain, Loop},
    Totals,
    controlled::controlled_value,
};

/// True when the controller should keep control after `opened` = C has been opened in `g`, false when she should give it up.
///
/// Allcock Theorem 1.3: keep control iff v(G − C) is above the handout, 4 for a loop and 2 for a chain. At equality both are
/// optimal and this says give up; [`openings::Reply`](crate::openings::Reply) tells equality apart.
///
/// # Panics
/// When `g` has no such component.
pub(crate) fn keeps_control(g: impl Into<Totals>, opened: Component) -> bool {
    let rest = g.into().minus(opened);
    match opened {
        Chain(_) => is_above_two(rest),
        Loop(_) => is_above_four(rest),
    }
}

/// v(G) > 4. Allcock Theorem 1.4: iff c(G) > 4.
pub(crate) fn is_above_four(g: impl Into<Totals>) -> bool {
    controlled_value(g) > 4
}

/// v(G) > 2. Allcock Theorem 1.5; the statement is for nonempty positions, the empty one is false.
pub(crate) fn is_above_two(g: impl Into<Totals>) -> bool {
    let g = g.into();
    let c = controlled_value(g);
    let f = g.n_four_loops;
    // c + 4f is the controlled value without the 4-loops: it tells how far they carry.
    let without_four_loops = c + 4 * f.cast_signed();
    let shape = match g.n_three_chains {
        0 => g.size % 4 != 2,
        1 => g.size % 4 == 3,
        _ => false,
    };
    let bounces =
        (without_four_loops > 2 && matches!(c.rem_euclid(8), 3..=5)) || (without_four_loops < 2 && f.is_multiple_of(2));
    !g.is_empty() && (c > 2 || (shape && bounces))
}
