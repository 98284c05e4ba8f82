//! Bounds of scores, and what a move needs to reach a score.

use dab_board::capture::Decline;

/// A score lies from `low` to `high`. Both have the parity that the score has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) low: i8,
    pub(crate) high: i8,
}

impl Bounds {
    /// Bounds of a score that is known.
    pub(crate) fn exactly(score: i8) -> Self {
        Self { low: score, high: score }
    }

    /// Whether they tell that the score reaches `goal`, or that it does not.
    #[inline]
    pub(crate) fn decide(self, goal: i32) -> bool {
        i32::from(self.low) >= goal || i32::from(self.high) < goal
    }

    /// The bounds that follow from both.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Bounds of the score of a move that lets the opponent capture `boxes`, from those of the position it leads to.
    ///
    /// With `after` the score of the position after the move, the score of the move is -(boxes + after), or
    /// -(boxes - h + |after + h|) if h boxes can be declined.
    #[inline]
    pub(crate) fn before_move(self, boxes: u8, decline: Decline) -> Self {
        let boxes = boxes as i8;
        if decline == Decline::None {
            return Self { low: -boxes - self.high, high: -boxes - self.low };
        }
        let handout = decline.boxes() as i8;
        let ends = [self.low + handout, self.high + handout];
        let most = ends[0].abs().max(ends[1].abs());
        // The least distance that parity allows, if the score may lie on either side.
        let least = if ends[0] <= 0 && ends[1] >= 0 { ends[0] & 1 } else { ends[0].abs().min(ends[1].abs()) };
        Self { low: -(boxes - handout + most), high: -(boxes - handout + least) }
    }
}

/// The scores of the position after a move with which the move reaches `goal`: from the first to the second, none if the
/// first is the greater one.
#[inline]
pub(crate) fn range_after(boxes: u8, decline: Decline, goal: i32) -> (i32, i32) {
    let boxes = i32::from(boxes);
    match decline {
        Decline::None => (i32::MIN, -boxes - goal),
        _ => {
            let handout = i32::from(decline.boxes());
            let most = handout - boxes - goal;
            (-handout - most, -handout + most)
        }
    }
}
