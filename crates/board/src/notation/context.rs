//! The context that the text of a position or game leaves open: the board and the start.

use std::sync::Arc;

use super::all::Notation;
use super::error::NotationError;
use crate::{Board, BoardError, Position, Start};

/// The board and the start of a text that names neither.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The board of a text that does not name its own.
    pub board: Option<&'a Arc<Board>>,
    /// The lines that are drawn before the first move of a game, or on a board that is only named.
    pub start: Start,
}

impl<'a> From<Option<&'a Arc<Board>>> for Context<'a> {
    fn from(board: Option<&'a Arc<Board>>) -> Self {
        Self { board, start: Start::American }
    }
}

impl<'a> From<&'a Arc<Board>> for Context<'a> {
    fn from(board: &'a Arc<Board>) -> Self {
        Some(board).into()
    }
}

impl Context<'_> {
    /// The position before the first move, for a notation that does not tell the board.
    pub(super) fn start(self, notation: Notation) -> Result<Position, NotationError> {
        self.start_on(self.board.ok_or(NotationError::NeedsBoard { notation })?)
    }

    /// The position before the first move on a board.
    pub(super) fn start_on(self, board: &Arc<Board>) -> Result<Position, NotationError> {
        let drawn = board.start_lines(self.start).ok_or_else(|| {
            let (board, start) = (board.name().to_owned(), self.start.to_string());
            BoardError::NoSuchStart { board, start }
        })?;
        Ok(Position::new(Arc::clone(board), drawn)?)
    }
}

/// The board that a text tells, if it is the one that was asked for.
pub(super) fn same_board(asked: Option<&Arc<Board>>, found: Arc<Board>) -> Result<Arc<Board>, NotationError> {
    match asked {
        Some(asked) if *asked != found => {
            Err(NotationError::OtherBoard { expected: asked.kind().to_string(), found: found.kind().to_string() })
        }
        _ => Ok(found),
    }
}
