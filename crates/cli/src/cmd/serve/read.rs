//! Positions and boards from clients, who must not make the program read files.

use std::sync::Arc;

use dab_board::notation::{self, Notation, Record, compact};
use dab_board::{Board, Position};
use serde::Serialize;

use super::oracle::Served;
use crate::failure::Usage;

/// How the name of a graph begins.
const GRAPH: &str = "graph:";

/// A position or a game that was read.
#[derive(Serialize)]
pub(super) struct Read {
    notation: String,
    board: String,
    start: String,
    moves: Vec<usize>,
    /// Who is to move in the start.
    side: String,
    /// Boxes of A and of B in the start, as far as the text tells.
    captured: [Vec<usize>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    penalty: Option<u8>,
}

impl Served {
    /// The board of a name; graphs are those that are served.
    pub(super) fn find_board(&self, name: &str) -> anyhow::Result<Arc<Board>> {
        match name.starts_with(GRAPH) {
            true => Ok(Arc::clone(self.library.graph(name).ok_or_else(|| not_served(name))?)),
            false => Ok(compact::parse_board(name)?),
        }
    }

    /// Reads a position or a game in any notation.
    pub(super) fn read_text(&self, text: &str, board: Option<&str>) -> anyhow::Result<(Record, Notation)> {
        let text = text.trim();
        if text.starts_with(GRAPH) {
            let (name, mask) = match self.library.graph(text) {
                Some(_) => (text, None),
                None => compact::split(text),
            };
            let position = compact::position(self.find_board(name)?, mask, text)?;
            return Ok((Record::new(position), Notation::Compact));
        }
        let board = board.map(|name| self.find_board(name)).transpose()?;
        let notation = notation::detect(text, board.as_ref())?;
        Ok((notation::read_as(text, notation, board.as_ref())?, notation))
    }
}

fn not_served(name: &str) -> Usage {
    Usage(format!("{name} is not served: graphs are those of the runs and books given with --from"))
}

impl Read {
    pub(super) fn new(record: &Record, notation: Notation) -> Self {
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
