//! Caribou Rules 2 to 5: in which order components are opened, and whether the reply is a doubledeal.

use crate::{Component, Position};

/// Boxes that each player gets from a position if it is opened in the order of Rules 2 to 4. Caribou Rule 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// A in the pseudo-code: boxes of the player who opens the next component.
    pub opener: u64,
    /// B in the pseudo-code: boxes of the other player.
    pub controller: u64,
}

impl Forecast {
    /// Boxes of the controller less those of the opener, the rules' estimate of v(G).
    pub(crate) fn margin(self) -> i64 {
        self.controller.cast_signed() - self.opener.cast_signed()
    }
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

/// True when the rules doubledeal (keep control) after `opened` has been opened in `g`. Caribou Rule 5.
///
/// # Panics
/// When `g` has no such component.
pub fn doubledeals(g: &Position, opened: Component) -> bool {
    forecast(&g.without(opened)).margin() > opened.handout()
}

fn rank(component: Component) -> u64 {
    component.n_boxes() - if component.is_loop() { 2 } else { 0 }
}

/// B − A with `count` ≥ 1 copies of a component put before play whose B − A is `margin` ≥ 0.
///
/// One copy is x ↦ n − h + |x − h|. Copies with n ≥ 2h add n − 2h each from the second on. The others (3, 4l, 6l) take 2h − n off
/// while x > h, and then reflect [n − h, h] in its middle.
fn put_before(component: Component, count: u64, margin: i64) -> i64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Component::{Chain, Loop};

    fn parse(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn order() {
        let order =
            |text: &str| -> String { opening_order(&parse(text)).iter().map(|(c, n)| format!("{c}*{n} ")).collect() };
        assert_eq!(order("0"), "");
        assert_eq!(order("3+4l"), "4l*1 3*1 ");
        assert_eq!(order("3^3+4l"), "4l*1 3*2 3*1 ");
        assert_eq!(order("3+4^2+4l+6l"), "4l*1 3*1 4*1 6l*1 4*1 ");
        assert_eq!(order("4l+6l^2"), "4l*1 6l*1 6l*1 ");
    }

    #[test]
    fn equal_components_in_constant_time() {
        for component in [Chain(3), Chain(4), Chain(7), Loop(4), Loop(6), Loop(8), Loop(12)] {
            for start in 0..30 {
                let mut margin = start;
                for count in 1..40 {
                    margin = component.opened(margin);
                    assert_eq!(put_before(component, count, start), margin, "{component}^{count} {start}");
                }
            }
        }
        assert_eq!(forecast(&parse("3^4000000000")).margin(), 2);
    }

    /// Rule 5 line by line; `simultaneous` false is the printed order of the assignments.
    fn pseudo_code(g: &Position, simultaneous: bool) -> (i64, i64) {
        let mut backwards: Vec<Component> = opening_order(g)
            .iter()
            .flat_map(|&(component, count)| std::iter::repeat_n(component, count as usize))
            .collect();
        let last = backwards.pop().unwrap();
        let (mut a, mut b) = (0, last.n_boxes().cast_signed());
        for component in backwards.into_iter().rev() {
            let (n, h) = (component.n_boxes().cast_signed(), component.handout());
            (a, b) = match (b > a + h, simultaneous) {
                (true, _) => (a + h, b + n - h),
                (false, true) => (b, a + n),
                (false, false) => (a + n, a + n),
            };
        }
        (a, b)
    }

    #[test]
    fn the_forecast_is_the_pseudo_code_with_simultaneous_updates() {
        for text in ["3", "3+4", "3^5", "3+4+4l", "3^9+4^2+4l^7+6l^4+10l", "4l^3+6l^5+8l^2", "3+4l^5+12"] {
            let f = forecast(&parse(text));
            let (a, b) = pseudo_code(&parse(text), true);
            assert_eq!((f.opener.cast_signed(), f.controller.cast_signed()), (a, b), "{text}");
        }
    }

    #[test]
    fn the_printed_pseudo_code_loses_boxes() {
        assert_eq!(pseudo_code(&parse("3+4l"), true), (3, 4));
        assert_eq!(pseudo_code(&parse("3+4l"), false), (4, 4));

        let family = crate::Family::all(40);
        let (mut wrong_margin, mut wrong_sum) = (0, 0);
        for rank in 1..family.n_positions() {
            let g = family.position(rank);
            let (right, printed) = (pseudo_code(&g, true), pseudo_code(&g, false));
            wrong_margin += u64::from(right.1 - right.0 != printed.1 - printed.0);
            wrong_sum += u64::from(printed.0 + printed.1 != g.size().cast_signed());
        }
        assert_eq!((wrong_margin, wrong_sum), (8_761, 9_293));
    }
}
