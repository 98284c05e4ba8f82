//! The complete answer for a position: every optimal opening, and the controller's reply to each.
//!
//! Opening C is optimal iff v(G; C) = v(G). Both come from v of G and of the G − C, here by Allcock Theorem 4.1, so the cost is
//! proportional to the number of distinct components.

use std::fmt;

use crate::{Component, Position, Totals, allcock};

/// The controller's reply to an opened component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// Leave the handout (2 boxes of a chain, 4 of a loop); the opener must open again.
    Keep,
    /// Take every box, and become the opener.
    GiveUp,
    /// Both are optimal.
    Either,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reply::Keep => "keep",
            Reply::GiveUp => "give up",
            Reply::Either => "either",
        })
    }
}

/// v(G; C): the value once `opened` has been opened in `g`. Allcock equation (3), Theorem 4.1.
///
/// # Panics
/// When `g` has no such component.
pub(crate) fn opened_value(g: impl Into<Totals>, opened: Component) -> i64 {
    opened.opened(allcock::value(g.into().minus(opened)))
}

/// All optimal openings, chains ascending then loops ascending; empty for the empty position. Allcock equation (4), Theorem 4.1.
pub fn optimal_openings(g: &Position) -> Vec<Component> {
    let v = allcock::value(g);
    g.components().filter(|c| opened_value(g, *c) == v).collect()
}

/// Every optimal reply to `opened` in `g`: v(G − C) against the handout. Buzzard–Ciere section 5, Allcock Theorem 4.1.
///
/// # Panics
/// When `g` has no such component.
pub(crate) fn reply(g: impl Into<Totals>, opened: Component) -> Reply {
    let rest = allcock::value(g.into().minus(opened));
    match rest.cmp(&opened.handout()) {
        std::cmp::Ordering::Less => Reply::GiveUp,
        std::cmp::Ordering::Equal => Reply::Either,
        std::cmp::Ordering::Greater => Reply::Keep,
    }
}

/// For each distinct component the controller's optimal replies if it is opened, in the order of the position.
pub fn replies(g: &Position) -> Vec<(Component, Reply)> {
    g.components().map(|c| (c, reply(g, c))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, openings: &str, expected_replies: &str) {
        let g: Position = text.parse().unwrap();
        let open: Vec<_> = optimal_openings(&g).iter().map(ToString::to_string).collect();
        assert_eq!(open.join(","), openings, "{text}");
        let all: Vec<_> = replies(&g).iter().map(|(c, r)| format!("{c} {r}")).collect();
        assert_eq!(all.join(", "), expected_replies, "{text}");
    }

    #[test]
    fn by_hand() {
        check("0", "", "");
        check("7", "7", "7 give up");
        check("3+4l", "4l", "3 keep, 4l give up");
        check("3^2", "3", "3 keep");
        check("3^3", "3", "3 either");
        check("4+6l", "6l", "4 keep, 6l either");
        check("4^2+6l", "4,6l", "4 either, 6l either");
        check("6l+10l", "6l,10l", "6l keep, 10l keep");
    }
}
