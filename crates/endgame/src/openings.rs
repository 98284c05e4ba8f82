//! The complete answer for a position: every optimal opening, and the controller's reply to each.
//!
//! Opening C is optimal iff v(G; C) = v(G). Both come from v of G and of the G − C, here by Allcock Theorem 4.1, so the cost is
//! proportional to the number of distinct components.

use std::fmt;

use crate::{Component, Position, allcock};

/// A component that has been opened: the value from then on and the replies to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The component, C.
    pub component: Component,
    /// v(G; C), the net of the controller. Opening C is optimal iff it is v(G).
    pub value: i64,
    /// Every optimal reply.
    pub reply: Reply,
}

impl Opened {
    /// From `rest` = v(G − C): v(G; C) by Allcock equation (3), and v(G − C) against the handout, Buzzard–Ciere section 5.
    pub(crate) fn new(component: Component, rest: i64) -> Opened {
        let reply = match rest.cmp(&component.handout()) {
            std::cmp::Ordering::Less => Reply::GiveUp,
            std::cmp::Ordering::Equal => Reply::Either,
            std::cmp::Ordering::Greater => Reply::Keep,
        };
        Opened { component, value: component.opened(rest), reply }
    }
}

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

/// Every distinct component of a position, opened, in its order. Allcock Theorem 4.1.
pub(crate) fn opened(g: &Position) -> Vec<Opened> {
    g.components().map(|c| Opened::new(c, allcock::value(g.totals().minus(c)))).collect()
}

/// All optimal openings, chains ascending then loops ascending; empty for the empty position. Allcock equation (4), Theorem 4.1.
pub fn optimal_openings(g: &Position) -> Vec<Component> {
    let v = allcock::value(g);
    opened(g).iter().filter(|opened| opened.value == v).map(|opened| opened.component).collect()
}
