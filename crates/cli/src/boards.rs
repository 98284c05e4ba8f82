//! Boards by name, and graphs from their files.

use std::sync::Arc;

use dab_board::Board;

/// Reads the name of a board; that of a graph is `graph:FILE`.
pub(crate) fn board(name: &str) -> anyhow::Result<Arc<Board>> {
    Ok(dab::text::board(name, dab::text::graph_of_file)?)
}
