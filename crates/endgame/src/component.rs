//! One isolated long chain or even loop.
//!
//! When a component of n boxes is opened, the controller either takes all of it, or takes all but a *handout* of 2 boxes
//! (chain) or 4 boxes (loop) and keeps control. Everything the theory knows about a component is n and that handout.

use std::fmt;

/// A long chain or an even loop, by its number of boxes. Chains sort before loops, each by length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component {
    /// A chain; 3 boxes or more in a [`Position`](crate::Position).
    Chain(u64),
    /// A loop; an even number of boxes, 4 or more, in a [`Position`](crate::Position), odd ones in an [`Endgame`](crate::Endgame), too.
    Loop(u64),
}

use Component::{Chain, Loop};

impl Component {
    /// Number of boxes.
    pub fn n_boxes(self) -> u64 {
        match self {
            Chain(n) | Loop(n) => n,
        }
    }

    /// True for a loop.
    pub(crate) fn is_loop(self) -> bool {
        matches!(self, Loop(_))
    }

    /// Boxes given back by a controller who keeps control: 2 for a chain, 4 for a loop.
    pub(crate) fn handout(self) -> i64 {
        match self {
            Chain(_) => 2,
            Loop(_) => 4,
        }
    }

    /// v(G; C), the net the controller gets once C has been opened, from `rest` = v(G − C).
    ///
    /// She takes n − h boxes for certain and then the better of −h + v (keep control) and +h − v (give up):
    /// n − h + |v − h|, with h the handout. Buzzard–Ciere section 5; Allcock equation (3).
    pub(crate) fn opened(self, rest: i64) -> i64 {
        self.n_boxes().cast_signed() - self.handout() + (rest - self.handout()).abs()
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chain(n) => write!(f, "{n}"),
            Loop(n) => write!(f, "{n}l"),
        }
    }
}
