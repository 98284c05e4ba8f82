//! Questions about what there is: `board`, its picture and its starts; `sources`, the runs and books that answers come from;
//! `problems`, positions with known answers, to be solved as puzzles.

use std::collections::BTreeMap;

use dab_board::{LineIdx, Start};
use dab_draw::Geometry;
use serde::Serialize;

use super::Explorer;
use super::fields::{BoardName, Nothing};
use crate::Error;
use crate::problems::{Problem, known, puzzles};
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

/// A problem with a position.
#[derive(Serialize)]
pub(super) struct Puzzle {
    name: String,
    source: String,
    position: String,
    penalty: i32,
    /// The score for the player to move, if the problem tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    /// How hard it is, 1 to 4; the problems of the literature have no grade.
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<i32>,
    /// Every best line.
    best: Vec<usize>,
}

impl Explorer {
    pub(super) fn board(&self, BoardName { name }: &BoardName) -> Result<DrawnBoard, Error> {
        let board = self.board_of(name)?;
        let start = |start: Start| Some((start.to_string(), board.start_lines(start)?.iter().collect()));
        let starts = Start::ALL.into_iter().filter_map(start).collect();
        let names = names(&board, board.all().iter());
        Ok(DrawnBoard { board: board.name().to_owned(), names, starts, geometry: Geometry::new(&board) })
    }

    pub(super) fn sources(&self, Nothing {}: &Nothing) -> Vec<SourceTable<'_>> {
        let tables = self.tables.library.tables().iter();
        let sources = tables.map(|table| {
            let (start, summary) = (table.start(), table.summary());
            let is_usual = |usual: &Start| start.board().start_lines(*usual) == Some(start.drawn());
            SourceTable {
                path: &summary.path,
                kind: summary.kind,
                board: start.board().name(),
                start: start.to_string(),
                start_name: Start::ALL.into_iter().find(is_usual).map(|usual| usual.to_string()),
                penalty: summary.penalty,
                layers: [summary.layers.len(), summary.n_layers],
            }
        });
        sources.collect()
    }

    pub(super) fn problems(&self, Nothing {}: &Nothing) -> Result<Vec<Puzzle>, Error> {
        let puzzle = |problem: Problem| {
            let Problem { name, source, position, penalty, score, grade, best, .. } = problem;
            let (position, best) = (position?.to_string(), best?);
            Some(Puzzle { name, source, position, penalty: penalty.unwrap_or(0), score, grade, best })
        };
        Ok(puzzles()?.into_iter().chain(known()?).filter_map(puzzle).collect())
    }
}
