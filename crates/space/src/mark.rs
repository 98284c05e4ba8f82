//! The loony mark of a position: the player who must make the next loony move. A solve may work it out beside the score, `table` else.

use std::fmt;
use std::ops::Neg;

use crate::json::serde::{Serialize, Serializer};

/// The player who must make the next loony move under best play. Greater marks are better for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The player to move: `v`.
    Mover,
    /// Nobody: the game can end without a loony move.
    Nobody,
    /// The opponent: `^`.
    Opponent,
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.symbol())
    }
}

impl Neg for Mark {
    type Output = Self;

    /// The same for the other player.
    fn neg(self) -> Self {
        match self {
            Self::Mover => Self::Opponent,
            Self::Nobody => Self::Nobody,
            Self::Opponent => Self::Mover,
        }
    }
}

impl Mark {
    /// As it is written after a score.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Mover => "v",
            Self::Nobody => "",
            Self::Opponent => "^",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}
