//! What a run is a run of.

use dab_board::notation::compact::anonymous;
use dab_space::Space;
use dab_store::{Game, Groups};

use crate::SolveError;

/// The rules that a space leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Charged to whoever makes the last move: the finished position scores `-penalty` for the player on move.
    pub penalty: i8,
}

impl Rules {
    /// Rules with a last-move penalty.
    ///
    /// # Errors
    /// If the penalty is negative, or so large that scores do not fit a byte.
    pub fn new(space: &Space, penalty: i32) -> Result<Self, SolveError> {
        let boxes = space.layout().units().start().open_boxes();
        let max = i32::from(i8::MAX) - boxes as i32;
        if !(0..=max).contains(&penalty) {
            return Err(SolveError::Penalty { penalty, boxes, max });
        }
        Ok(Self { penalty: penalty as i8 })
    }
}

/// The identity of a run of `space` under `rules`.
pub fn game_of(space: &Space, rules: Rules) -> Game {
    let units = space.layout().units();
    let board = units.start().board();
    let partition = space.layout().partition();
    let sizes = partition.sizes;
    Game {
        board: board.kind().to_string(),
        graph: board.graph_file(),
        start: anonymous(board.kind(), units.start().drawn()),
        space: space.kind().to_string(),
        penalty: rules.penalty,
        groups: Groups { waist: sizes.waist, upper: sizes.upper, lower: sizes.lower },
        units: partition.units.iter().map(|unit| unit.lines.iter().collect()).collect(),
    }
}
