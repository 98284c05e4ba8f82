//! The kinds of moves.

use dab_board::capture::{CaptureRun, Decline};
use serde::Serialize;

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// Nothing can be captured afterwards.
    Safe,
    /// The opponent can capture something, but can decline nothing of it.
    Sacrifice,
    /// The opponent can capture something and may decline the last boxes of it.
    Loony,
    /// It closes a box.
    Capture,
}

impl MoveKind {
    /// Every kind, as answers list them.
    pub const ALL: [Self; 4] = [Self::Capture, Self::Safe, Self::Sacrifice, Self::Loony];

    /// The kind of a line that closes `closed` boxes and after which `run` is what can be captured.
    pub fn of(closed: u8, run: &CaptureRun) -> Self {
        match (closed, run.boxes, run.decline) {
            (1.., _, _) => Self::Capture,
            (_, 0, _) => Self::Safe,
            (_, _, Decline::None) => Self::Sacrifice,
            (_, _, Decline::Two | Decline::Four) => Self::Loony,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Sacrifice => "sacrifice",
            Self::Loony => "loony",
            Self::Capture => "capture",
        }
    }
}
