//! Question `board`: the picture of a board, and its starts.

use std::collections::BTreeMap;

use dab_board::{LineIdx, Start};
use dab_draw::Geometry;
use serde::Serialize;

use super::Explorer;
use super::fields::BoardName;
use crate::Error;
use crate::text::names;

/// A board as a page draws it.
#[derive(Serialize)]
pub(super) struct DrawnBoard {
    board: String,
    /// The names of its lines.
    names: Vec<String>,
    /// The lines that each start draws.
    starts: BTreeMap<String, Vec<LineIdx>>,
    #[serde(flatten)]
    geometry: Geometry,
}

impl Explorer {
    pub(super) fn board(&self, BoardName { name }: &BoardName) -> Result<DrawnBoard, Error> {
        let board = self.board_of(name)?;
        let start = |start: Start| Some((start.to_string(), board.start_lines(start)?.iter().collect()));
        let starts = Start::ALL.into_iter().filter_map(start).collect();
        let names = names(&board, board.all().iter());
        Ok(DrawnBoard { board: board.name().to_owned(), names, starts, geometry: Geometry::new(&board) })
    }
}
