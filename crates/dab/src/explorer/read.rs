//! Question `read`: a position or a game in any notation, as start and moves.

use dab_board::notation::{Notation, Transcript};
use serde::Serialize;

use super::Explorer;
use super::endgames::arranged;
use super::fields::Text;
use crate::Error;
use crate::text::Input;

/// A position or a game that was read.
#[derive(Serialize)]
pub(super) struct Game {
    notation: String,
    board: String,
    start: String,
    moves: Vec<usize>,
    /// The player to move in the start.
    side: String,
    /// Boxes of A and of B in the start, as far as the text tells.
    captured: [Vec<usize>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    penalty: Option<u8>,
}

impl Explorer {
    pub(super) fn read(&self, Text { text, board }: &Text) -> Result<Game, Error> {
        // An endgame is no notation of a position, but stands for one.
        let Input { record, notation } = self.read_text(text, board.as_deref()).or_else(|error| {
            let position = arranged(text).ok_or(error)?;
            Ok::<_, Error>(Input { record: Transcript::new(position), notation: Notation::Compact })
        })?;
        let start = record.start();
        // A game begins on an empty board, where nobody has a box.
        let captured = match record.moves() {
            [] => record.captured().map(|boxes| boxes.iter().collect()),
            _ => [Vec::new(), Vec::new()],
        };
        Ok(Game {
            notation: notation.to_string(),
            board: start.board().name().to_owned(),
            start: start.to_string(),
            moves: record.moves().to_vec(),
            side: record.side().to_string(),
            captured,
            penalty: record.penalty(),
        })
    }
}
