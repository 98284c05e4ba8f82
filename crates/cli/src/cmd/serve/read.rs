//! Positions and boards from clients, who must not make the program read files.

use std::sync::Arc;

use dab::Library;
use dab::text::{self, Input};
use dab_board::notation::{Notation, Transcript};
use dab_board::{Board, LineSet, Position};
use serde::Serialize;

use crate::failure::Usage;

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

/// The board of a name; graphs are those that are served.
pub(super) fn board(library: &Library, name: &str) -> anyhow::Result<Arc<Board>> {
    text::board(name, |file| graph(library, file))
}

/// Reads a position or a game in any notation.
pub(super) fn input(library: &Library, text: &str, board_name: Option<&str>) -> anyhow::Result<Input> {
    let text = text.trim();
    if let Some(board) = library.graph(text) {
        let empty = Position::new(Arc::clone(board), LineSet::EMPTY)?;
        return Ok(Input { record: Transcript::new(empty), notation: Notation::Compact });
    }
    let board = board_name.map(|name| board(library, name)).transpose()?;
    text::read(text, None, board.as_ref(), |file| graph(library, file))
}

fn graph(library: &Library, file: &str) -> anyhow::Result<Arc<Board>> {
    let name = format!("graph:{file}");
    let not_served =
        || Usage(format!("{name} is not served: graphs are those of the runs and books given with --from"));
    Ok(Arc::clone(library.graph(&name).ok_or_else(not_served)?))
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
