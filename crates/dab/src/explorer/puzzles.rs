//! Question `problems`: positions with known answers, to be solved as puzzles.

use serde::Serialize;

use super::Explorer;
use super::fields::Nothing;
use crate::Error;
use crate::problems::{Problem, known};

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
    /// Every best line.
    best: Vec<usize>,
}

impl Explorer {
    pub(super) fn problems(&self, Nothing {}: &Nothing) -> Result<Vec<Puzzle>, Error> {
        let puzzle = |problem: Problem| {
            let Problem { name, source, position, penalty, score, best, .. } = problem;
            let (position, best) = (position?.to_string(), best?);
            Some(Puzzle { name, source, position, penalty: penalty.unwrap_or(0), score, best })
        };
        Ok(known()?.into_iter().filter_map(puzzle).collect())
    }
}
