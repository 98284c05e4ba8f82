//! Positions, games and boards as clients write them. Graphs are those of the runs and books; no file is read.

use std::sync::Arc;

use dab_board::notation::{Notation, Transcript};
use dab_board::{Board, LineSet, Position};

use super::Explorer;
use crate::Error;
use crate::text::{self, Input};

impl Explorer {
    /// Reads a position or a game in any notation; `board` names the board of texts that do not tell it.
    pub(super) fn read_text(&self, text: &str, board: Option<&str>) -> Result<Input, Error> {
        let text = text.trim();
        if let Some(board) = self.graph(text) {
            let empty = Position::new(Arc::clone(board), LineSet::EMPTY)?;
            return Ok(Input { record: Transcript::new(empty), notation: Notation::Compact });
        }
        let board = board.map(|name| self.board_of(name)).transpose()?;
        text::read(text, None, board.as_ref().into(), |file| self.graph_of(file))
    }

    /// The board of a name.
    pub(super) fn board_of(&self, name: &str) -> Result<Arc<Board>, Error> {
        text::board(name, |file| self.graph_of(file))
    }

    /// The board of a run or book, by its name.
    fn graph(&self, name: &str) -> Option<&Arc<Board>> {
        let tables = self.tables.library.tables();
        tables.iter().map(|table| table.start().board()).find(|board| board.name() == name)
    }

    fn graph_of(&self, file: &str) -> Result<Arc<Board>, Error> {
        let name = format!("graph:{file}");
        self.graph(&name).cloned().ok_or_else(|| {
            Error::input(format!("{name} is not served: graphs are those of the runs and books that are"))
        })
    }
}
