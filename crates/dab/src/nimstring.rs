//! The game of the last move on a board: the nimber of a position, of its moves and of its components.
//!
//! Nimbers come from [`Nimstring`], which keeps those that it has worked out.

use dab_board::components::{Component, Components};
use dab_board::{LineIdx, Position};
pub use dab_nimstring::{Nimstring, NimstringError, Value};

/// A position in nimstring, where boxes count nothing and a player who cannot move loses.
#[derive(Clone, Debug)]
pub struct NimAnswer {
    /// Its nimber, or loony.
    pub value: Value,
    /// Every legal move.
    pub moves: Vec<NimMove>,
    /// Boxes that can be captured.
    pub capturable: usize,
    /// The components that the capture run leaves.
    pub components: Vec<NimComponent>,
    /// The nimber of the components together.
    pub nim_sum: u8,
}

/// A move in nimstring.
#[derive(Clone, Copy, Debug)]
pub struct NimMove {
    /// The line.
    pub line: LineIdx,
    /// The value of the position that it leaves.
    pub value: Value,
    /// Whether it wins.
    pub wins: bool,
    /// Whether it closes a box.
    pub captures: bool,
}

/// A component as if it were alone on the board.
#[derive(Clone, Debug)]
pub struct NimComponent {
    /// The component.
    pub component: Component,
    /// Its nimber.
    pub nimber: u8,
}

impl NimAnswer {
    /// Works out a position and all its moves.
    ///
    /// # Errors
    /// If a component is too large, or the nimbers to keep need more memory than `nimstring` may use.
    pub fn new(position: &Position, nimstring: &mut Nimstring) -> Result<Self, NimstringError> {
        let value = nimstring.value(position)?;
        let moves = position.undrawn().iter().map(|line| {
            let (after, closed) = position.draw(line);
            let (value, captures) = (nimstring.value(&after)?, closed > 0);
            // After a capture it is still the same player's turn.
            Ok(NimMove { line, value, wins: value.is_win() == captures, captures })
        });
        let moves = moves.collect::<Result<_, NimstringError>>()?;
        let Components { capturable, parts, .. } = Components::of(position);
        let board = position.board();
        let components = parts.into_iter().map(|component| {
            let nimber = match nimstring.value_drawn(board.graph(), board.all() - component.lines())? {
                Value::Nimber(nimber) => nimber,
                Value::Loony => unreachable!("nothing can be captured in a component"),
            };
            Ok(NimComponent { component, nimber })
        });
        let components: Vec<NimComponent> = components.collect::<Result<_, NimstringError>>()?;
        let nim_sum = components.iter().fold(0, |sum, component| sum ^ component.nimber);
        Ok(Self { value, moves, capturable, components, nim_sum })
    }
}
