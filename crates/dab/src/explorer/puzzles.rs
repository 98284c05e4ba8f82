//! Question `problems`: positions with known answers, to be solved as puzzles.

use serde::Serialize;

use super::Explorer;
use super::fields::Nothing;
use crate::Error;
use crate::problems::{Problem, known, puzzles};

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
    pub(super) fn problems(&self, Nothing {}: &Nothing) -> Result<Vec<Puzzle>, Error> {
        let puzzle = |problem: Problem| {
            let Problem { name, source, position, penalty, score, grade, best, .. } = problem;
            let (position, best) = (position?.to_string(), best?);
            Some(Puzzle { name, source, position, penalty: penalty.unwrap_or(0), score, grade, best })
        };
        Ok(puzzles()?.into_iter().chain(known()?).filter_map(puzzle).collect())
    }
}
