//! The rules of the Caribou contest's page on Dots, as a player: Rules 2 to 4, a fixed order of opening, and Rule 5, whether to doubledeal.
//!
//! They are a heuristic: no fixed order is optimal (`3+4l` needs 4l first, `3^3+4l` needs 3 first). `tests/caribou.rs` counts how often and
//! by how much they lose. Rule 6, which is about boards, is in `dab/tests/turns.rs`.

use crate::{Component, Position};

/// Boxes that each player gets from a position if it is opened in the order of Rules 2 to 4. Caribou Rule 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// A in the pseudo-code: boxes of the player who opens the next component.
    pub opener: u64,
    /// B in the pseudo-code: boxes of the other player.
    pub controller: u64,
}

/// Components in the order in which the rules open them, with counts; a component appears twice when one copy is kept for last.
///
/// Caribou Rules 2, 3 and 4: the longest chain (without chains, the longest loop) goes last; before it the others ascend by n
/// for a chain and n − 2 for a loop. The page leaves ties open; here the chain goes first.
pub(crate) fn opening_order(g: &Position) -> Vec<(Component, u32)> {
    let Some(last) = g.longest_chain().or(g.longest_loop()) else { return Vec::new() };
    let mut order = g.without(last).multiset().to_vec();
    order.sort_by_key(|(component, _)| rank(*component));
    order.push((last, 1));
    order
}

/// The component that the rules open first, `None` when empty. Caribou Rules 2, 3 and 4.
pub fn opening(g: &Position) -> Option<Component> {
    opening_order(g).first().map(|entry| entry.0)
}

/// Boxes for each player when the rules are followed from `g` on. Caribou Rule 5, with simultaneous updates of A and B.
///
/// The page's pseudo-code goes backwards from the last component, n boxes and handout h at a time: doubledeal if B > A + h, then
/// (A, B) = (A + h, B + n − h); else (A, B) = (B, A + n). Lines (12)–(13) and (21)–(22) there overwrite B before A takes it;
/// the update must be simultaneous. Equal components are done together, in constant time.
pub fn forecast(g: &Position) -> Forecast {
    let margin = opening_order(g)
        .iter()
        .rev()
        .fold(0, |margin, &(component, count)| put_before(component, count.into(), margin))
        .cast_unsigned();
    Forecast { opener: (g.size() - margin) / 2, controller: (g.size() + margin) / 2 }
}

fn rank(component: Component) -> u64 {
    component.n_boxes() - if component.is_loop() { 2 } else { 0 }
}

/// B − A with `count` ≥ 1 copies of a component put before play whose B − A is `margin` ≥ 0.
///
/// One copy is x ↦ n − h + |x − h|. Copies with n ≥ 2h add n − 2h each from the second on. The others (3, 4l, 6l) take 2h − n off
/// while x > h, and then reflect [n − h, h] in its middle.
pub(crate) fn put_before(component: Component, count: u64, margin: i64) -> i64 {
    let (n, h) = (component.n_boxes().cast_signed(), component.handout());
    let x = component.opened(margin);
    let times = count - 1;
    if n >= 2 * h {
        return x + (n - 2 * h) * times.cast_signed();
    }
    let drop = 2 * h - n;
    let n_down = times.min((x - h + drop - 1).max(0).cast_unsigned() / drop.cast_unsigned());
    let x = x - drop * n_down.cast_signed();
    if (times - n_down).is_multiple_of(2) { x } else { n - x }
}
