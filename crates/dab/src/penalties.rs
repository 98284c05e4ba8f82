//! Scores and best moves of a position as the last-move penalty grows.
//!
//! A score changes by no more than the penalty does, and every score has the parity of boxes and penalty together. So it
//! changes by exactly 1 from each whole penalty to the next, and in between it lies on the straight line.

use std::fmt::{self, Display};

use dab_board::{Board, LineIdx, Position, Score};
use dab_table::Answer;
use serde::Serialize;

use crate::text::{as_text, names, rows};

/// The answers for a position at the penalties 0, 1, 2, ….
#[derive(Clone, Debug, Serialize)]
pub struct Penalties {
    /// The position.
    #[serde(serialize_with = "as_text")]
    position: Position,
    /// The answers, that at penalty 0 first.
    penalties: Vec<AtPenalty>,
    /// Whether every score changes by 1 from each penalty to the next; if not, a score is wrong.
    interpolates: bool,
}

/// The answer at one penalty.
#[derive(Clone, Debug, Serialize)]
struct AtPenalty {
    /// The penalty, in boxes.
    penalty: usize,
    /// Net boxes for the player to move, the penalty included.
    score: Score,
    /// Every best line, ascending.
    best: Vec<LineIdx>,
    /// Their names.
    best_names: Vec<String>,
    /// Every legal move with its score.
    moves: Vec<MoveAtPenalty>,
}

/// A move with its score at one penalty.
#[derive(Clone, Debug, Serialize)]
struct MoveAtPenalty {
    /// The line.
    line: LineIdx,
    /// Its name.
    name: String,
    /// Net boxes for the player who draws it.
    score: Score,
}

impl Penalties {
    /// Puts the answers for `position` at the penalties 0, 1, 2, … together.
    pub fn new(position: &Position, answers: &[Answer]) -> Self {
        let penalties: Vec<AtPenalty> =
            answers.iter().enumerate().map(|(i, answer)| AtPenalty::new(position.board(), i, answer)).collect();
        let interpolates = penalties.windows(2).all(|pair| pair[0].is_one_step_from(&pair[1]));
        Self { position: position.clone(), penalties, interpolates }
    }

    /// Checks that every score changes by 1 from each penalty to the next.
    ///
    /// # Errors
    /// The words for it if one does not.
    pub fn check(&self) -> Result<(), String> {
        match self.interpolates {
            true => Ok(()),
            false => Err(format!(
                "{}: scores at neighbouring penalties must differ by 1; one of them is wrong",
                self.position
            )),
        }
    }
}

impl Display for Penalties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, penalties, interpolates } = self;
        writeln!(f, "{position}\n\npenalty  score  best moves")?;
        for AtPenalty { penalty, score, best_names, .. } in penalties {
            writeln!(f, "{}", rows(&format!("{penalty:>7}  {score:>5}  "), best_names))?;
        }
        match interpolates {
            true => write!(f, "\ninterpolation holds: every score changes by 1 from each penalty to the next"),
            false => write!(f, "\ninterpolation fails: not every score changes by 1 from each penalty to the next"),
        }
    }
}

impl AtPenalty {
    fn new(board: &Board, penalty: usize, answer: &Answer) -> Self {
        let name = |line: LineIdx| board.line_name(line).to_owned();
        let moves = answer.moves.iter().map(|m| MoveAtPenalty { line: m.line, name: name(m.line), score: m.score });
        let best_names = names(board, answer.best());
        Self { penalty, score: answer.score, best: answer.best().collect(), best_names, moves: moves.collect() }
    }

    fn is_one_step_from(&self, next: &Self) -> bool {
        let scores = |at: &Self| -> Vec<i8> { at.moves.iter().map(|m| m.score.0).chain([at.score.0]).collect() };
        scores(self).into_iter().zip(scores(next)).all(|(here, there)| here.abs_diff(there) == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_is_one_either_way() {
        let at = |scores: &[i8]| AtPenalty {
            penalty: 0,
            score: Score(scores[0]),
            best: Vec::new(),
            best_names: Vec::new(),
            moves: (0..)
                .zip(scores)
                .map(|(line, &score)| MoveAtPenalty { line, name: String::new(), score: Score(score) })
                .collect(),
        };
        assert!(at(&[2, -1]).is_one_step_from(&at(&[1, 0])));
        assert!(!at(&[2, -1]).is_one_step_from(&at(&[1, -1])));
        assert!(!at(&[2, -1]).is_one_step_from(&at(&[1, 2])));
    }
}
