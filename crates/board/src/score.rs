//! Scores: the worth of a position to the player to move.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use serde_core::{Serialize, Serializer};

/// Net boxes still to come, for the player to move under best play: -127 to 127, boxes and last-move penalty together.
///
/// Arithmetic stays within a byte: what no score can be leads to what no score can be, and neither wraps nor panics.
/// Files, slabs and kernels keep scores as plain `i8`; answers give them as this type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Score(pub i8);

impl Score {
    /// Less than every score, to begin a maximum with.
    pub const MIN: Self = Self(i8::MIN);
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
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
        Self(self.0.saturating_neg())
    }
}

/// Boxes that the player to move takes, and then moves on.
impl Add<Score> for u8 {
    type Output = Score;

    #[inline]
    fn add(self, after: Score) -> Score {
        clamped(i16::from(self) + i16::from(after.0))
    }
}

/// The boxes by which the first score is better: what a move loses against a best one.
impl Sub for Score {
    type Output = i16;

    #[inline]
    fn sub(self, other: Self) -> i16 {
        i16::from(self.0) - i16::from(other.0)
    }
}

/// The score nearest to a number of boxes.
#[inline]
pub(crate) fn clamped(boxes: i16) -> Score {
    Score(boxes.clamp(i8::MIN.into(), i8::MAX.into()) as i8)
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Decline;

    #[test]
    fn no_byte_wraps_or_panics() {
        for byte in i8::MIN..=i8::MAX {
            let (score, wide) = (Score(byte), i16::from(byte));
            assert_eq!((-score).0, (-wide).min(127) as i8);
            assert_eq!(Score(127) - score, 127 - wide);
            for boxes in 0..=u8::MAX {
                let taken = i16::from(boxes) + wide;
                assert_eq!((boxes + score).0, taken.clamp(-128, 127) as i8);
                for decline in [Decline::None, Decline::Two, Decline::Four] {
                    let left = i16::from(boxes) - 2 * i16::from(decline.boxes()) - wide;
                    let best = if decline == Decline::None { taken } else { taken.max(left) };
                    assert_eq!(decline.score(boxes, score).0, best.clamp(-128, 127) as i8);
                }
            }
        }
    }
}
