//! Question `sources`: the runs and books that answers come from.

use dab_board::Start;
use serde::Serialize;

use super::Explorer;
use super::fields::Nothing;
use crate::LibraryTable;

/// A run or a book.
#[derive(Serialize)]
pub(super) struct SourceTable<'a> {
    path: &'a str,
    kind: &'static str,
    board: &'a str,
    start: String,
    /// The name of the start, if it is one of the usual ones.
    start_name: Option<String>,
    penalty: i8,
    /// Layers that are here, and those of the run.
    layers: [usize; 2],
}

impl<'a> From<&'a LibraryTable> for SourceTable<'a> {
    fn from(table: &'a LibraryTable) -> Self {
        let (start, summary) = (table.start(), table.summary());
        let is_usual = |usual: &Start| start.board().start_lines(*usual) == Some(start.drawn());
        Self {
            path: &summary.path,
            kind: summary.kind,
            board: start.board().name(),
            start: start.to_string(),
            start_name: Start::ALL.into_iter().find(is_usual).map(|usual| usual.to_string()),
            penalty: summary.penalty,
            layers: [summary.layers.len(), summary.n_layers],
        }
    }
}

impl Explorer {
    pub(super) fn sources(&self, Nothing {}: &Nothing) -> Vec<SourceTable<'_>> {
        self.tables.library.tables().iter().map(SourceTable::from).collect()
    }
}
