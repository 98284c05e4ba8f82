//! Boards by name, and graphs from their files.

use std::sync::Arc;

use dab_board::notation::compact;
use dab_board::{Board, Position};

/// The beginning of a graph's name.
const GRAPH: &str = "graph:";

/// Reads the name of a board; that of a graph is `graph:FILE`.
pub(crate) fn board(name: &str) -> anyhow::Result<Arc<Board>> {
    Ok(dab::text::board(name, dab::text::graph_of_file)?)
}

/// The start of a game as a run or a book names it; `from` is what positions of a graph are named by.
pub(crate) fn start(start: &str, graph: Option<&str>, from: &str) -> Result<Position, dab_board::BoardError> {
    match graph {
        None => start.parse(),
        Some(text) => compact::position(Board::from_graph_file(from, text)?, start.strip_prefix(GRAPH), start),
    }
}
