//! The rules that a space leaves open.

use dab_board::Position;

use crate::{Space, SpaceError};

/// The rules of a solve beside its space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Charged to the player who makes the last move: the finished position scores `-penalty` for the player on move.
    pub penalty: i8,
}

impl Rules {
    /// Rules with a last-move penalty, for the positions of `space`.
    ///
    /// # Errors
    /// As [`Rules::of_start`].
    pub fn new(space: &Space, penalty: i32) -> Result<Self, SpaceError> {
        Self::of_start(space.layout().units().start(), penalty)
    }

    /// Rules with a last-move penalty, for the positions that `start` can lead to.
    ///
    /// # Errors
    /// If the penalty is negative, or so large that a score could leave -127 to 127.
    pub fn of_start(start: &Position, penalty: i32) -> Result<Self, SpaceError> {
        let most = i32::from(i8::MAX) - start.open_boxes() as i32;
        if !(0..=most).contains(&penalty) {
            return Err(SpaceError::Penalty { start: start.to_string(), penalty, most });
        }
        Ok(Self { penalty: penalty as i8 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_a_byte() {
        let start: Position = "3x3:0".parse().unwrap();
        assert_eq!(Rules::of_start(&start, 118), Ok(Rules { penalty: 118 }));
        for penalty in [-1, 119, i32::MAX] {
            assert!(matches!(Rules::of_start(&start, penalty), Err(SpaceError::Penalty { most: 118, .. })));
        }
    }
}
