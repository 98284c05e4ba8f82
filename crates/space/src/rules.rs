//! The rules that a space leaves open, and the byte that stands for a position under them.
//!
//! ```text
//!    without marks   value = score
//!    with marks      value = 4 * score + mark        mark: 0 the mover must make the next loony move, 1 nobody, 2 the opponent
//! ```
//! So a value with a mark orders positions as players do: by score, and by mark among equal scores.

use dab_board::{Position, Score};

use crate::{Mark, Space, SpaceError, SpaceKind};

/// The rules of a solve beside its space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Charged to the player who makes the last move: the finished position scores `-penalty` for the player on move.
    pub penalty: i8,
    /// Whether values have marks.
    pub marks: bool,
}

impl Rules {
    /// Most open boxes and penalty together of values with marks.
    const MOST_WITH_MARKS: usize = 31;

    /// Rules with a last-move penalty, for the positions of `space`.
    ///
    /// # Errors
    /// As [`Rules::for_start`].
    pub fn new(space: &Space, penalty: i32) -> Result<Self, SpaceError> {
        Self::for_start(space.layout().units().start(), penalty)
    }

    /// Rules with a last-move penalty, for the positions that `start` can lead to.
    ///
    /// # Errors
    /// If the penalty is negative, or so large that a score could leave -127 to 127.
    pub fn for_start(start: &Position, penalty: i32) -> Result<Self, SpaceError> {
        let most = i32::from(i8::MAX) - start.open_boxes() as i32;
        if !(0..=most).contains(&penalty) {
            return Err(SpaceError::Penalty { start: start.to_string(), penalty, most });
        }
        Ok(Self { penalty: penalty as i8, marks: false })
    }

    /// The same rules with marks, for the positions that `start` can lead to.
    ///
    /// # Errors
    /// If the space is not the quiet one, or a value could leave a byte.
    pub fn with_marks(self, start: &Position, kind: SpaceKind) -> Result<Self, SpaceError> {
        let (boxes, most) = (start.open_boxes(), Self::MOST_WITH_MARKS);
        if kind == SpaceKind::Full {
            return Err(SpaceError::MarksOfFull { start: start.to_string() });
        }
        if boxes + usize::from(self.penalty.unsigned_abs()) > most {
            return Err(SpaceError::Marks { start: start.to_string(), boxes, penalty: self.penalty, most });
        }
        Ok(Self { marks: true, ..self })
    }

    /// The value that stands for a score, and for a mark if values have marks.
    #[inline]
    pub fn value(self, score: Score, mark: Mark) -> i8 {
        if self.marks { 4 * score.0 + mark as i8 } else { score.0 }
    }

    /// The score of a value.
    #[inline]
    pub fn score(self, value: i8) -> Score {
        Score(if self.marks { value >> 2 } else { value })
    }

    /// The mark of a value, if values have marks.
    #[inline]
    pub fn mark(self, value: i8) -> Option<Mark> {
        self.marks.then(|| [Mark::Mover, Mark::Nobody, Mark::Opponent, Mark::Opponent][usize::from(value as u8 & 3)])
    }

    /// The value of the finished position.
    pub fn finished(self) -> i8 {
        self.value(Score(-self.penalty), Mark::Nobody)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_a_byte() {
        let start: Position = "3x3:0".parse().unwrap();
        assert_eq!(Rules::for_start(&start, 118), Ok(Rules { penalty: 118, marks: false }));
        for penalty in [-1, 119, i32::MAX] {
            assert!(matches!(Rules::for_start(&start, penalty), Err(SpaceError::Penalty { most: 118, .. })));
        }
    }

    #[test]
    fn values_with_marks_stay_within_a_byte() {
        let with_marks = |start: &str, penalty, kind| {
            let start: Position = start.parse().unwrap();
            Rules::for_start(&start, penalty).unwrap().with_marks(&start, kind)
        };
        for (start, penalty) in [("3x3", 22), ("5x6:1", 1), ("4x7", 3)] {
            let rules = with_marks(start, penalty, SpaceKind::Quiet).unwrap();
            let more = with_marks(start, penalty + 1, SpaceKind::Quiet);
            assert!(matches!(more, Err(SpaceError::Marks { most: 31, .. })));
            assert!(with_marks(start, penalty, SpaceKind::Full).is_err());
            for score in -31..=31 {
                for mark in [Mark::Mover, Mark::Nobody, Mark::Opponent] {
                    let value = rules.value(Score(score), mark);
                    assert_eq!((rules.score(value), rules.mark(value)), (Score(score), Some(mark)));
                }
            }
        }
    }
}
