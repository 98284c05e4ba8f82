//! The value of a position in nimstring: a nimber, or loony.

use std::fmt;

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Equal to a nim heap of this size: the player to move loses if it is 0 and wins otherwise.
    Nimber(u8),
    /// The player to move wins beside any other game, because he may decline the last boxes of a capture run.
    Loony,
}

impl Value {
    /// Whether the player to move wins.
    pub fn is_win(self) -> bool {
        self != Self::Nimber(0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nimber(nimber) => f.pad(&nimber.to_string()),
            Self::Loony => f.pad("loony"),
        }
    }
}
