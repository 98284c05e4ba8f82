//! Boards by name, and graphs from their files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dab_board::notation::compact;
use dab_board::{Board, Position};

use crate::failure::Usage;
use crate::run::Files;

/// How the name of a graph begins.
const GRAPH: &str = "graph:";
/// How a book begins, and no graph file.
const BOOK_MAGIC: &[u8] = b"DAB-BOOK";

/// Reads the name of a board; that of a graph is `graph:FILE`.
pub(crate) fn board(text: &str) -> anyhow::Result<Arc<Board>> {
    match text.trim().strip_prefix(GRAPH) {
        Some(file) => graph(file),
        None => Ok(compact::parse_board(text)?),
    }
}

/// Reads a position of a graph, `graph:FILE` or `graph:FILE:HEX`; `None` if the text is no such thing.
pub(crate) fn on_graph(text: &str) -> Option<anyhow::Result<Position>> {
    let text = text.trim();
    let (name, mask) = compact::split(text);
    let file = name.strip_prefix(GRAPH)?;
    Some(graph(file).and_then(|board| Ok(compact::position(board, mask, text)?)))
}

/// The graph in a file: a graph file, or a run or a book of a graph, which keep it.
fn graph(file: &str) -> anyhow::Result<Arc<Board>> {
    let path = Path::new(file);
    let is_run = path.is_dir();
    let read = || fs::read(path).map_err(|error| Usage(format!("cannot read the graph file {file}: {error}")));
    let bytes = if is_run { Vec::new() } else { read()? };
    let text = if is_run || bytes.starts_with(BOOK_MAGIC) {
        let files = Files::open(path)?;
        let game = files.game();
        game.graph.clone().ok_or_else(|| Usage(format!("{file} holds {}, which is no graph", game.start)))?
    } else {
        String::from_utf8(bytes).map_err(|_| Usage(format!("{file} is no graph file: it is not text")))?
    };
    Ok(Board::from_graph_file(file, &text).map_err(|error| Usage(format!("{file}: {error}")))?)
}

/// The start of a game as a run or a book names it; `from` is what positions of a graph are named by.
pub(crate) fn start(start: &str, graph: Option<&str>, from: &str) -> Result<Position, dab_board::BoardError> {
    match graph {
        None => start.parse(),
        Some(text) => compact::position(Board::from_graph_file(from, text)?, start.strip_prefix(GRAPH), start),
    }
}
