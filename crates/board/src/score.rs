//! Scores: the worth of a position to the player to move.

use std::fmt;
use std::ops::{Add, Neg};

use serde::{Deserialize, Serialize};

/// Net boxes still to come, for the player to move under best play: -127 to 127, boxes and last-move penalty together.
///
/// Files, slabs and kernels keep scores as plain `i8`; answers give them as this type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(transparent)]
#[serde(transparent)]
pub struct Score(pub i8);

impl Score {
    /// Less than every score, to begin a maximum with.
    pub const MIN: Self = Self(i8::MIN);
}

impl From<i8> for Score {
    fn from(boxes: i8) -> Self {
        Self(boxes)
    }
}

impl From<Score> for i8 {
    fn from(score: Score) -> Self {
        score.0
    }
}

impl Neg for Score {
    type Output = Self;

    /// The same for the other player.
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Boxes that the player to move takes, and then moves on.
impl Add<Score> for u8 {
    type Output = Score;

    #[inline]
    fn add(self, after: Score) -> Score {
        Score(self as i8 + after.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
