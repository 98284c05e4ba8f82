//! Positions and games as the page wants them.

use dab_board::Position;
use dab_board::notation::{Notation, Transcript};
use serde::Serialize;

/// A position or a game that was read.
#[derive(Serialize)]
pub(super) struct Read {
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

impl Read {
    pub(super) fn new(record: &Transcript, notation: Notation) -> Self {
        let start: &Position = record.start();
        // A game begins on an empty board, where nobody has a box.
        let captured = match record.moves() {
            [] => record.captured().map(|boxes| boxes.iter().collect()),
            _ => [Vec::new(), Vec::new()],
        };
        Self {
            notation: notation.to_string(),
            board: start.board().name().to_owned(),
            start: start.to_string(),
            moves: record.moves().to_vec(),
            side: record.side().to_string(),
            captured,
            penalty: record.penalty(),
        }
    }
}
